import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { longestHoldMs } from '../watch-loop.ts'
import { yardstickMs } from '../processor-time.ts'
import { count, makePost, startService, type Service } from './harness.ts'

const HOUR = 3_600_000

interface Change {
  readonly id: string
  readonly kinds: readonly string[]
  readonly named: readonly { before: string | null; after: string | null }[]
  readonly before: string | null
  readonly after: string | null
  readonly quick: boolean
  readonly after_s: number
}

/** A channel that corrects a number, negates a sentence, and deletes a post. */
async function fill(service: Service): Promise<void> {
  const at = Math.floor(service.clock.now() / 1000) * 1000 - HOUR
  const profile = { username: 'harbour_news', title: 'Harbour news', platformId: 7 }
  const say = (number: number, text: string) =>
    makePost({ number, publishedAt: at, text, views: count(100 * number, at) })
  const link = 'https://t.me/harbour_news'
  await service.publish(profile, [
    say(1, '12 people were brought ashore <b>today</b>'),
    say(2, 'The minister will attend the opening'),
    say(3, 'Never meant to be seen'),
    say(4, `Read ${link}/1`),
  ])
  service.pass(60_000)
  await service.publish(profile, [say(1, '21 people were brought ashore <b>today</b>')])
  service.pass(60_000)
  await service.publish(profile, [say(2, 'The minister will not attend the opening')], [3])
  service.pass(60_000)
  await service.publish(profile, [say(1, '21 people were carried ashore <b>today</b>')])
}

describe('changes', () => {
  let service: Service
  before(async () => {
    service = await startService()
    await fill(service)
  })
  after(() => service[Symbol.asyncDispose]())
  const ask = async (query = '') =>
    (await service.get(`/v1/changes?${query}`)).json.data as Change[]
  const told = (changes: readonly Change[]) =>
    changes.map(({ id, kinds }) => `${id.split('/')[1]} ${kinds.join(' ')}`)

  test('are listed latest first, and each post only once when sorted by views', async () => {
    assert.deepEqual(told(await ask()), ['1 text', '3 deleted', '2 negation', '1 number'])
    assert.deepEqual(told(await ask('sort=views')), ['3 deleted', '2 negation', '1 text'])
    assert.deepEqual(told(await ask('kind=number,negation')), ['2 negation', '1 number'])
  })

  test('name what changed and give the wording before and after that change', async () => {
    const [change] = await ask('kind=number')
    assert.deepEqual(change!.named, [{ kind: 'number', before: '12', after: '21' }])
    assert.equal(change!.before, '12 people were brought ashore <b>today</b>')
    assert.equal(change!.after, '21 people were brought ashore <b>today</b>', 'not what came later')
    const [turned] = await ask('kind=negation')
    assert.equal(turned!.named[0]!.after, 'will not attend')
  })

  test('mark a quick deletion and withhold its text where deleted text is not kept', async () => {
    const [deleted] = await ask('kind=deleted')
    assert.deepEqual([deleted!.before, deleted!.after, deleted!.quick], [null, null, true])
    assert.ok(deleted!.after_s >= 3720)
    assert.deepEqual(told(await ask('deleted=only')), ['3 deleted'])
  })

  test('include the deleted text where the operator keeps it', async () => {
    await using keeping = await startService({ retention: { deleted: 'keep', versions: 'keep' } })
    await fill(keeping)
    const { json } = await keeping.get('/v1/changes?deleted=only&q=meant')
    assert.equal(json.data[0].before, 'Never meant to be seen')
  })

  test('are paged without gaps or repeats at any limit, with and without a query', async () => {
    for (const query of ['', 'sort=views', 'q=ashore', 'exclude_lang=ru']) {
      const whole = told(await ask(query))
      for (const limit of [1, 2]) {
        const walked: Change[] = []
        let cursor = ''
        do {
          const { json } = await service.get(`/v1/changes?${query}&limit=${limit}${cursor}`)
          walked.push(...json.data)
          const next = json.meta.next_cursor as string | null
          cursor = next === null ? '' : `&cursor=${next}`
        } while (cursor !== '')
        assert.deepEqual(told(walked), whole, `${query} by ${limit}`)
      }
    }
    assert.deepEqual(told(await ask('q=ashore')), ['1 text', '1 number'])
  })

  test('are rendered as Markdown, RSS and JSON Feed with one entry per change', async () => {
    const md = (await service.get('/v1/changes?format=md')).text
    assert.match(md, /## 12 → 21/)
    assert.match(md, /## Deleted 62 min after publication$/m)
    const rss = (await service.get('/v1/changes?format=rss')).text
    const guids = [...rss.matchAll(/<guid isPermaLink="false">([^<]+)</g)].map((found) => found[1])
    assert.equal(new Set(guids).size, 4)
    assert.match(rss, /<title>Harbour news: 12 → 21<\/title>/)
    assert.ok(!rss.includes('<b>today'), 'an author’s tags stay text')
    const feed = (await service.get('/v1/changes?format=jsonfeed')).json
    assert.equal(feed.title, 'Telegrep: changes')
    const html = feed.items.find((item: { title: string }) => item.title.includes('→ 21'))
    assert.match(html.content_html, /<del>12<\/del> <ins>21<\/ins> people/)
    assert.match(html.content_html, /&lt;b&gt;today/)
    assert.match(html.content_html, /^<p dir="auto">[^<]/, 'no paragraph stands in another')
  })

  test('warn about an unknown channel or language and reject an unknown kind', async () => {
    const { json } = await service.get('/v1/changes?channel=nobody_here')
    assert.deepEqual([json.data, json.warnings[0].code], [[], 'channel_not_indexed'])
    const other = await service.get('/v1/changes?lang=fi')
    assert.deepEqual(other.json.data, [])
    assert.deepEqual(
      other.json.warnings.map((w: { code: string; parameter: string }) => [w.code, w.parameter]),
      [['language_not_held', 'lang']],
    )
    assert.equal((await service.get('/v1/changes?kind=numbers')).status, 400)
  })

  test('are listed with each earlier version of a post', async () => {
    const { json } = await service.get('/v1/channels/harbour_news/posts/1')
    const versions = json.data.versions as (Change & { changed_at: string })[]
    assert.deepEqual(
      versions.map(({ kinds }) => kinds),
      [['number'], ['text']],
    )
    assert.deepEqual(versions[0]!.named[0]!.after, '21')
    assert.match((await service.get('/v1/channels/harbour_news/posts/1?format=md')).text, /12 → 21/)
  })
})

test('searching changes for a word that none contains does not block the event loop', async () => {
  await using service = await startService()
  const at = service.clock.now() - HOUR
  const long = (number: number, end: string) =>
    makePost({
      number,
      publishedAt: at,
      text: `${Array.from({ length: 400 }, (_, i) => `word${(i * number) % 997}`).join(' ')} ${end}`,
    })
  for (const end of ['12', '21']) {
    const posts = Array.from({ length: 250 }, (_, i) => long(i + 1, end))
    await service.publish({ username: 'harbour_news' }, posts)
    service.pass(60_000)
  }
  const ask = () => service.get('/v1/changes?q=nowhere&limit=100')
  const { json } = await ask()
  assert.equal(json.data.length, 0)
  assert.ok(json.meta.next_cursor !== null, 'a cursor is given where much was read')
  // Without a limit per turn it is ten times as much.
  const held = await longestHoldMs(ask)
  const bound = 60 * yardstickMs()
  assert.ok(held < bound, `held for ${held} ms, expected less than ${bound}`)
})
