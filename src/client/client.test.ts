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

test('a reply is typed by the detail that was asked for', async () => {
  const client = createClient({
    url: 'http://127.0.0.1:1',
    fetch: async () => Response.json({ data: [], meta: { next_cursor: null }, warnings: [] }),
  })
  const found = await client.search_posts({ q: 'flood', limit: 5 })
  const snippets: string[] = found.data.map((hit) => hit.snippet)
  const newest = await client.search_posts()
  snippets.push(...newest.data.map((hit) => hit.snippet))
  const full = await client.search_posts({ q: 'flood', detail: 'full' })
  const texts: string[] = full.data.map((hit) => hit.text)
  const ids = await client.list_channel_posts({ username: 'durov', detail: 'ids' })
  const addresses: string[] = ids.data.map((post) => post.url)
  for await (const page of client.pages('list_channel_posts', { username: 'durov' })) {
    snippets.push(...page.data.map((post) => post.snippet))
  }
  for await (const page of client.pages('search_posts', { q: 'flood', detail: 'full' })) {
    texts.push(...page.data.map((hit) => hit.text))
  }
  assert.deepEqual([snippets, texts, addresses], [[], [], []])

  const explained: { readonly data: { readonly cost: unknown } } = await client.search_posts({
    q: 'flood',
    explain: true,
  })
  assert.deepEqual(explained.data, [])
  // @ts-expect-error a brief hit has no text
  assert.deepEqual(found.data[0]?.text, undefined)
  // @ts-expect-error there is no such parameter
  await client.search_posts({ q: 'flood', limt: 5 })
})

test('a reply is typed by the default, too, where a parameter may be undefined', async () => {
  const fetch = async () => Response.json({ data: [], meta: { next_cursor: null }, warnings: [] })
  const client = createClient({ url: 'http://127.0.0.1:1', fetch })
  const isFull: boolean = JSON.parse('false')
  const optional: { readonly q: string; readonly detail?: 'full' } = { q: 'flood' }

  const chosen = await client.search_posts({ q: 'flood', detail: isFull ? 'full' : undefined })
  // @ts-expect-error a brief hit has no text
  const ofChosen = chosen.data.map((hit) => hit.text)
  const perhaps = await client.search_posts(optional)
  // @ts-expect-error a brief hit has no text
  const ofPerhaps = perhaps.data.map((hit) => hit.text)
  const spread = await client.search_posts({
    q: 'flood',
    ...(isFull ? { detail: 'full' as const } : {}),
  })
  // @ts-expect-error a brief hit has no text
  const ofSpread = spread.data.map((hit) => hit.text)
  const explained = await client.search_posts({ q: 'flood', explain: isFull || undefined })
  // @ts-expect-error a list of hits has no cost
  const cost = explained.data.cost
  const brief = await client.search_posts({ q: 'flood', detail: undefined, explain: undefined })
  const snippets: string[] = brief.data.map((hit) => hit.snippet)
  assert.deepEqual([ofChosen, ofPerhaps, ofSpread, cost, snippets], [[], [], [], undefined, []])

  for await (const page of client.pages('list_channel_posts', { ...optional, username: 'durov' })) {
    // @ts-expect-error a brief post has no text
    assert.deepEqual(page.data[0]?.text, undefined)
  }
})
