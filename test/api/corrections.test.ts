import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SORTS } from '../../src/model/query.ts'
import { makePost, startService, type Service } from './harness.ts'

describe('a word that no post holds', () => {
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
  })
  after(() => service[Symbol.asyncDispose]())

  const warningsOf = async (query: string) =>
    (await service.get(`/v1/search?${query}`)).json.warnings as unknown[]

  test('is told with what may have been meant', async () => {
    const told = {
      code: 'word_not_held',
      parameter: 'q',
      detail: 'no post holds `harbuor`; did you mean `harbour`? Posts that hold it are shown.',
      suggestion: '(ships) harbour, -roses',
    }
    assert.deepEqual(await warningsOf('q=(ships)%20harbuor,%20-roses'), [told])
    assert.deepEqual(await warningsOf('q=(ships)%20harbour,%20-roses'), [])
  })

  test('is searched for in its nearest spelling, which is counted and taken for no match', async () => {
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

  for (const sort of SORTS) {
    test(`is walked through page by page, by ${sort}`, async () => {
      const path = `/v1/search?q=harbuor&limit=1&sort=${sort}`
      const first = (await service.get(path)).json
      const cursor = encodeURIComponent(first.meta.next_cursor)
      const second = (await service.get(`${path}&cursor=${cursor}`)).json
      const hits = [...first.data, ...second.data] as { slug: string; matched: string }[]
      const slugs = hits.map(({ slug }) => slug)
      if (sort === 'newest') assert.deepEqual(slugs, ['1', '2'])
      if (sort === 'oldest') assert.deepEqual(slugs, ['2', '1'])
      assert.deepEqual(slugs.toSorted(), ['1', '2'])
      assert.deepEqual(new Set(hits.map(({ matched }) => matched)), new Set(['some']))
      assert.deepEqual([second.meta.total.value, second.meta.next_cursor], [0, null])
      assert.deepEqual([first.warnings.length, second.warnings.length], [1, 0])
    })
  }

  test('by time, every other word is still required', async () => {
    const { data, warnings } = (await service.get('/v1/search?q=freezes harbuor&sort=newest')).json
    assert.deepEqual(
      data.map((hit: Record<string, unknown>) => [hit['slug'], hit['missing']]),
      [['2', ['harbuor']]],
    )
    assert.match(warnings[0].detail, /Posts that hold it are shown/)
    const none = (await service.get('/v1/search?q=roses harbuor&sort=newest')).json
    assert.deepEqual([none.data, none.meta.query.relaxed], [[], false])
    assert.doesNotMatch(none.warnings[0].detail, /are shown/)
  })

  test('is looked for among alternatives and in groups, where none of them is held', async () => {
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
    const held = (await service.get('/v1/search?q=harbuor OR lighthouse')).json
    assert.deepEqual(held.warnings, [])
    assert.ok(held.data.every((hit: { matched: string }) => hit.matched === 'all'))
  })

  test('is not corrected to what the filters leave out', async () => {
    assert.equal((await warningsOf('q=harbuor&channel=harbour_news')).length, 1)
    assert.deepEqual(await warningsOf('q=harbuor&channel=garden_news'), [])
    assert.deepEqual(await warningsOf('q=harbuor%20has:photo'), [])
  })

  test('is not corrected to what was removed', async () => {
    assert.equal((await warningsOf('q=lighthuose')).length, 1)
    await service.store.removals.removeChannel('harbour_news', 'asked', service.clock.now())
    await service.index()
    assert.deepEqual(await warningsOf('q=lighthuose'), [])
  })
})
