import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { AppError } from '../../src/model/errors.ts'
import type { Context } from '../../src/operations/context.ts'
import { makePost } from '../../src/store/contract/make-post.ts'
import { count } from '../api/harness.ts'
import type { Service } from '../start-service.ts'
import { mountPages } from './mount-pages.ts'
import { RICH, publish, startSetting } from './setting.ts'

const SAID = 'The northern pier stays closed until the divers have looked at every pillar below it.'

describe('what is not known is not shown as nothing', () => {
  let service: Service
  before(async () => {
    service = await startSetting()
    const publishedAt = service.app.clock.now() - 3_600_000
    for (const username of ['pier_one', 'pier_two']) {
      const post = makePost({ number: 5, publishedAt, text: SAID })
      const counters = {
        photos: count(1, publishedAt),
        videos: count(2, publishedAt),
        files: null,
        links: null,
      }
      await publish(service, { username, title: username, subscribers: null, counters }, [post])
    }
    await service.settled()
  })
  after(() => service[Symbol.asyncDispose]())

  async function read(path: string, ctx: Partial<Context> = {}): Promise<string> {
    const context = { ...service.app.context, ...ctx }
    const options = { ctx: context, onFailure: (error: unknown) => assert.fail(String(error)) }
    const reply = await mountPages(new AbortController(), options).request(path)
    assert.equal(reply.status, 200, path)
    return (await reply.text()).replaceAll(/<[^>]+>|\s+/g, ' ').replaceAll(/ +/g, ' ')
  }

  test('a post whose copies cannot be looked up says so', async () => {
    const { index } = service.app.context
    const duplicates = () => Promise.reject(new AppError('unavailable', 'the index is away'))
    const page = await read(RICH.path, { index: { ...index, duplicates } })
    assert.match(page, /Who said it first This cannot be told just now/)
    assert.doesNotMatch(await read(RICH.path), /cannot be told/)
    assert.doesNotMatch(await read('/channels/harbour_news/posts/100'), /Who said it first/)
  })

  test('a search says how many posts are alike where they cannot be looked up, and lists those of 20 hits', async () => {
    const { index } = service.app.context
    const search = '/?q=pier+divers&collapse=duplicates'
    assert.match(await read(search), /2 posts alike in 2 channels .*shown above/)
    const away = () => Promise.reject(new AppError('post_deleted', 'gone since the search'))
    const page = await read(search, { index: { ...index, duplicates: away } })
    assert.match(page, /2 posts alike in 2 channels/)
    assert.doesNotMatch(page, /shown above/)
    const publishedAt = service.app.clock.now() - 3_600_000
    const posts = Array.from({ length: 25 }, (_, i) => {
      const words = Array.from({ length: 30 }, (_word, j) => `w${i}x${j}`)
      return makePost({ number: 10 + i, publishedAt, text: `Manifold ${words.join(' ')}` })
    })
    for (const username of ['many_one', 'many_two'])
      await publish(service, { username, title: username }, posts)
    await service.settled()
    let asked = 0
    const counting: typeof index.duplicates = (...given) => {
      asked++
      return index.duplicates(...given)
    }
    const many = '/?q=manifold&collapse=duplicates&limit=100'
    const text = await read(many, { index: { ...index, duplicates: counting } })
    assert.equal(text.match(/2 posts alike in 2 channels/g)?.length, 25)
    assert.equal(asked, 20)
  })

  test('copies without counted views are not said to be unseen, and rounded views are about', async () => {
    const unseen = await read('/channels/pier_one/posts/5')
    assert.match(unseen, /2 near-identical or forwarded posts in 2 channels/)
    assert.doesNotMatch(unseen, /Seen/)
    assert.match(await read(RICH.path), /in what is indexed\. Seen about 4,200 times\./)
  })

  test('a channel has no dash in place of its subscribers, and one photo', async () => {
    for (const path of ['/channels?q=pier_one', '/channels/pier_one'])
      assert.doesNotMatch(await read(path), /– subscribers/, path)
    assert.match(await read('/channels/pier_one'), /@pier_one 1 photo 2 videos On Telegram/)
  })

  test('the live view of a channel that was never visited does not say when it was', async () => {
    const away = { kind: 'unreachable', what: 'network', detail: 'down' } as const
    const live = { ...service.app.context.live, read: () => Promise.resolve(away) }
    const page = await read('/channels/pier_one/live', { live })
    assert.match(page, /From the archive, as of/)
    assert.doesNotMatch(page, /visited/)
  })

  test('the status tells that the index is being rebuilt', async () => {
    const { overview } = service.app.context
    const rebuilding = async () => ({ ...(await overview.index()), rebuilding: true })
    const page = await read('/status', { overview: { ...overview, index: rebuilding } })
    assert.match(page, /Index being rebuilt/)
    assert.doesNotMatch(await read('/status'), /rebuilt/)
  })
})
