import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { longestHoldMs } from '../watch-loop.ts'
import { mountPages } from '../web/mount-pages.ts'
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

describe('changes of a post with a spoiler', () => {
  let service: Service
  before(async () => {
    service = await startService({ retention: { deleted: 'keep', versions: 'keep' } })
    const publishedAt = service.clock.now() - HOUR
    const spoiled = (number: number, text: string, hidden: string) =>
      makePost({
        number,
        publishedAt,
        text,
        entities: [{ type: 'spoiler', offset: text.indexOf(hidden), length: hidden.length }],
      })
    const profile = { username: 'cup_final', title: 'Cup final' }
    const plain = 'Kick-off is at 18'
    await service.publish(profile, [
      spoiled(1, 'The final was won by Anna Lind in 12 rounds', 'Anna Lind in 12 rounds'),
      spoiled(2, 'The cup went to the harbour team', 'the harbour team'),
      spoiled(3, `${plain}, and the referee is Olga Berg`, 'Olga Berg'),
    ])
    service.pass(60_000)
    await service.publish(
      profile,
      [
        spoiled(1, 'The final was won by Anna Lind in 21 rounds', 'Anna Lind in 21 rounds'),
        spoiled(3, `${plain.replace('18', '19')}, and the referee is Olga Berg`, 'Olga Berg'),
      ],
      [2],
    )
  })
  after(() => service[Symbol.asyncDispose]())
  const ask = async (number: number, query = '') => {
    const { json } = await service.get(`/v1/changes?${query}`)
    const { before, after, named } = (json.data as Change[]).find(
      ({ id }) => id === `cup_final/${number}`,
    )!
    return { before, after, named: named.map((change) => [change.before, change.after]) }
  }

  test('mask it in both wordings and in what changed under it', async () => {
    const masked = 'The final was won by ████ ████ ██ ██ ██████'
    assert.deepEqual(await ask(1), { before: masked, after: masked, named: [['██', '██']] })
    const deleted = { before: 'The cup went to ███ ███████ ████', after: null, named: [] }
    assert.deepEqual(await ask(2), deleted)
    assert.deepEqual(await ask(3), {
      before: 'Kick-off is at 18, and the referee is ████ ████',
      after: 'Kick-off is at 19, and the referee is ████ ████',
      named: [['18', '19']],
    })
  })

  test('are found by its words, which are then shown', async () => {
    assert.equal((await ask(1, 'q=Lind+won')).after, 'The final was won by ████ Lind ██ ██ ██████')
    assert.equal((await ask(2, 'q=harbour')).before, 'The cup went to ███ harbour ████')
    assert.equal((await ask(1, 'q=21')).named[0]![1], '21')
  })

  test('mask it in every format and on the page', async () => {
    const addresses = ['md', 'rss', 'jsonfeed'].map((format) => `/v1/changes?format=${format}`)
    const options = { ctx: service.ctx, isDemo: true, onFailure: assert.fail }
    const page = await mountPages(new AbortController(), options).request('/changes')
    const texts = await Promise.all(addresses.map((address) => service.get(address)))
    for (const text of [...texts.map((reply) => reply.text), await page.text()]) {
      assert.match(text, /The cup went to ███ ███████ ████/)
      assert.doesNotMatch(text, /Anna|Lind|harbour|Olga|\b(?:12|21)\b rounds|12 → 21/)
    }
  })

  test('are kept as they are in the post itself and in its evidence', async () => {
    const { json } = await service.get('/v1/channels/cup_final/posts/1')
    assert.match(json.data.text, /Anna Lind in 21/)
    assert.match(json.data.versions[0].text, /Anna Lind in 12/)
    assert.match((await service.get('/v1/channels/cup_final/posts/1/evidence')).text, /Anna Lind/)
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
