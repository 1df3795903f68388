import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makePost, startService } from './harness.ts'
import type { Service } from './harness.ts'

/** Hits tell what they were found by. */
describe('hits', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service[Symbol.asyncDispose]())

  const search = async (query: string) => (await service.get(`/v1/search?${query}`)).json

  test('a hit shows the links, tags and names it was found by, marked by the platform or not', async () => {
    const text = 'Unmarked: #zugzwang by @lichess_org at https://lichess.org/study'
    await service.publish({ username: 'unmarked_here' }, [
      makePost({ number: 1, publishedAt: service.clock.now() - 1000, text }),
    ])
    for (const filter of [
      'hashtag=zugzwang',
      'mention=lichess_org',
      'domain=lichess.org',
      'url=https://lichess.org/study',
    ]) {
      const [hit] = (await search(filter)).data
      assert.deepEqual(
        [hit?.hashtags, hit?.mentions, hit?.links],
        [['zugzwang'], ['lichess_org'], ['https://lichess.org/study']],
        filter,
      )
    }
  })
})
