import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readPost } from '../../src/operations/views/read-post.ts'
import { makePost, startService, type Service } from './harness.ts'

describe('a post that Telegram shows only in its app', () => {
  let service: Service
  before(async () => {
    service = await startService()
    const publishedAt = service.clock.now() - 60_000
    const hidden = { publishedAt, orphan: true }
    await service.publish({ username: 'quay_notes' }, [
      makePost({ number: 1, publishedAt, text: 'An ordinary capstan' }),
      makePost({ number: 2, ...hidden, text: '' }),
      makePost({ number: 3, ...hidden, text: `Capstan ${'wave '.repeat(198)}…` }),
      makePost({ number: 4, ...hidden, text: 'A short capstan' }),
    ])
  })
  after(() => service[Symbol.asyncDispose]())

  const WHY = { 1: undefined, 2: 'not_shown', 3: 'text_cut', 4: 'text_only' }

  test('says what is missing in search results, lists and its own page', async () => {
    const found = await service.get('/v1/search?q=capstan')
    assert.equal(found.json.data.length, 3)
    const listed = await service.get('/v1/channels/quay_notes/posts')
    assert.equal(listed.json.data.length, 4)
    for (const { slug, incomplete } of [...found.json.data, ...listed.json.data]) {
      assert.equal(incomplete, WHY[slug as keyof typeof WHY], slug)
    }
    const post = await service.get('/v1/channels/quay_notes/posts/2')
    assert.equal(post.json.data.incomplete, 'not_shown')
  })

  test('has a sentence in place of its missing text', async () => {
    const { text } = await service.get('/v1/channels/quay_notes/posts/2?format=md')
    assert.match(text, /shows this post in its app only: its text could not be read/)
  })

  test('is still marked as such when it is exported and imported again', async () => {
    const { json } = await service.get('/v1/channels/quay_notes/posts/4')
    const read = readPost(JSON.stringify(json.data), service.clock.now())
    assert.equal(read.kind === 'post' && read.post.orphan, true)
  })
})
