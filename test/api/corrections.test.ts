import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makePost, startService } from './harness.ts'
import type { Service } from './harness.ts'

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
      detail: 'no post holds `harbuor`; did you mean `harbour`?',
      suggestion: '(ships) harbour, -roses',
    }
    assert.deepEqual(await warningsOf('q=(ships)%20harbuor,%20-roses'), [told])
    assert.deepEqual(await warningsOf('q=(ships)%20harbour,%20-roses'), [])
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
