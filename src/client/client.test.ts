import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from './client.ts'

test('a client rejects a missing or empty path parameter without sending a request', async () => {
  const asked: string[] = []
  const client = createClient({
    url: 'http://127.0.0.1:1',
    fetch: async (address) => {
      asked.push(String(address))
      return Response.json({ data: {}, meta: {}, warnings: [] })
    },
  })
  const missing = { username: 'durov' } as { username: string; slug: string }
  await assert.rejects(
    client.get_post(missing),
    new TypeError(
      'expected `slug`, which /channels/{username}/posts/{slug} needs; found undefined',
    ),
  )
  await assert.rejects(client.get_channel({ username: '' }), /expected `username`.*found ""/)
  await assert.rejects(client.text('get_live_channel', { username: null }), /found null/)
  // An address with these names something else: all channels, or all posts of one.
  await assert.rejects(client.get_channel({ username: '.' }), /expected `username`.*found "\."/)
  await assert.rejects(client.get_post({ username: 'durov', slug: '..' }), /found "\.\."/)
  assert.deepEqual(asked, [])
  await client.get_post({ username: 'durov', slug: '342' })
  assert.deepEqual(asked, ['http://127.0.0.1:1/v1/channels/durov/posts/342'])
})
