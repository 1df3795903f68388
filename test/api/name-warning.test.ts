import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makePost, startService, type Service } from './harness.ts'

describe('a query that is nothing but a name or a link', () => {
  let service: Service
  before(async () => {
    service = await startService()
    const publishedAt = service.clock.now() - 60_000
    await service.publish({ username: 'Ferry_Desk' }, [
      makePost({ number: 7, publishedAt, text: 'The ferry ran aground' }),
    ])
  })
  after(() => service[Symbol.asyncDispose]())

  const warningsOf = async (q: string) =>
    (await service.get(`/v1/search?q=${encodeURIComponent(q)}`)).json.warnings as unknown[]

  for (const q of ['https://t.me/ferry_desk/7', ' t.me/s/Ferry_Desk/7', 't.me/ferry_desk/7?single'])
    test(`${q} says where the post itself is`, async () => {
      const detail =
        'this finds posts that link to it; the post itself is at /v1/channels/Ferry_Desk/posts/7'
      assert.deepEqual(await warningsOf(q), [{ code: 'query_is_name', parameter: 'q', detail }])
    })

  for (const q of ['@ferry_desk', 'https://t.me/ferry_desk'])
    test(`${q} says how to find the channel’s own posts`, async () => {
      const detail =
        'this finds posts that mention Ferry_Desk; from:Ferry_Desk finds its own, and the channel is at /v1/channels/Ferry_Desk'
      const suggestion = 'from:Ferry_Desk'
      assert.deepEqual(await warningsOf(q), [
        { code: 'query_is_name', parameter: 'q', detail, suggestion },
      ])
    })

  test('a name that is not indexed, or that stands beside words, is no reason to warn', async () => {
    for (const q of ['@nobody_here', 'https://t.me/nobody_here/7', '@ferry_desk aground'])
      assert.deepEqual(await warningsOf(q), [], q)
  })
})
