import type { Random } from './random.ts'

/** Every kind of post that the platform shows, with its weight among a channel's posts. */
const WEIGHTS = {
  text: 30,
  long: 6,
  rich: 6,
  quote: 1,
  code: 0.5,
  links: 6,
  tags: 5,
  emoji: 2,
  custom_emoji: 3,
  hidden_characters: 0.3,
  markup_text: 0.3,
  photo: 14,
  album: 5,
  mixed_album: 2,
  document_album: 0.3,
  video: 5,
  big_video: 1,
  gif: 1.5,
  round: 0.5,
  voice: 0.7,
  music: 0.7,
  document: 1,
  sticker: 0.4,
  animated_sticker: 0.2,
  video_sticker: 0.2,
  dice: 0.1,
  location: 0.2,
  venue: 0.2,
  contact: 0.1,
  poll: 1,
  quiz: 0.4,
  preview: 5,
  small_preview: 1,
  bare_preview: 0.3,
  game: 0.1,
  invoice: 0.1,
  forward: 8,
  forward_user: 0.5,
  forward_hidden: 0.7,
  repost: 2,
  reply: 3,
  reply_media: 0.5,
  reply_elsewhere: 0.5,
  quote_reply: 0.4,
  via_bot: 0.3,
  buttons: 0.7,
  orphan: 0.2,
  unsupported: 0.2,
  title_changed: 0.04,
  photo_changed: 0.1,
  pinned: 0.3,
  stream_started: 0.1,
  stream_finished: 0.1,
  notice: 0.03,
  textless_service: 0.05,
} as const

export type Shape = keyof typeof WEIGHTS | 'created'

/** All shapes that are chosen at random; the showcase channel publishes them in turn. */
export const SHAPES = Object.keys(WEIGHTS) as Shape[]

const cumulative: number[] = []
let total = 0
for (const weight of Object.values(WEIGHTS)) cumulative.push((total += weight))

export function pickShape(random: Random): Shape {
  const at = random.next() * total
  let low = 0
  let high = cumulative.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((cumulative[middle] as number) <= at) low = middle + 1
    else high = middle
  }
  return SHAPES[low] as Shape
}

const SERVICE: ReadonlySet<Shape> = new Set<Shape>([
  'created',
  'title_changed',
  'photo_changed',
  'pinned',
  'stream_started',
  'stream_finished',
  'notice',
  'textless_service',
])

export function isService(shape: Shape): boolean {
  return SERVICE.has(shape)
}

const WORDLESS: ReadonlySet<Shape> = new Set<Shape>([
  'round',
  'sticker',
  'animated_sticker',
  'video_sticker',
  'dice',
  'location',
  'venue',
  'contact',
  'poll',
  'quiz',
  'game',
  'invoice',
  'orphan',
  'unsupported',
])

/** Whether its author could edit its words. */
export function isEditable(shape: Shape): boolean {
  return !isService(shape) && !WORDLESS.has(shape)
}

/** Shapes with words of their own, which others forward, repost and reply to. */
const QUOTABLE: ReadonlySet<Shape> = new Set<Shape>([
  'text',
  'long',
  'rich',
  'links',
  'tags',
  'photo',
  'video',
  'preview',
])

export function isQuotable(shape: Shape): boolean {
  return QUOTABLE.has(shape)
}
