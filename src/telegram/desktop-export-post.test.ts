import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Post } from '../model/post.ts'
import { readRecord } from './desktop-export-post.ts'

const DATE = { date: '2024-02-01T10:30:00', date_unixtime: '1706783400' }

function one(record: object): Post {
  const post = readRecord(
    { id: 7, type: 'message', ...DATE, ...record },
    { chatId: 1234567890, now: Date.UTC(2026, 8, 1) },
  )
  assert.ok(typeof post !== 'string', post as string)
  return post
}

describe('a record of a desktop export', () => {
  test('a date is a whole number of milliseconds, however the file writes its seconds', () => {
    for (const date_unixtime of ['1706783400.0001', 1706783400.0004, '1706783400']) {
      assert.equal(one({ date_unixtime }).publishedAt, 1_706_783_400_000)
    }
    for (const date_unixtime of ['soon', 'Infinity', '-1', '1e30', '1375228800']) {
      const record = { id: 7, type: 'message', ...DATE, date_unixtime }
      assert.match(
        readRecord(record, { chatId: 1, now: Date.UTC(2026, 8, 1) }) as string,
        /^expected a date/,
      )
    }
  })

  test('texts that are too long are cut, but not within a character', () => {
    const { author } = one({ author: `x${'🚢'.repeat(4_096)}` })
    assert.ok(author!.length > 4_000 && author!.isWellFormed())
  })

  test('a text of more than a thousand parts is kept whole', () => {
    const parts = Array.from({ length: 1_500 }, (_, i) => ({ type: 'hashtag', text: `#${i} ` }))
    const { text, entities } = one({ text_entities: parts })
    assert.ok(text.endsWith('#1499 '))
    assert.equal(entities.length, 1_000)
  })

  test('a record of an old file is read without seconds and without a list of entities', () => {
    const post = one({
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

  test('every kind of entity is read', () => {
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
    const post = one({ text: 'not this', text_entities: parts })
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

  test('author, forward, reply, buttons and reactions are read', () => {
    const post = one({
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
    test(`media: ${Object.keys(record).join(', ')}`, () => {
      const post = one({ text: '', ...record })
      assert.equal(post.media.length, 1)
      assert.partialDeepStrictEqual(post.media[0], expected)
      assert.equal(post.orphan, false)
    })
  }

  test('the votes of a poll are converted to percentages', () => {
    const post = one({
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

  test('service messages read as in the web preview', () => {
    const records = [
      { action: 'create_channel', title: 'Harbour Notes' },
      { action: 'edit_group_title', title: 'Harbour' },
      { action: 'pin_message', message_id: 1, actor: 'Harbour' },
      { action: 'group_call', duration: 720 },
      { action: 'boost_apply' },
    ].map((record, i) => ({ id: i + 1, type: 'service', ...DATE, text: '', ...record }))
    const read = records.map(one)
    assert.ok(read.every((post) => post.kind === 'service' && !post.orphan))
    assert.deepEqual(
      read.map((post) => post.text),
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
