/** Which posts of a page may be kept, held against what is archived of them. Pure. */
import type { ArchivedPost, Post } from '../model/post.ts'
import { MINUTE_MS } from '../model/time.ts'

/**
 * The posts whose words can be believed; undefined when the page as a whole is not understood: most of its texts are lost,
 * or in another charset. `archived`: the same posts as they are known, in the same order.
 */
export function trustedPosts(
  posts: readonly Post[],
  archived: readonly (ArchivedPost | undefined)[],
): readonly Post[] | undefined {
  if (haveLostTexts(posts, archived)) return undefined
  const isTelling = archived.map((old) => old?.deletedAt === null && !isAscii(old.text))
  const isMangled = posts.map((post, i) => isTelling[i] && isMisread(post.text, archived[i]!.text))
  const telling = isTelling.filter(Boolean).length
  const mangled = isMangled.filter(Boolean).length
  if (mangled * 2 > telling) return undefined
  return withKnownDates(posts, archived).filter((_, i) => !isMangled[i])
}

/** Less is none: an album may be shown by another of its members, sent a moment later. */
const A_MOVE = MINUTE_MS

/**
 * Do most of the posts that we have read ourselves have other dates now? Posts are never dated anew: it is the page that is wrong,
 * or was the one before.
 */
export function areRedated(
  posts: readonly Post[],
  archived: readonly (ArchivedPost | undefined)[],
): boolean {
  const known = posts.filter((_, i) => archived[i] && archived[i].capture !== 'import')
  const moved = posts.filter((post, i) => {
    const old = archived[i]
    return old && old.capture !== 'import' && Math.abs(old.publishedAt - post.publishedAt) >= A_MOVE
  })
  return moved.length >= 2 && moved.length * 2 > known.length
}

/**
 * Posts are never dated anew, and their dates grow with their numbers: one that stands between its neighbours with a date that
 * is not between theirs keeps the date it is known by.
 */
function withKnownDates(
  posts: readonly Post[],
  archived: readonly (ArchivedPost | undefined)[],
): readonly Post[] {
  return posts.map((post, i) => {
    const known = archived[i]?.publishedAt ?? post.publishedAt
    return known === post.publishedAt || !isMisdated(posts, i)
      ? post
      : { ...post, publishedAt: known }
  })
}

/** Held against the two nearest posts, where these are in order themselves. */
function isMisdated(posts: readonly Post[], i: number): boolean {
  const first = Math.max(0, Math.min(i - 1, posts.length - 3))
  const { number, publishedAt } = posts[i]!
  const [a, b] = posts.slice(first, first + 3).filter((post) => post.number !== number)
  if (!a || !b || a.publishedAt > b.publishedAt) return false
  return [a, b].some((near) =>
    near.number < number ? near.publishedAt > publishedAt : near.publishedAt < publishedAt,
  )
}

/**
 * May a post be kept that was read by itself? No other beside it tells whether its author emptied it, or we no longer find
 * its words.
 */
export function isTrusted(post: Post, archived: ArchivedPost | undefined): boolean {
  if (!archived || archived.deletedAt !== null || archived.text === '') return true
  return (post.text !== '' || post.orphan) && !isMisread(post.text, archived.text)
}

/**
 * A layout change can hide the words and leave the rest. Authors empty a post now and then, but not most posts of a
 * page between two visits.
 */
function haveLostTexts(
  posts: readonly Post[],
  archived: readonly (ArchivedPost | undefined)[],
): boolean {
  let had = 0
  let lost = 0
  posts.forEach((post, i) => {
    const old = archived[i]
    // What the platform shows in its app only, it says so of.
    if (!old || old.deletedAt !== null || old.text === '' || post.orphan) return
    had++
    if (post.text === '') lost++
  })
  return lost >= 3 && lost * 2 > had
}

/** What UTF-8 is most often taken for. Asked for by name: Node has them all. */
const OTHER_CHARSETS = ['windows-1251', 'windows-1252', 'iso-8859-5', 'koi8-r'] as const

/** Is it the text that was known, in characters of another charset? No author edits a post like that. */
export function isMisread(text: string, known: string): boolean {
  if (text === known || isAscii(known)) return false
  if (text.includes('\uFFFD') && !known.includes('\uFFFD')) return plain(text) === plain(known)
  if (text === known.replaceAll(BEYOND_ASCII, '?')) return true
  const bytes = Buffer.from(known)
  const seen = bare(text)
  return (
    bare(bytes.toString('latin1')) === seen ||
    OTHER_CHARSETS.some((name) => bare(new TextDecoder(name).decode(bytes)) === seen)
  )
}

const BEYOND_ASCII = /[^\p{ASCII}]/gu

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text)
}

function plain(text: string): string {
  return bare(text.replaceAll(BEYOND_ASCII, ''))
}

/** A page loses control characters, and joins or drops spaces, which misread letters may be. */
function bare(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, '')
}
