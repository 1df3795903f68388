/** Which posts of a page may be kept, judged by what is archived of them. Pure. */
import type { ArchivedPost, Post } from '../model/post.ts'
import { MINUTE_MS } from '../model/time.ts'

/**
 * The posts whose text can be believed; undefined when the page as a whole is not understood: most of its texts are missing,
 * or decoded with a wrong charset. `archived` holds the same posts as archived, in the same order.
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

/** A smaller difference does not count: an album may be shown by another of its members, sent a moment later. */
const A_MOVE = MINUTE_MS

/**
 * Whether most of the posts that we have read ourselves now have other dates. A post's date never changes, so either this page
 * is wrong or the earlier one was.
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
 * Whether the page shows the posts that we have read ourselves, to the second, or others under the same numbers. Null if none
 * of its numbers is archived.
 */
export function agreementOf(
  posts: readonly Post[],
  archived: readonly (ArchivedPost | undefined)[],
): 'same' | 'other' | null {
  const known = posts.flatMap((post, i) => {
    const old = archived[i]
    return old && old.capture !== 'import' && old.deletedAt === null ? [{ post, old }] : []
  })
  if (known.length === 0) return null
  const same = known.filter(
    ({ post, old }) =>
      post.publishedAt === old.publishedAt && (post.orphan || post.text === old.text),
  )
  return same.length * 2 > known.length ? 'same' : 'other'
}

/**
 * A post's date never changes, and dates grow with numbers: a post whose date does not lie between those of its neighbours
 * keeps its known date.
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

/** Compares a post with the two nearest ones, if these are in order themselves. */
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
 * Whether a post that was read by itself may be kept. Without others beside it, there is no telling whether its author emptied
 * it or the parser no longer finds its text.
 */
export function isTrusted(post: Post, archived: ArchivedPost | undefined): boolean {
  if (!archived || archived.deletedAt !== null || archived.text === '') return true
  return (post.text !== '' || post.orphan) && !isMisread(post.text, archived.text)
}

/**
 * After a layout change the parser may miss the texts and find the rest. Authors empty a post now and then, but not most
 * posts of a page between two visits.
 */
function haveLostTexts(
  posts: readonly Post[],
  archived: readonly (ArchivedPost | undefined)[],
): boolean {
  let had = 0
  let lost = 0
  posts.forEach((post, i) => {
    const old = archived[i]
    // A post that the platform shows only in its app is marked as such.
    if (!old || old.deletedAt !== null || old.text === '' || post.orphan) return
    had++
    if (post.text === '') lost++
  })
  return lost >= 3 && lost * 2 > had
}

/** The charsets that UTF-8 is most often mistaken for; Node's TextDecoder has all of them. */
const OTHER_CHARSETS = ['windows-1251', 'windows-1252', 'iso-8859-5', 'koi8-r'] as const

/** Whether it is the known text decoded with a wrong charset. No author edits a post like that. */
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

/** Pages drop control characters and merge spaces, and wrongly decoded letters may be either. */
function bare(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, '')
}
