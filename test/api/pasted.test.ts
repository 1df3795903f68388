import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makePost, startService, type Service } from './harness.ts'

interface Hit {
  readonly slug: string
  readonly matched: string
  readonly missing?: readonly string[]
}

describe('text pasted into a search', () => {
  let service: Service
  before(async () => {
    service = await startService()
    const now = service.clock.now()
    const texts = [
      'The mayor has said that the city will not sell its old harbour to anyone',
      'New ferry line opens in spring, tickets from the harbour office #ferries',
      'New ferry line opens in spring, tickets from the harbour office',
      'Frost: minus 22 degrees in the north of the country',
    ]
    await service.publish(
      { username: 'harbour_news' },
      texts.map((text, i) =>
        makePost({ number: i + 1, publishedAt: now - (i + 1) * 60_000, text }),
      ),
    )
  })
  after(() => service[Symbol.asyncDispose]())

  const ask = async (q: string, more = '') =>
    (await service.get(`/v1/search?q=${encodeURIComponent(q)}${more}`)).json
  const slugs = (data: readonly Hit[]) => data.map(({ slug }) => slug)

  // The second and third differ in a tag that is not in the query, so either may come first.
  for (const [q, found, letGo] of [
    ['Mayor: "the city won’t be selling" its old harbour', ['1'], ['"the city won’t be selling"']],
    ['A new ferry line opens in spring 🔥', ['2', '3'], ['🔥']],
    ['Ferry line opens in spring, says @harbour_office', ['2', '3'], ['@harbour_office']],
    [
      'New ferry line opens in #spring https://example.com/a',
      ['2', '3'],
      ['#spring', 'https://example.com/a'],
    ],
  ] as const) {
    test(`finds the post it describes: ${q}`, async () => {
      const { data, meta, warnings } = await ask(q)
      assert.deepEqual(slugs(data).slice(0, found.length).sort(), found)
      assert.equal(data[0].matched, 'some')
      assert.equal(meta.total.value, 0)
      assert.deepEqual([meta.query.reading, meta.query.relaxed], ['text', true])
      assert.deepEqual(meta.query.let_go, letGo)
      assert.deepEqual(
        warnings.map(({ code }: { code: string }) => code),
        ['read_as_text'],
      )
      const strict = await ask(q, '&strict=true')
      assert.deepEqual([strict.data, strict.meta.query.reading], [[], 'operators'])
    })
  }

  test('finds posts with its hashtag first, then posts without it, none of them twice', async () => {
    const { data, meta } = await ask('New ferry line opens in spring, the office #ferries')
    assert.deepEqual(slugs(data).slice(0, 2), ['2', '3'])
    assert.deepEqual([data[0].matched, data[1].matched], ['all', 'some'])
    assert.deepEqual(data[1].missing, ['#ferries'])
    assert.equal(new Set(slugs(data)).size, data.length)
    assert.equal(meta.total.value, 1)
  })

  test('is cut to 512 characters, with a warning', async () => {
    const { data, meta, warnings } = await ask(
      `New ferry line opens in spring ${'and so on '.repeat(60)}`,
    )
    assert.deepEqual(slugs(data).slice(0, 2).sort(), ['2', '3'])
    assert.ok(meta.query.parsed.length <= 512)
    assert.equal(warnings[0].code, 'query_repaired')
    assert.match(
      warnings[0].detail,
      /at most 512 characters, found \d+; read as: New ferry .{160,190}…$/,
    )
    assert.ok(warnings[0].suggestion.length > 100)
  })

  test('of only a few words is read with operators: its phrase, hashtag or mention stays required', async () => {
    for (const q of ['"line ferry" opens', 'ferry #harbour', 'spring @harbour_office']) {
      const { data, meta } = await ask(q)
      assert.deepEqual([data, meta.query.reading, meta.query.let_go], [[], 'operators', []], q)
    }
  })
})
