import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_TEXT } from './read-history.ts'
import { readPost } from './read-post.ts'

const now = Date.UTC(2026, 10, 1)
const short = { channel: 'durov', id: 3, date: '2026-10-01T12:00:00Z', text: 'hello' }
const read = (value: unknown) => readPost(JSON.stringify(value), now)
const reason = (value: unknown) => {
  const result = read(value)
  return result.kind === 'problem' ? result.reason : 'accepted'
}

test('the short form of a post is accepted', () => {
  const result = read({ ...short, title: 'Pavel', views: 1200 })
  assert.ok(result.kind === 'post')
  assert.equal(result.channel, 'durov')
  assert.equal(result.title, 'Pavel')
  assert.equal(result.post.number, 3)
  assert.equal(result.post.publishedAt, Date.UTC(2026, 9, 1, 12))
  assert.deepEqual(result.post.views, {
    value: 1200,
    approx: false,
    raw: '1200',
    asOf: result.post.publishedAt,
  })
})

test('the number is taken from the id of a post resource', () => {
  const result = read({ ...short, id: 'durov/342', channel: { username: 'durov', title: 'P' } })
  assert.ok(result.kind === 'post')
  assert.equal(result.post.number, 342)
})

test('each problem of a line is named', () => {
  assert.match(readPost('{"channel": ', now).kind === 'problem' ? 'problem' : '', /problem/)
  assert.match(reason({ ...short, channel: 'a b' }), /^channel: expected a username/)
  assert.equal(
    reason({ ...short, id: 0 }),
    'id: expected a post number from 1 to 67108863, found 0',
  )
  assert.equal(reason({ ...short, id: [3] }), 'id: expected a post number, found a list')
  assert.equal(
    reason({ ...short, id: undefined }),
    'id: expected a post number from 1 to 67108863, found nothing',
  )
  assert.equal(
    reason({ ...short, date: undefined }),
    'date: expected an RFC 3339 time, found nothing',
  )
  assert.equal(reason({ ...short, date: 5 }), 'date: expected an RFC 3339 time, found 5')
  assert.match(reason({ ...short, date: 'yesterday' }), /^date: expected an RFC 3339/)
  assert.match(reason({ ...short, date: '2031-01-01T00:00:00Z' }), /^date: expected a time from/)
  assert.equal(reason({ ...short, text: undefined }), 'text: expected a string, found nothing')
  assert.equal(reason({ ...short, text: null }), 'text: expected a string, found null')
  assert.match(reason({ ...short, text: 'x'.repeat(MAX_TEXT + 1) }), /^text: expected at most/)
  assert.match(reason({ ...short, views: 2 ** 53 - 1 }), /^views/)
  assert.equal(
    reason({ ...short, views: '1.2K' }),
    'views: expected a whole number or a count, found "1.2K"',
  )
  const notes = { name: 'A', type: 'notes', a: 1, b: 2, c: 3, d: 4, e: 5 }
  assert.equal(
    reason(notes),
    'channel: expected a username, found nothing beside name, type, a, b, c, d, …',
  )
  assert.equal(reason({}), 'channel: expected a username, found nothing')
  assert.equal(reason([1]), 'line: expected an object, found a list')
  const brief = { ...short, text: undefined, snippet: 'hello', media: { kinds: [], count: 0 } }
  assert.match(reason(brief), /^text: .*a brief reply has snippets only, ask with detail=full$/)
})

test('texts and lists longer than the limits of a page are rejected by field', () => {
  const long = 'x'.repeat(MAX_TEXT + 1)
  const many = Array.from({ length: 1000 }, () => ({ text: 'x' }))
  for (const [field, value] of Object.entries({
    title: long,
    author: long,
    poll: { question: 'x', options: many },
    reply_to: { url: 'https://t.me/durov/2', text: long },
    link_preview: { url: 'https://example.com/', description: long },
    media: [{ kind: 'document', file_name: long }],
    buttons: [many],
    reactions: many.map(() => ({ emoji: 'x', count: 1 })),
    album_ids: many.map((_, i) => i + 1),
  })) {
    assert.match(reason({ ...short, [field]: value }), new RegExp(`^${field}.*: Too big`), field)
  }
  assert.match(reason({ ...short, channel: { username: 'durov', title: long } }), /^channel/)
})

test('only numbers that can belong to the post’s album are kept', () => {
  const albumOf = (...album_ids: (number | string)[]) => {
    const result = read({ ...short, id: 30, album_ids })
    assert.ok(result.kind === 'post')
    return result.post.albumNumbers
  }
  assert.deepEqual(albumOf('30', '31', 32, 39), [30, 31, 32, 39])
  assert.deepEqual(albumOf(32, 31, 31), [30, 31, 32])
  assert.deepEqual(albumOf(1, 29, 31, 40, 5000), [30, 31])
  assert.deepEqual(albumOf(1, 2), [])
  assert.deepEqual(albumOf(30), [])
})

test('addresses with unsafe schemes are left out', () => {
  const result = read({
    ...short,
    entities: [{ type: 'text_link', offset: 0, length: 5, url: 'javascript:alert(1)' }],
    media: [{ kind: 'photo', url: 'data:text/html,x' }],
  })
  assert.ok(result.kind === 'post')
  assert.deepEqual(result.post.entities, [])
  assert.equal(result.post.media[0]?.url, null)
})

test('hidden characters in addresses are escaped, as in those parsed from a page', () => {
  const given = 'https://example.com/a\u202eb'
  const safe = 'https://example.com/a%E2%80%AEb'
  const result = read({
    ...short,
    text: `see ${given}`,
    media: [{ kind: 'photo', url: given }],
    link_preview: { url: given },
    reply_to: { url: given },
    buttons: [[{ text: 'here', url: given }]],
  })
  assert.ok(result.kind === 'post')
  const { entities, media, linkPreview, replyTo, buttons } = result.post
  assert.deepEqual(
    [entities[0]?.url, media[0]?.url, linkPreview?.url, replyTo?.url, buttons[0]?.[0]?.url],
    [safe, safe, safe, safe, safe],
  )
})

test('a date without a time zone is UTC, and an impossible date is rejected', () => {
  const result = read({ ...short, date: '2026-03-02T12:00:00' })
  assert.ok(result.kind === 'post')
  assert.equal(result.post.publishedAt, Date.UTC(2026, 2, 2, 12))
  assert.match(reason({ ...short, date: '2026-02-30T12:00:00Z' }), /^date: expected an RFC 3339/)
})
