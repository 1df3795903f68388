import { duration } from '../model/duration.ts'
import { postPath } from './address.ts'
import { html, raw, type Markup } from './markup.ts'
import { pictureOver } from './picture.ts'
import type { BriefPost } from './views.ts'
import { count } from './words.ts'

type Summary = BriefPost['media']

/** Visual kinds of media, each with the icon that stands in for a missing picture. */
const PICTURES = {
  photo: raw(
    '<svg viewBox="0 0 24 24"><path d="M3 5h18v14H3zM3 16l5-5 4 4 3-3 6 6"/><circle cx="15.5" cy="9" r="1.5"/></svg>',
  ),
  video: raw('<svg viewBox="0 0 24 24"><path d="M8 5l11 7-11 7z"/></svg>'),
  gif: raw('<svg viewBox="0 0 24 24"><path d="M8 5l11 7-11 7z"/></svg>'),
} as const

/** A picture of the post beside its card, or a placeholder. What it shows is said in words below. */
export function thumbnail(post: BriefPost): Markup | '' {
  const { kinds, count: n, duration_s: seconds, thumbnail: picture } = post.media
  const kind = kinds.find((name) => name in PICTURES) as keyof typeof PICTURES | undefined
  if (kind === undefined && !picture) return ''
  const badge = seconds !== undefined ? duration(seconds) : n > 1 ? `1 / ${n}` : ''
  return html`<a class="thumb framed" href="${postPath(post.id)}" tabindex="-1" aria-hidden="true"
    >${PICTURES[kind ?? 'photo']}${picture ? pictureOver(picture) : ''}${badge === '' ? '' : html`<span>${badge}</span>`}</a
  >`
}

const TIMED = new Set(['video', 'audio', 'voice'])
const MANY: Readonly<Record<string, string>> = { voice: 'voice messages', audio: 'pieces of music' }

/** `4 photos`, `video 1:02`, `poll, 1.2K voters`, `album of 4: photo, video 1:02`. */
export function mediaWords({ kinds, count: n, duration_s: seconds, voters }: Summary): string {
  const words = kinds.map((kind) => {
    if (kind === 'poll') return voters === undefined ? kind : `poll, ${count(voters)} voters`
    return seconds !== undefined && TIMED.has(kind) ? `${kind} ${duration(seconds)}` : kind
  })
  if (n === kinds.length) return words.join(', ')
  return kinds.length === 1
    ? `${n} ${MANY[kinds[0]!] ?? `${kinds[0]}s`}`
    : `album of ${n}: ${words.join(', ')}`
}
