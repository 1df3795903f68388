/** Calls every operation through openapi-fetch, with the types that openapi-typescript generated from the document. */
import assert from 'node:assert/strict'
import createClient from 'openapi-fetch'
import type { paths } from './schema.js'

const client = createClient<paths, 'application/json' | 'application/problem+json'>({
  baseUrl: process.argv[2]!,
})

/** A reply without a body, or with an error, ends the script with that reply. */
function got<T>(reply: { data?: T; error?: unknown }): T {
  assert.ok(reply.data !== undefined, JSON.stringify(reply.error))
  return reply.data
}

const channels = got(await client.GET('/channels', { params: { query: { limit: 5 } } }))
const username = channels.data[0]!.username
const one = { params: { path: { username } } }
assert.equal(got(await client.GET('/channels/{username}', one)).data.username, username)
assert.equal(
  got(await client.GET('/channels/{username}/live', one)).data.channel.username,
  username,
)
const list = (cursor?: string) =>
  client.GET('/channels/{username}/posts', {
    params: { path: { username }, query: { limit: 3, ...(cursor && { cursor }) } },
  })
const posts = got(await list())
assert.equal(posts.data.length, 3)
const more = got(await list(posts.meta.next_cursor!))
assert.notEqual(more.data[0]!.id, posts.data[0]!.id)
const post = { params: { path: { username, slug: posts.data[0]!.slug } } }
assert.equal(
  got(await client.GET('/channels/{username}/posts/{slug}', post)).data.slug,
  posts.data[0]!.slug,
)
got(await client.GET('/channels/{username}/posts/{slug}/spread', post))
const asJson = { params: { ...post.params, query: { format: 'json' as const } } }
assert.ok(got(await client.GET('/channels/{username}/posts/{slug}/evidence', asJson)).data)
assert.ok(Array.isArray(got(await client.GET('/changes')).data))

const query = { sort: 'newest' as const, channel: [username], since: 'last 20 days', limit: 2 }
const found = got(await client.GET('/search', { params: { query } }))
// `explain=true` returns how the query is read instead of hits.
assert.ok(Array.isArray(found.data))
assert.ok(found.data.length > 0 && found.meta.total!.value >= found.data.length)
const refused = await client.GET('/search', { params: { query: { q: 'has:elephants' } } })
assert.equal(refused.error?.status, 400)

assert.ok(
  got(await client.GET('/suggest', { params: { query: { q: username.slice(0, 3) } } })).data.length,
)
assert.ok(got(await client.GET('/languages')).data.length)
assert.ok(got(await client.GET('/meta')).data.tier)
assert.ok(got(await client.GET('/status')).data.archive.posts > 0)
console.log('typescript: every operation called')
