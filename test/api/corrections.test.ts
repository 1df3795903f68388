import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SORTS } from '../../src/model/query.ts'
import { makePost, startService, type Service } from './harness.ts'

describe('a query word that no post contains', () => {
  let service: Service
  before(async () => {
    service = await startService()
    const now = service.clock.now()
    const posts = (...texts: string[]) =>
      texts.map((text, i) => makePost({ number: i + 1, publishedAt: now - (i + 1) * 60_000, text }))
    await service.publish(
      { username: 'harbour_news' },
      posts('Ships in the harbour', 'The harbour freezes', 'A lighthouse', 'The lighthouse again'),
    )
    await service.publish({ username: 'garden_news' }, posts('Roses', 'More roses'))
    await service.publish(
      { username: 'other_letters' },
      posts('ירושלים הבירה', 'ירושלים שלנו', 'טראמפ נאם', 'טראמפ שוב', 'Ο πόλεμος', 'Πόλεμος εδώ'),
    )
  })
  after(() => service[Symbol.asyncDispose]())

  const warningsOf = async (query: string) =>
    (await service.get(`/v1/search?${query}`)).json.warnings as unknown[]

  /** All pages, one after the other. */
  const walk = async (path: string) => {
    const pages = [(await service.get(path)).json]
    while (pages.at(-1)!.meta.next_cursor !== null) {
      assert.ok(pages.length < 10)
      const cursor = encodeURIComponent(pages.at(-1)!.meta.next_cursor)
      pages.push((await service.get(`${path}&cursor=${cursor}`)).json)
    }
    interface Hit {
      readonly slug: string
      readonly matched: string
      readonly missing: readonly string[]
    }
    return { pages, hits: pages.flatMap(({ data }) => data as Hit[]) }
  }

  test('is reported in a warning with a suggested spelling', async () => {
    const told = {
      code: 'word_not_held',
      parameter: 'q',
      detail: 'no post contains `harbuor`; did you mean `harbour`? Posts with that word are shown.',
      suggestion: '(ships) harbour, -roses',
    }
    assert.deepEqual(await warningsOf('q=(ships)%20harbuor,%20-roses'), [told])
    assert.deepEqual(await warningsOf('q=(ships)%20harbour,%20-roses'), [])
    const [several] = (await warningsOf('q=lighthuose harbuor')) as { readonly detail: string }[]
    assert.match(several!.detail, /\? Posts with those words are shown\.$/)
  })

  for (const [q, nearest] of [
    ['ירושליים', 'ירושלים'],
    ['טראאמפ', 'טראמפ'],
    ['πόλεμς', 'πολεμος'],
  ] as const) {
    test(`${q} is corrected to ${nearest}, with the last letter as posts spell it`, async () => {
      const [told] = (await warningsOf(`q=${encodeURIComponent(q)}`)) as {
        readonly detail: string
        readonly suggestion: string
      }[]
      assert.equal(told?.suggestion, nearest)
      assert.ok(told.detail.includes(`did you mean \`${nearest}\`?`), told.detail)
    })
  }

  test('is searched for in its nearest spelling; such hits are `some` matches and not counted in the total', async () => {
    const { data, meta } = (await service.get('/v1/search?q=freezes harbuor')).json
    const shown = data.map((hit: Record<string, unknown>) => [
      hit['slug'],
      hit['matched'],
      hit['missing'],
    ])
    assert.deepEqual(shown, [
      ['2', 'some', ['harbuor']],
      ['1', 'some', ['harbuor', 'freezes']],
    ])
    assert.deepEqual([meta.total.value, meta.query.relaxed], [0, true])
    assert.deepEqual(data[0].highlights.length, 2)
    for (const more of ['strict=true', 'match=exact']) {
      const { json } = await service.get(`/v1/search?q=freezes harbuor&${more}`)
      assert.deepEqual(json.data, [], more)
    }
  })

  test('is corrected when sorted by time, while every other word is still required', async () => {
    const { data, warnings } = (await service.get('/v1/search?q=freezes harbuor&sort=newest')).json
    assert.deepEqual(
      data.map((hit: Record<string, unknown>) => [hit['slug'], hit['missing']]),
      [['2', ['harbuor']]],
    )
    assert.match(warnings[0].detail, /Posts with that word are shown/)
    const none = (await service.get('/v1/search?q=roses harbuor&sort=newest')).json
    assert.deepEqual([none.data, none.meta.query.relaxed], [[], false])
    assert.doesNotMatch(none.warnings[0].detail, /are shown/)
  })

  test('is corrected inside alternatives and groups when none of them matches as typed', async () => {
    for (const [q, slugs, suggestion] of [
      ['harbuor OR lighthuose', ['1', '2', '3', '4'], 'harbour OR lighthouse'],
      ['(harbuor freezes) OR xylophone', ['2'], '(harbour freezes) OR xylophone'],
      ['ships (harbuor OR lighthuose)', ['1'], 'ships (harbour OR lighthouse)'],
    ] as const) {
      const { data, warnings } = (await service.get(`/v1/search?q=${encodeURIComponent(q)}`)).json
      const first = data.slice(0, slugs.length).map((hit: { slug: string }) => hit.slug)
      assert.deepEqual(first.toSorted(), slugs, q)
      assert.deepEqual(
        warnings.map((w: { code: string; suggestion: string }) => [w.code, w.suggestion]),
        [['word_not_held', suggestion]],
      )
    }
  })

  for (const sort of SORTS) {
    test(`is corrected after the hits of another alternative, sorted by ${sort}`, async () => {
      for (const limit of [1, 2, 3, 20]) {
        const path = `/v1/search?q=harbuor OR lighthouse&facets=day&sort=${sort}&limit=${limit}`
        const { hits, pages } = await walk(path)
        assert.deepEqual(
          hits.map(({ matched }) => matched),
          ['all', 'all', 'some', 'some'],
        )
        const slugs = hits.map(({ slug }) => slug)
        assert.deepEqual(slugs.slice(0, 2).toSorted(), ['3', '4'])
        assert.deepEqual(slugs.slice(2).toSorted(), ['1', '2'])
        assert.deepEqual(hits[2]!.missing, ['harbuor'])
        assert.deepEqual(pages.length, Math.ceil(4 / limit))
        for (const { meta } of pages) {
          assert.deepEqual(meta.total, { value: 2, relation: 'eq' })
          assert.deepEqual(meta.facets, pages[0]!.meta.facets)
        }
        assert.equal(pages[0]!.meta.facets.day[0].count, 2)
        assert.equal(pages[0]!.warnings[0].suggestion, 'harbour OR lighthouse')
        const follows = limit > 2 ? /are shown/ : /follow those found as typed/
        assert.match(pages[0]!.warnings[0].detail, follows)
      }
    })
  }

  test('is not reported when its correction would add no hits', async () => {
    const both = (await service.get('/v1/search?q=harbuor OR harbour')).json
    assert.deepEqual([both.data.length, both.warnings], [2, []])
    const apart = '/v1/search?q=(harbuor roses) OR lighthouse&sort=newest'
    const { hits, pages } = await walk(apart)
    assert.deepEqual(
      hits.map(({ slug }) => slug),
      ['3', '4'],
    )
    assert.deepEqual(pages[0]!.warnings, [])
    const strictly = (await service.get('/v1/search?q=harbuor OR lighthouse&strict=true')).json
    assert.deepEqual([strictly.data.length, strictly.meta.query.relaxed], [2, false])
    const since = '/v1/search?q=(harbuor OR lighthouse) after:2026-01-01 -ships'
    assert.deepEqual((await walk(since)).hits.map(({ slug }) => slug).toSorted(), ['2', '3', '4'])
  })

  test('is not corrected to a word that the filters exclude', async () => {
    assert.equal((await warningsOf('q=harbuor&channel=harbour_news')).length, 1)
    assert.deepEqual(await warningsOf('q=harbuor&channel=garden_news'), [])
    assert.deepEqual(await warningsOf('q=harbuor%20has:photo'), [])
  })

  test('is not corrected to a word of a removed channel', async () => {
    assert.equal((await warningsOf('q=lighthuose')).length, 1)
    await service.store.removals.removeChannel('harbour_news', 'asked', service.clock.now())
    await service.index()
    assert.deepEqual(await warningsOf('q=lighthuose'), [])
  })
})
