import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sampleProfile, sampleReading } from '../../src/store/contract/samples.ts'
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

  for (const q of [
    'https://t.me/ferry_desk/7',
    ' t.me/s/Ferry_Desk/7',
    't.me/ferry_desk/7?single',
    'https://t.me/ferry_desk/7?comment=12',
    'https://t.me/ferry_desk/7/',
    '(https://t.me/ferry_desk/7).',
  ])
    test(`${q} says where the post itself is`, async () => {
      const detail =
        'this finds posts that link to it; /v1/channels/Ferry_Desk/posts/7 shows the post itself'
      const input = { username: 'Ferry_Desk', slug: '7' }
      const hint = { operation: 'get_post', input, does: 'shows the post itself' }
      assert.deepEqual(await warningsOf(q), [
        { code: 'query_is_name', parameter: 'q', detail, hint },
      ])
    })

  test('the id of a post says where it is', async () => {
    const detail =
      'this finds posts with these words; /v1/channels/Ferry_Desk/posts/7 shows the post itself'
    const input = { username: 'Ferry_Desk', slug: '7' }
    const hint = { operation: 'get_post', input, does: 'shows the post itself' }
    assert.deepEqual(await warningsOf('ferry_desk/7'), [
      { code: 'query_is_name', parameter: 'q', detail, hint },
    ])
  })

  for (const q of ['@ferry_desk', 'https://t.me/ferry_desk'])
    test(`${q} says how to find the channel’s own posts`, async () => {
      const detail =
        'this finds posts that mention ferry_desk, and from:Ferry_Desk its own; /v1/channels/Ferry_Desk describes the channel'
      const suggestion = 'from:Ferry_Desk'
      const input = { username: 'Ferry_Desk' }
      const hint = { operation: 'get_channel', input, does: 'describes the channel' }
      assert.deepEqual(await warningsOf(q), [
        { code: 'query_is_name', parameter: 'q', detail, hint, suggestion },
      ])
    })

  for (const q of [
    '@nobody_here',
    'https://t.me/nobody_here/7',
    'https://t.me/ferry_desk/8',
    'ferry_desk/8',
    'https://example.com/ferry_desk/7',
    '@ferry_desk aground',
  ])
    test(`${q} is no reason to warn`, async () => {
      assert.deepEqual(await warningsOf(q), [])
    })

  test('a former name says what is searched for and what the channel is called now', async () => {
    const { archive } = service.store
    const { id } = (await archive.channel('ferry_desk'))!
    const profile = sampleProfile('Harbour_Desk')
    await archive.record(sampleReading(id, { at: service.clock.now(), profile }))
    const detail =
      'this finds posts that mention ferry_desk, and from:Harbour_Desk its own; /v1/channels/Harbour_Desk describes the channel'
    const suggestion = 'from:Harbour_Desk'
    const input = { username: 'Harbour_Desk' }
    const hint = { operation: 'get_channel', input, does: 'describes the channel' }
    assert.deepEqual(await warningsOf('@ferry_desk'), [
      { code: 'query_is_name', parameter: 'q', detail, hint, suggestion },
    ])
  })
})
