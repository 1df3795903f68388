import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Post } from '../model/post.ts'
import { readDesktopExport } from './desktop-export.ts'
import type { ExportItem, ExportOptions } from './desktop-export.ts'

async function* chunks(source: string | Uint8Array, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(source)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(source: string, size?: number, options?: ExportOptions): Promise<ExportItem[]> {
  return Array.fromAsync(readDesktopExport(chunks(source, size), options))
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

async function one(message: object): Promise<Post> {
  const items = await read(chat([{ id: 7, type: 'message', ...DATE, ...message }]))
  assert.deepEqual(problems(items), [])
  return posts(items)[0]!
}

describe('one chat', () => {
  test('a post comes with its chat', async () => {
    const [item] = await read(chat([{ id: 7, type: 'message', ...DATE, text: 'Ahoy' }]))
    assert.ok(item?.kind === 'post')
    assert.equal(item.title, 'Harbour Notes')
    assert.equal(item.platformId, 1234567890)
    assert.equal(item.post.number, 7)
    assert.equal(item.post.publishedAt, Date.UTC(2024, 1, 1, 10, 30))
    assert.equal(item.post.text, 'Ahoy')
  })

  test('old files have neither seconds nor a list of entities', async () => {
    const post = await one({
      date_unixtime: undefined,
      text: ['see ', { type: 'bold', text: 'this' }, '\n', { type: 'link', text: 'example.org' }],
    })
    assert.equal(post.publishedAt, Date.UTC(2024, 1, 1, 10, 30))
    assert.equal(post.text, 'see this\nexample.org')
    assert.deepEqual(post.entities, [
      { type: 'bold', offset: 4, length: 4 },
      { type: 'link', url: 'http://example.org', offset: 9, length: 11 },
    ])
  })

  test('every kind of entity', async () => {
    const parts = [
      { type: 'plain', text: 'a' },
      { type: 'italic', text: 'b' },
      { type: 'underline', text: 'c' },
      { type: 'strikethrough', text: 'd' },
      { type: 'spoiler', text: 'e' },
      { type: 'code', text: 'f' },
      { type: 'pre', text: 'g', language: 'js' },
      { type: 'text_link', text: 'h', href: 'https://example.org/' },
      { type: 'text_link', text: 'i', href: 'javascript:alert(1)' },
      { type: 'mention', text: '@name' },
      { type: 'mention_name', text: 'j', user_id: 5 },
      { type: 'hashtag', text: '#k' },
      { type: 'cashtag', text: '$LMN' },
      { type: 'email', text: 'a@b.example' },
      { type: 'phone', text: '+1' },
      { type: 'custom_emoji', text: '🚢', document_id: '5345799227572257356' },
      { type: 'blockquote', text: 'q', collapsed: true },
      { type: 'unknown', text: 'z' },
    ]
    const post = await one({ text: 'not this', text_entities: parts })
    assert.equal(post.text, 'abcdefghi@namej#k$LMNa@b.example+1🚢qz')
    assert.deepEqual(
      JSON.parse(
        JSON.stringify(post.entities, (key, value: unknown) =>
          key === 'offset' || key === 'length' ? undefined : value,
        ),
      ),
      [
        { type: 'italic' },
        { type: 'underline' },
        { type: 'strike' },
        { type: 'spoiler' },
        { type: 'code' },
        { type: 'pre', language: 'js' },
        { type: 'text_link', url: 'https://example.org/' },
        { type: 'mention', url: 'https://t.me/name' },
        { type: 'text_link', url: 'tg://user?id=5' },
        { type: 'hashtag' },
        { type: 'cashtag' },
        { type: 'link', url: 'mailto:a@b.example' },
        { type: 'custom_emoji', customId: '5345799227572257356' },
        { type: 'quote', collapsed: true },
      ],
    )
  })

  test('who wrote, forwarded, answered, reacted', async () => {
    const post = await one({
      text: 'x',
      edited: '2024-02-02T00:00:00',
      author: 'Ada Pilot',
      via_bot: '@tidebot',
      forwarded_from: null,
      reply_to_message_id: 3,
      inline_bot_buttons: [
        [
          { type: 'url', text: 'Chart', data: 'https://example.org/c' },
          { type: 'callback', text: 'Vote', data: 'v' },
        ],
      ],
      reactions: [
        { type: 'emoji', count: 12, emoji: '👍', recent: [] },
        { type: 'custom_emoji', count: 3, document_id: '5265077361648368841' },
        { type: 'paid', count: 2 },
        { type: 'empty', count: 1 },
      ],
    })
    assert.equal(post.edited, true)
    assert.equal(post.author, 'Ada Pilot')
    assert.equal(post.viaBot, 'tidebot')
    assert.equal(post.forwardedFrom?.name, 'Deleted Account')
    assert.equal(post.replyTo?.url, 'https://t.me/c/1234567890/3')
    assert.deepEqual(post.buttons, [
      [
        { text: 'Chart', url: 'https://example.org/c' },
        { text: 'Vote', url: null },
      ],
    ])
    assert.deepEqual(
      post.reactions.map(({ emoji, customId, paid, count }) => [
        emoji,
        customId,
        paid,
        count.value,
      ]),
      [
        ['👍', null, false, 12],
        [null, '5265077361648368841', false, 3],
        [null, null, true, 2],
      ],
    )
  })

  const media: [object, object][] = [
    [
      {
        photo: '(File not included. Change data exporting settings to download.)',
        photo_file_size: 2048,
        width: 800,
        height: 600,
      },
      { kind: 'photo', width: 800, height: 600, fileName: null },
    ],
    [
      { file: 'files/tide table.pdf', file_size: 10, mime_type: 'application/pdf' },
      { kind: 'document', fileName: 'tide table.pdf', mime: 'application/pdf' },
    ],
    [
      {
        file: 'x/a.mp3',
        media_type: 'audio_file',
        title: 'Foghorn',
        performer: 'Trio',
        duration_seconds: 61,
      },
      { kind: 'audio', title: 'Foghorn', detail: 'Trio', durationS: 61 },
    ],
    [
      {
        file: '(File exceeds maximum size. Change data exporting settings to download.)',
        media_type: 'video_file',
        file_name: 'v.mp4',
        width: 1920,
        height: 1080,
      },
      { kind: 'video', fileName: 'v.mp4', round: false, height: 1080 },
    ],
    [
      { file: 'r.mp4', media_type: 'video_message' },
      { kind: 'video', round: true },
    ],
    [{ file: 'g.mp4', media_type: 'animation' }, { kind: 'gif' }],
    [{ file: 'v.ogg', media_type: 'voice_message' }, { kind: 'voice' }],
    [
      { file: 's.webp', media_type: 'sticker', sticker_emoji: '⚓️' },
      { kind: 'sticker', title: '⚓️' },
    ],
    [
      {
        location_information: { latitude: 1.5, longitude: -2.25 },
        place_name: 'Pier',
        address: 'Quay',
      },
      { kind: 'location', latitude: 1.5, longitude: -2.25, title: 'Pier', detail: 'Quay' },
    ],
    [
      { contact_information: { first_name: 'Ada', last_name: 'Pilot', phone_number: '+1' } },
      { kind: 'contact', title: 'Ada Pilot', detail: '+1' },
    ],
    [
      { game_title: 'Knots', game_description: 'Tie' },
      { kind: 'game', title: 'Knots', detail: 'Tie' },
    ],
    [
      { invoice_information: '{"title":"Map","description":"Paper"}' },
      { kind: 'invoice', title: 'Map' },
    ],
    [{ giveaway_information: {} }, { kind: 'unsupported' }],
  ]
  for (const [record, expected] of media) {
    test(`media: ${Object.keys(record).join(', ')}`, async () => {
      const post = await one({ text: '', ...record })
      assert.equal(post.media.length, 1)
      assert.partialDeepStrictEqual(post.media[0], expected)
      assert.equal(post.orphan, false)
    })
  }

  test('polls count in numbers and show shares', async () => {
    const post = await one({
      text: '',
      poll: {
        question: 'Rain?',
        closed: false,
        total_voters: 3,
        answers: [
          { text: ['Y', { type: 'bold', text: 'es' }], voters: 2, chosen: false },
          { text: 'No', voters: 1, chosen: true },
        ],
      },
    })
    assert.deepEqual(post.poll?.options, [
      { text: 'Yes', percent: 67 },
      { text: 'No', percent: 33 },
    ])
    assert.equal(post.poll?.voters?.value, 3)
  })

  test('service messages speak like the web preview', async () => {
    const records = [
      { action: 'create_channel', title: 'Harbour Notes' },
      { action: 'edit_group_title', title: 'Harbour' },
      { action: 'pin_message', message_id: 1, actor: 'Harbour' },
      { action: 'group_call', duration: 720 },
      { action: 'boost_apply' },
    ].map((record, i) => ({ id: i + 1, type: 'service', ...DATE, text: '', ...record }))
    const read_ = posts(await read(chat(records)))
    assert.ok(read_.every((post) => post.kind === 'service' && !post.orphan))
    assert.deepEqual(
      read_.map((post) => post.text),
      [
        'Channel created',
        'Channel name was changed to «Harbour»',
        'Harbour pinned a message',
        'Live stream finished (12 minutes)',
        'boost apply',
      ],
    )
  })
})

describe('what is wrong with a file', () => {
  test('control characters written as no JSON allows', async () => {
    const source = chat([{ id: 1, type: 'message', ...DATE, text: 'TEXT' }])
    const [post] = posts(await read(source.replace('TEXT', 'a\\x0Bb \\\\x41 \\"q\\" \\x1f')))
    assert.equal(post?.text, 'a\u000bb \\x41 "q" \u001f')
  })

  test('bad records are told by number and good ones kept', async () => {
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
    test(`a file with ${what} is told`, async () => {
      const told = problems(await read(source))
      assert.equal(told.length, 1)
      assert.match(told[0]!, reason)
    })
  }

  test('a record beyond any bound is told and skipped', async () => {
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

describe('a whole account', () => {
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

  test('the first channel is read, further ones are told, the rest is counted', async () => {
    const items = await read(account)
    assert.deepEqual(
      posts(items).map((post) => post.number),
      [2, 3],
    )
    assert.deepEqual(problems(items), [
      '“Two”: a second channel; the posts read are those of “One”',
      'the chat: a second channel; the posts read are those of “One”',
      'the file: skipped 2 chats that are no channels',
    ])
  })

  test('all channels, when asked for', async () => {
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

test('how the bytes are cut into chunks changes nothing', async () => {
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

test('no bytes make it throw', async () => {
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
