import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPrinter, displayWidth } from './print.ts'
import { showPost, type ShownPost } from './show-posts.ts'

/** The fields that a terminal shows. */
const POST = {
  url: 'https://t.me/durov/342',
  published_at: '2026-10-01T12:00:00Z',
  channel: { title: 'Durov', username: 'durov' },
  views: { raw: '1.2K', approx: true, value: 1_200 },
  text: '',
  media: [],
}

function shown(post: object, isTerminal: boolean): string[] {
  const lines: string[] = []
  const print = { ...createPrinter({ color: false }), width: 60, isTerminal }
  showPost(post as ShownPost, { ...print, line: (text = '') => lines.push(text) })
  return lines
}

test('exact views are grouped like other numbers', () => {
  const views = { raw: '218000', approx: false, value: 218_000 }
  assert.match(shown({ ...POST, views }, false)[0]!, /· 218,000 views$/)
  assert.match(shown({ ...POST, views: { ...views, raw: '1', value: 1 } }, false)[0]!, /· 1 view$/)
})

test('a post that stands for others says how many are alike, itself included', () => {
  const cluster = { id: '1', size: 4, channels: 3, first: 'durov/342' }
  assert.match(
    shown({ ...POST, id: 'durov/342', cluster }, false)[0]!,
    / · first of 4 alike in 3 channels$/,
  )
  assert.match(
    shown({ ...POST, id: 'other/7', cluster }, false)[0]!,
    / · one of 4 alike in 3 channels, first durov\/342$/,
  )
})

test('a post without text shows its forward, reply, poll and media', () => {
  const photo = {
    kind: 'photo',
    duration_s: null,
    file_name: null,
    size: null,
    title: null,
  }
  const lines = shown(
    {
      ...POST,
      forwarded_from: { name: 'Somebody', post_url: 'https://t.me/other/1' },
      reply_to: { url: 'https://t.me/durov/341' },
      media: [
        photo,
        { ...photo, kind: 'document', file_name: 'a.pdf', size: { value: 1_200_000 } },
      ],
      poll: { question: 'Tea?', options: [{ text: 'yes', percent: 75 }] },
    },
    false,
  )
  assert.deepEqual(lines, [
    'Durov @durov  2026-10-01 12:00 · 1.2K views',
    '  forwarded from Somebody https://t.me/other/1',
    '  in reply to https://t.me/durov/341',
    '  poll: Tea?',
    '   75 % yes',
    '  [photo]',
    '  [document, a.pdf, 1.2 MB]',
    '  https://t.me/durov/342',
    '',
  ])
  assert.ok(
    shown({ ...POST, media: { kinds: ['photo'], count: 3 } }, false).includes(
      '  [photo, 3 in all]',
    ),
  )
})

test('the heading of a post is wrapped between words on a terminal', () => {
  const title = 'The long name of a channel about rivers'
  const [first, second] = shown({ ...POST, channel: { title, username: 'rivers' } }, true)
  assert.deepEqual([first, second], [`${title} @rivers  2026-10-01`, '12:00 · 1.2K views'])
})

test('text is wrapped and indented on a terminal, and left on one line in a pipe', () => {
  const text = 'The river flooded the old town again. '.repeat(5).trim()
  const wrapped = shown({ ...POST, text }, true).slice(1, -2)
  assert.ok(wrapped.length > 2)
  for (const line of wrapped) assert.ok(line.startsWith('  ') && displayWidth(line) <= 60, line)
  assert.equal(shown({ ...POST, text }, false)[1], `  ${text}`)
})
