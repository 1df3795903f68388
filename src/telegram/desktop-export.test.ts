import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../test/fast-check.ts'
import type { Post } from '../model/post.ts'
import { readDesktopExport, type ExportItem, type ExportOptions } from './desktop-export.ts'

async function* chunks(source: string | Uint8Array, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(source)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(
  source: string,
  size?: number,
  { channels = 'one', now = Date.UTC(2026, 8, 1) }: Partial<ExportOptions> = {},
): Promise<ExportItem[]> {
  return Array.fromAsync(readDesktopExport(chunks(source, size), { channels, now }))
}

function posts(items: readonly ExportItem[]): Post[] {
  return items.flatMap((item) => (item.kind === 'post' ? [item.post] : []))
}

function problems(items: readonly ExportItem[]): string[] {
  return items.flatMap((item) => (item.kind === 'problem' ? [`${item.where}: ${item.reason}`] : []))
}

const DATE = { date: '2024-02-01T10:30:00', date_unixtime: '1706783400' }

function chat(messages: readonly unknown[], more: object = {}): string {
  const head = { name: 'Harbour Notes', type: 'public_channel', id: 1234567890, ...more }
  return JSON.stringify({ ...head, messages }, null, 1)
}

test('a post is read with the title and id of its chat', async () => {
  const [item] = await read(chat([{ id: 7, type: 'message', ...DATE, text: 'Ahoy' }]))
  assert.ok(item?.kind === 'post')
  assert.equal(item.title, 'Harbour Notes')
  assert.equal(item.platformId, 1234567890)
  assert.equal(item.post.number, 7)
  assert.equal(item.post.publishedAt, Date.UTC(2024, 1, 1, 10, 30))
  assert.equal(item.post.text, 'Ahoy')
})

test('the id that old versions of the program wrote is read as that of the channel', async () => {
  for (const [told, platformId] of [
    [10083966286, 1494031694],
    [2 ** 33 + 1, 1],
    [2 ** 33 - 1, 2 ** 33 - 1],
    [2 ** 33 + 2 ** 32, 2 ** 33 + 2 ** 32],
  ]) {
    const messages = [{ id: 7, type: 'message', ...DATE, text: 'Ahoy', reply_to_message_id: 3 }]
    const [item] = await read(chat(messages, { id: told }))
    assert.ok(item?.kind === 'post')
    assert.equal(item.platformId, platformId)
    assert.equal(item.post.replyTo?.url, `https://t.me/c/${platformId}/3`)
  }
})

describe('a file with faults', () => {
  test('posts dated in the future are rejected', async () => {
    const now = Date.UTC(2024, 1, 1)
    const dates = [now / 1000, now / 1000 + 13 * 3_600, now / 1000 + 15 * 3_600]
    const records = dates.map((seconds, i) => ({
      id: i + 1,
      type: 'message',
      date_unixtime: String(seconds),
      text: 'x',
    }))
    const items = await read(chat(records), undefined, { now })
    assert.equal(posts(items).length, 2)
    assert.match(problems(items).join(), /expected a date until now, found 2024-02-01T15:00/)
  })

  test('control characters escaped as JSON does not allow are read', async () => {
    const source = chat([{ id: 1, type: 'message', ...DATE, text: 'TEXT' }])
    const [post] = posts(await read(source.replace('TEXT', 'a\\x0Bb \\\\x41 \\"q\\" \\x1f')))
    assert.equal(post?.text, 'a\u000bb \\x41 "q" \u001f')
  })

  test('quotes, backslashes and brackets inside a text are text', async () => {
    const texts = ['one " quote', 'a ]}{[ b', 'ends with \\', '\\"', '"messages": [{']
    const records = texts.map((words, i) => ({ id: i + 1, type: 'message', ...DATE, text: words }))
    for (const size of [1, 7, 65_536]) {
      const items = await read(chat(records), size)
      assert.deepEqual(
        posts(items).map((post) => post.text),
        texts,
      )
    }
  })

  test('invalid records are reported by number, and valid ones are kept', async () => {
    const good = { id: 5, type: 'message', ...DATE, text: 'good' }
    const source = chat([
      { id: 1, type: 'unsupported' },
      { id: 'x', type: 'message', ...DATE, text: '' },
      { id: 2, type: 'message', date: 'yesterday', text: '' },
      { id: 3, type: 'message', ...DATE, text: 'BROKEN' },
      good,
    ]).replace('"BROKEN"', '{nonsense: "}]"}')
    const items = await read(source)
    assert.deepEqual(
      posts(items).map((post) => post.number),
      [5],
    )
    const told = problems(items)
    assert.equal(told.length, 4)
    assert.match(told[0]!, /^record 1 of “Harbour Notes”: a kind of message/)
    assert.match(told[1]!, /^record 2 .* as id, found "x"$/)
    assert.match(told[2]!, /^record 3 .* a date, found "yesterday"$/)
    assert.match(told[3]!, /^record 4 .* no JSON/)
  })

  test('a record made to break the reader does not end the import', async () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000)
    const bad = { toString: 1, valueOf: 1 }
    for (const made of ['"DEEP"', '"BAD"']) {
      const value = made.slice(1, -1)
      const message = { type: 'message', ...DATE }
      const entity = (fields: object) => ({
        id: 9,
        ...message,
        text_entities: [{ text: 'a', ...fields }],
      })
      const records = [
        { id: value, ...message },
        { id: 9, type: value },
        { id: 9, type: 'message', date: value },
        { id: 9, ...message, reply_to_message_id: value },
        { id: 9, type: 'service', ...DATE, action: 'group_call', duration: value },
        { id: 9, ...message, file: 'a', duration_seconds: value },
        entity({ type: value }),
        entity({ type: 'custom_emoji', document_id: value }),
        entity({ type: 'mention_name', user_id: value }),
      ]
      for (const record of records) {
        const source = chat([record, { id: 5, ...message, text: 'good' }])
        const items = await read(
          source.replaceAll(made, () => (made === '"BAD"' ? JSON.stringify(bad) : deep)),
        )
        assert.equal(posts(items).at(-1)?.number, 5, JSON.stringify(record))
      }
    }
  })

  for (const [what, source, reason] of [
    ['nothing', '', /empty/],
    ['no JSON', 'hello', /no JSON/],
    ['HTML', '<html><body>"x": {</body>', /no JSON/],
    ['another JSON', '{"a": [1, 2, {"b": null}]}', /no messages found/],
    [
      'a broken end',
      chat([{ id: 1, type: 'message', ...DATE, text: 'x' }]).slice(0, -20),
      /middle/,
    ],
    ['brackets that do not match', '{"messages": [}', /brackets/],
    ['endless nesting', '['.repeat(100_000), /nested/],
  ] as const) {
    test(`a file with ${what} is reported`, async () => {
      const told = problems(await read(source))
      assert.equal(told.length, 1)
      assert.match(told[0]!, reason)
    })
  }

  test('an oversized record is reported and skipped', async () => {
    const messages = [
      { id: 1, type: 'message', ...DATE, text: 'x'.repeat(5 * 1024 * 1024) },
      { id: 2, type: 'message', ...DATE, text: 'after' },
    ]
    const items = await read(chat(messages))
    assert.deepEqual(
      posts(items).map((post) => post.text),
      ['after'],
    )
    assert.match(problems(items)[0]!, /larger than is read/)
  })
})

describe('an export of a whole account', () => {
  const message = (id: number) => ({ id, type: 'message', ...DATE, text: `post ${id}` })
  const account = JSON.stringify({
    about: 'x',
    personal_information: { user_id: 1, messages_count: 3, name: 'not a chat' },
    contacts: { list: [{ first_name: 'Ada' }] },
    chats: {
      about: 'y',
      list: [
        { name: 'Ada', type: 'personal_chat', id: 9, messages: [message(1)] },
        { name: 'One', type: 'public_channel', id: 10, messages: [message(2), message(3)] },
        { name: 'Deck', type: 'private_supergroup', id: 11, messages: [message(4)] },
        { name: 'Two', type: 'private_channel', id: 12, messages: [message(5)] },
      ],
    },
    left_chats: { list: [{ type: 'public_channel', id: 13, messages: [] }] },
  })

  test('the first channel is read, further ones are reported, other chats are counted', async () => {
    const items = await read(account)
    assert.deepEqual(
      posts(items).map((post) => post.number),
      [2, 3],
    )
    assert.deepEqual(problems(items), [
      '“Two”: a second channel; the posts read are those of “One”',
      'the chat: a second channel; the posts read are those of “One”',
      'the file: skipped 2 chats that are no channels: personal_chat, private_supergroup',
    ])
  })

  test('all channels are read if asked for', async () => {
    const items = await read(account, 1000, { channels: 'all' })
    assert.deepEqual(
      items.flatMap((item) => (item.kind === 'post' ? [[item.platformId, item.post.number]] : [])),
      [
        [10, 2],
        [10, 3],
        [12, 5],
      ],
    )
  })
})

test('the result does not depend on how the bytes are split into chunks', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { maxLength: 6 }),
      fc.integer({ min: 1, max: 40 }),
      async (texts, size) => {
        const source = chat(
          texts.map((words, i) => ({ id: i + 1, type: 'message', ...DATE, text: words })),
        )
        const items = await read(source, size)
        assert.deepEqual(
          posts(items).map((post) => post.text),
          texts.map((words) => words.toWellFormed()),
        )
      },
    ),
    { numRuns: 100 },
  )
})

test('no input makes the reader throw', async () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    ',',
    ':',
    '"messages"',
    '"id"',
    '1',
    'x',
    '\n',
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(pieces, { maxLength: 40 }),
      fc.integer({ min: 1, max: 9 }),
      async (all, size) => {
        await read(all.join(''), size)
      },
    ),
    { numRuns: 1000 },
  )
})
