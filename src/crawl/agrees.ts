/**
 * Whether a page can be believed, judged by what is archived of its channel. Caches, half pages, new layouts and other
 * channels under the same name are served now and then, and most of them are well-formed pages. Pure.
 */
import { nameKey } from '../model/channel-name.ts'
import type { ChannelProfile } from '../model/channel.ts'
import type { ArchivedPost, Post } from '../model/post.ts'
import { MINUTE_MS } from '../model/time.ts'
import type { ChannelPage, NoPage } from '../telegram/source.ts'

/** What a visit has met instead of a page that can be believed. */
export const CONTRADICTORY = { kind: 'broken', what: 'contradictory' } as const satisfies NoPage

/** By which a channel is known: its name, and its numeric id if a page has ever told it. */
export type Identity = Pick<ChannelProfile, 'username' | 'platformId'>

/** `posts` are those that the page shows, as archived, in the same order. */
interface Archived {
  readonly identity: Identity
  readonly posts: readonly (ArchivedPost | undefined)[]
}

/** False if the page is another channel's, or contradicts most of the texts, dates or marks of edits archived of its posts. */
export function agrees(
  page: Pick<ChannelPage, 'profile' | 'posts' | 'parserVersion'>,
  archive: Archived,
): boolean {
  if (isOther(archive.identity, page.profile)) return false
  const both = page.posts.flatMap((post, i) => {
    const old = archive.posts[i]
    return old?.deletedAt === null ? [{ post, old, isAlike: isReadAlike(old, page) }] : []
  })
  const written = both.filter(({ post, old }) => old.text !== '' && !old.orphan && !post.orphan)
  const dated = both.filter(({ isAlike }) => isAlike)
  const marked = dated.filter(({ post, old }) => old.edited && !post.orphan)
  return (
    !areMost(written.filter(hasOtherText), written) &&
    !areMost(dated.filter(isMoved), dated) &&
    !areMost(marked.filter(isUnmarked), marked)
  )
}

/** Whether the page is not the channel's own. The numeric id decides; only where a page tells none, the name does. */
export function isOther(known: Identity, shown: Identity): boolean {
  if (known.platformId === null) return false
  if (shown.platformId !== null) return shown.platformId !== known.platformId
  return nameKey(shown.username) !== nameKey(known.username)
}

interface Pair {
  readonly post: Post
  readonly old: ArchivedPost
  /** Whether both were read by the same parser: a new one may read the same page differently, and a file may say less. */
  readonly isAlike: boolean
}

function isReadAlike(old: ArchivedPost, { parserVersion }: Pick<ChannelPage, 'parserVersion'>) {
  return old.capture !== 'import' && old.parserVersion === parserVersion
}

/** A text that is missing, or another one although the platform does not mark the post as edited. */
function hasOtherText({ post, old, isAlike }: Pair): boolean {
  if (post.text === '') return true
  return isAlike && !post.edited && bare(post.text) !== bare(old.text)
}

/** A post's date never changes. By less than a minute it may seem to: an album may be shown by another of its members. */
function isMoved({ post, old }: Pair): boolean {
  return Math.abs(old.publishedAt - post.publishedAt) >= MINUTE_MS
}

/** That a post was edited is shown for good. */
function isUnmarked({ post }: Pair): boolean {
  return !post.edited
}

/** Fewer posts are no pattern: an author may have removed two captions. */
export const FEWEST = 3

function areMost(some: readonly Pair[], all: readonly Pair[]): boolean {
  return some.length >= FEWEST && some.length * 2 > all.length
}

/** How a page is spaced may change with its layout, and does no harm. */
function bare(text: string): string {
  return text.replaceAll(/\s+/g, '')
}
