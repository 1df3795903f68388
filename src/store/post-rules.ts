import { contentSha256 } from '../model/content-hash.ts'
import type {
  ArchivedPost,
  Capture,
  Media,
  Poll,
  Post,
  PostVersion,
  Reaction,
} from '../model/post.ts'
import { newerCount, type Reading } from './archive.ts'
import { isRedacted, redacted } from './redaction.ts'
import type { Retention } from './retention.ts'

/** What happens to a post when it is read again or deleted. Pure, so that every adapter decides the same. */

type CaptureContext = Pick<Reading, 'channelId' | 'at' | 'capture' | 'parserVersion'>

interface Merged {
  readonly post: ArchivedPost
  readonly outcome: 'added' | 'changed' | 'same'
  /** Whether anything but counters and times differs from what was stored. */
  readonly contentMoved: boolean
  /** What the index must be told. */
  readonly change: 'post' | 'counters' | null
  /** The state that was replaced, when the author changed the post. */
  readonly replaced: PostVersion | null
}

export function mergePost(
  old: ArchivedPost | undefined,
  seen: Post,
  context: CaptureContext,
  retention: Retention,
): Merged {
  if (!old) return firstSight(seen, context)
  if (context.capture === 'import' && isRead(old)) return unchanged(old)
  const isLate = context.at < Math.max(old.lastCapturedAt, old.deletedAt ?? 0)
  if (isLate || isOlder(seen, old))
    return onlyCounters(old, seen, Math.min(old.firstCapturedAt, context.at))
  return reread(old, withKnownContent(old, seen), context, retention)
}

/** The mark of an edit never goes away: a state without it is one from before, which some cache has kept. */
function isOlder(seen: Post, old: ArchivedPost): boolean {
  return old.edited && !seen.edited && !seen.orphan && old.capture !== 'import'
}

/**
 * A page may show nothing of a post, because only the app does or because we failed to read it. Authors cannot empty a post, so
 * what is known is kept.
 */
function withKnownContent(old: ArchivedPost, seen: Post): Post {
  if (isShown(seen) || !isShown(old) || old.deletedAt !== null) return seen
  const { text, entities, media, poll, linkPreview, albumNumbers, orphan } = old
  return { ...seen, text, entities, media, poll, linkPreview, albumNumbers, orphan }
}

function isShown({ text, media, poll }: Post): boolean {
  return text !== '' || media.length > 0 || poll !== null
}

function reread(
  old: ArchivedPost,
  seen: Post,
  context: CaptureContext,
  retention: Retention,
): Merged {
  const sha256 = contentSha256(seen)
  const isSame = sha256 === old.contentSha256
  const isChanged = !isSame && contentSha256(asOnceSent(old, seen)) !== old.contentSha256
  // What a page leaves out of a medium stays known: otherwise another medium on the next page would not count as an edit.
  const media = isSame ? seen.media : withFieldsOf(old.media, seen.media, (_, now) => now === null)
  const isUpgrade = old.capture === 'import' && context.capture !== 'import'
  const next: ArchivedPost = {
    ...seen,
    ...mergedCounters(old, seen, context.capture),
    media: mediaOf(media, old.media),
    channelId: old.channelId,
    revision: isChanged ? old.revision + 1 : old.revision,
    contentSha256: isSame ? sha256 : contentSha256({ ...seen, media }),
    // An imported file only claims when it saw the post; a read is when this archive saw it.
    firstCapturedAt: isUpgrade ? context.at : old.firstCapturedAt,
    lastCapturedAt: context.at,
    capture: isChanged || isUpgrade ? context.capture : old.capture,
    parserVersion: isChanged || isUpgrade ? context.parserVersion : old.parserVersion,
    deletedAt: null,
    language: old.language,
  }
  const isEdit = isChanged && !isCompletion(old, seen, context)
  const isRestored = old.deletedAt !== null
  const contentMoved = isChanged || isUpgrade || isRestored || contentKey(old) !== contentKey(next)
  const isForIndex = contentMoved && (isChanged || isRestored || indexKey(old) !== indexKey(next))
  return {
    post: next,
    outcome: isEdit ? 'changed' : 'same',
    contentMoved,
    change: isForIndex ? 'post' : countersMoved(old, next) ? 'counters' : null,
    replaced: isEdit ? versionOf(old, retention) : null,
  }
}

/**
 * The post with what changes without its author as it was before: numbers in buttons count votes and comments; whoever is forwarded may
 * take another name or delete their account; a reply is no longer shown as one once its target is deleted; and a page may tell
 * more or less about the same medium than the one before.
 */
function asOnceSent(old: ArchivedPost, seen: Post): Post {
  const { forwardedFrom, replyTo } = old
  const isOnlyCounted = uncounted(seen.buttons) === uncounted(old.buttons)
  return {
    ...seen,
    forwardedFrom,
    replyTo,
    buttons: isOnlyCounted ? old.buttons : seen.buttons,
    media: withFieldsOf(old.media, seen.media, (before, now) => before === null || now === null),
  }
}

/** What a page may leave out of a medium. */
const LEFT_OUT = ['fileId', 'fileName', 'durationS', 'title', 'detail'] as const
type LeftOut = Media[(typeof LEFT_OUT)[number]]

/** The media with those fields as they were before that `isTaken` chooses by both values. */
function withFieldsOf(
  old: readonly Media[],
  seen: readonly Media[],
  isTaken: (before: LeftOut, now: LeftOut) => boolean,
): readonly Media[] {
  return seen.map((each, i) => {
    const before = old[i]
    if (!before || !mayBeSame(before, each)) return each
    const taken = LEFT_OUT.filter((field) => isTaken(before[field], each[field]))
    return { ...each, ...Object.fromEntries(taken.map((field) => [field, before[field]])) }
  })
}

function mayBeSame(before: Media, now: Media): boolean {
  const isOther = before.fileId !== null && now.fileId !== null && before.fileId !== now.fileId
  return before.kind === now.kind && !isOther
}

/** Buttons without the votes and comments they count: 👍 16, 1.2K ❤️, Comments (3). A price is no count. */
function uncounted(buttons: Post['buttons']): string {
  const words = (text: string) =>
    PRICE.test(text) ? text : text.replaceAll(COUNT, '').replaceAll(/[()\s]/g, '')
  return JSON.stringify(buttons.map((row) => row.map(({ text, url }) => [words(text), url])))
}

const COUNT = /\p{Nd}[\p{Nd}\s.,]*(?:[KkMm](?!\p{L}))?/gu
/** A sign of currency; or the sign around a digit that is an emoji, as of the answers 1️⃣ and 2️⃣. */
const PRICE = /[\p{Sc}\u20e3]/u

/** Whether more is known of the post than before although its author changed nothing. */
function isCompletion(old: ArchivedPost, seen: Post, context: CaptureContext): boolean {
  // A short-form import knows the words but not their formatting: the first real read completes it.
  if (old.capture === 'import') return context.capture !== 'import' && old.text === seen.text
  // The rest are posts that only the app showed, or that an older parser cut short. Real edits are marked by the platform.
  if (old.orphan && old.text === '') return true
  if (seen.edited) return false
  if (old.orphan && !seen.orphan) return true
  return old.parserVersion < context.parserVersion && seen.text.startsWith(old.text)
}

/** Whether the state was read from the channel itself. An imported file knows neither later edits nor deletions. */
export function isRead(post: ArchivedPost): boolean {
  return post.capture !== 'import' || post.deletedAt !== null
}

/** The post after a confirmed deletion; undefined when nothing changes, since it was deleted before or seen alive later. */
export function tombstone(
  old: ArchivedPost,
  at: number,
  retention: Retention,
): ArchivedPost | undefined {
  if (old.deletedAt !== null || at < old.lastCapturedAt) return undefined
  const deleted = { ...old, deletedAt: at }
  return retention.deleted === 'keep' ? deleted : redacted(deleted)
}

/** Whether totals, statistics and languages count the post. */
export function isCounted(post: ArchivedPost | undefined): post is ArchivedPost {
  return post !== undefined && post.deletedAt === null && post.kind === 'post'
}

function firstSight(seen: Post, context: CaptureContext): Merged {
  const post: ArchivedPost = {
    ...seen,
    channelId: context.channelId,
    revision: 1,
    contentSha256: contentSha256(seen),
    firstCapturedAt: context.at,
    lastCapturedAt: context.at,
    capture: context.capture,
    parserVersion: context.parserVersion,
    deletedAt: null,
    language: null,
  }
  return { post, outcome: 'added', contentMoved: true, change: 'post', replaced: null }
}

function unchanged(old: ArchivedPost): Merged {
  return { post: old, outcome: 'same', contentMoved: false, change: null, replaced: null }
}

function onlyCounters(old: ArchivedPost, seen: Post, firstCapturedAt: number): Merged {
  const isEarlier = firstCapturedAt < old.firstCapturedAt
  if (old.deletedAt !== null) return unchanged(old)
  const views = newerCount(old.views, seen.views)
  const reactions = newerReactions(old.reactions, seen.reactions)
  const next = { ...old, views, reactions, firstCapturedAt }
  return {
    post: next,
    outcome: 'same',
    contentMoved: isEarlier,
    change: isEarlier ? 'post' : countersMoved(old, next) ? 'counters' : null,
    replaced: null,
  }
}

/** Poll percentages are taken from the state with the newer count of voters. */
function mergedCounters(
  old: Post,
  seen: Post,
  capture: Capture,
): Pick<Post, 'views' | 'reactions' | 'poll'> {
  const views = newerCount(old.views, seen.views)
  const isToldNothing = capture === 'import' && seen.reactions.length === 0
  const reactions = isToldNothing ? old.reactions : seen.reactions
  return { views, reactions, poll: seen.poll && pollOf(seen.poll, old.poll) }
}

/** A file's size is read with every page but is no counter: an equal size keeps its date, or the post would seem changed. */
function mediaOf(seen: readonly Media[], old: readonly Media[]): readonly Media[] {
  return seen.map((media, i) => {
    const size = old[i]?.size
    const isSame = size && size.value === media.size?.value && size.raw === media.size.raw
    return isSame ? { ...media, size } : media
  })
}

export function pollOf(seen: Poll, old: Poll | null): Poll {
  const isSame = old?.options.length === seen.options.length
  if (!old || !isSame || newerCount(old.voters, seen.voters) !== old.voters) return seen
  const options = seen.options.map((option, i) => ({
    text: option.text,
    percent: old.options[i]?.percent ?? option.percent,
  }))
  return { ...seen, options, voters: old.voters }
}

/** Reactions are read together, so the set that was read last is kept as a whole. */
export function newerReactions(
  old: readonly Reaction[],
  seen: readonly Reaction[],
): readonly Reaction[] {
  const latest = (set: readonly Reaction[]) => Math.max(-1, ...set.map((r) => r.count.asOf))
  return latest(seen) >= latest(old) ? seen : old
}

/**
 * The index is told of any change in value, so that `min_views` and sorting by views agree exactly with the archive. The
 * cost is bounded by what the request budget can read, about 20 posts a request, and waiting changes coalesce.
 */
function countersMoved(old: Post, next: Post): boolean {
  return old.views?.value !== next.views?.value || reactionKey(old) !== reactionKey(next)
}

function reactionKey(post: Post): string {
  return post.reactions.map((r) => `${r.emoji ?? r.customId ?? 'paid'} ${r.count.value}`).join('\n')
}

/** Everything stored about a post except counters, times and provenance. Computed twice for each post that is read again. */
export function contentKey(post: Post): string {
  const { number, kind, publishedAt, edited, text, entities, media, poll, linkPreview } = post
  const { buttons, author, viaBot, forwardedFrom, replyTo, albumNumbers, orphan } = post
  const votes = poll && withoutVotes(poll)
  const written = [number, kind, publishedAt, edited, text, entities, media, votes, linkPreview]
  const around = [buttons, author, viaBot, forwardedFrom, replyTo, albumNumbers, orphan]
  return JSON.stringify([written, around])
}

/** The content without CDN addresses, which rotate and are not searched. */
function indexKey(post: Post): string {
  const stable = (media: Media): Media => ({ ...media, url: null, thumbnailUrl: null })
  const linkPreview = post.linkPreview && { ...post.linkPreview, imageUrl: null }
  return contentKey({ ...post, media: post.media.map(stable), linkPreview })
}

function withoutVotes(poll: Poll) {
  return [poll.question, poll.type, poll.options.map((option) => option.text)]
}

export function versionOf(old: ArchivedPost, retention: Retention): PostVersion {
  const isTextKept = retention.versions === 'keep' && !isRedacted(old)
  return {
    capturedAt: old.lastCapturedAt,
    text: isTextKept ? old.text : null,
    sha256: old.contentSha256,
  }
}
