import { DELETED } from '../../model/edit.ts'
import { isPostNumber } from '../../model/post.ts'
import { NOTHING_WRITTEN, type Reading, type ReadingResult } from '../archive.ts'
import { isProfileChanged, mergeProfile } from '../channel-rules.ts'
import { classifyReplaced } from '../edit-rules.ts'
import { dayOfReading } from '../growth-rules.ts'
import { mergePost, tombstone } from '../post-rules.ts'
import { keptSince, type Retention } from '../retention.ts'
import type { Draft } from './draft.ts'
import { channelsOfReading, claimIdentity } from './identity.ts'
import type { Plan, Wanted } from './rows.ts'
import { recentHours, settleStats } from './stats.ts'
import { storable } from './storable.ts'

export interface Recorded {
  readonly result: ReadingResult
  /** The channel that the reading turned out to belong to; undefined when that is removed. */
  readonly channelId: number | undefined
  /** Channels whose erasure it began: removed ones, and duplicates of another channel. */
  readonly erased: readonly number[]
}

/** What a reading of a channel changes. */
export function* planReading(draft: Draft, reading: Reading, retention: Retention): Plan<Recorded> {
  const clean = storable(reading)
  yield* draft.ask(wantedForReading(clean))
  return yield* record(draft, clean, retention)
}

/** Everything that most readings need to know. */
export function wantedForReading(reading: Reading): Wanted {
  const { channelId, at } = reading
  return {
    channels: channelsOfReading(reading),
    posts: [{ channelId, numbers: numbersOfReading(reading) }],
    recent: [recentHours(channelId, at)],
  }
}

/** Records a reading. The caller has asked for `wantedForReading`. */
export function* record(draft: Draft, reading: Reading, retention: Retention): Plan<Recorded> {
  const target = yield* claimIdentity(draft, reading)
  if (target === undefined) {
    const result = { ...NOTHING_WRITTEN, refused: reading.posts.length }
    return { result, channelId: target, erased: erasedBy(draft) }
  }
  mergeReadProfile(draft, target, reading)
  if (retention.pictures === true && reading.profile)
    draft.pictures.wantAvatar(target, reading.profile.avatarUrl, reading.at)
  yield* draft.knowPosts(target, numbersOfReading(reading))
  const result = recordPosts(draft, target, reading, retention)
  yield* settleStats(draft, reading.at, [target])
  return { result, channelId: target, erased: erasedBy(draft) }
}

function numbersOfReading({ posts, deleted }: Reading): number[] {
  const named = posts.flatMap((post) => [post.number, ...post.albumNumbers])
  return [...new Set([...named, ...deleted])].filter(isPostNumber)
}

function erasedBy(draft: Draft): number[] {
  return draft.erasures.map((erasure) => erasure.channelId)
}

function mergeReadProfile(draft: Draft, channelId: number, reading: Reading): void {
  const { profile, at } = reading
  const old = draft.channel(channelId)
  if (!old || !profile) return
  const isLate = at < (old.lastVisitedAt ?? 0)
  const next = mergeProfile(old, profile, isLate)
  if (isProfileChanged(old, next)) draft.markChannel(channelId, at)
  draft.putChannel({ ...old, ...next, lastVisitedAt: isLate ? old.lastVisitedAt : at })
  const day = isLate ? undefined : dayOfReading(reading)
  if (day) draft.growth.push({ channelId, ...day })
}

function recordPosts(
  draft: Draft,
  channelId: number,
  reading: Reading,
  retention: Retention,
): ReadingResult {
  const { at } = reading
  const { posts } = draft
  const added: number[] = []
  const changed: number[] = []
  const deleted: number[] = []
  const isRemoved = draft.removedIn(channelId)
  const since = keptSince(retention, at)
  const context = { ...reading, channelId }
  let refused = 0
  let tooOld = 0
  let joined = 0
  for (const post of reading.posts) {
    if (!isPostNumber(post.number) || isRemoved(post)) {
      refused++
      continue
    }
    // The page may show such a post at every visit: archived, it would be pruned and then seen as new again and again.
    if (post.publishedAt < since) {
      tooOld++
      continue
    }
    const ref = { channelId, number: post.number }
    const old = posts.get(ref)?.post
    const merged = mergePost(old, post, context, retention)
    if (!old && reading.capture === 'import' && posts.isPart(merged.post)) continue
    if (merged.post === old) continue
    // Addresses of media rotate: that changes the body of a post, but nothing that albums and statistics depend on.
    const isContent = merged.change === 'post'
    posts.put(merged.post, isContent ? 'content' : merged.contentMoved ? 'body' : 'counts')
    if (merged.contentMoved && retention.pictures === true) draft.pictures.wantOf(merged.post, at)
    if (isContent) joined += posts.settleAlbum(old, merged.post, at)
    if (old && old.deletedAt !== null && merged.post.deletedAt === null) posts.undeleted.push(ref)
    if (merged.replaced && old) {
      const { revision } = old
      posts.addVersion(ref, revision, merged.replaced)
      posts.addEdit(ref, { revision, at, ...classifyReplaced(old, merged.post, retention) })
    }
    if (merged.change) posts.mark(ref, merged.change, at)
    if (merged.outcome === 'added') added.push(post.number)
    if (merged.outcome === 'changed') changed.push(post.number)
  }
  for (const number of new Set(reading.deleted)) {
    const ref = { channelId, number }
    const old = isPostNumber(number) ? posts.get(ref)?.post : undefined
    const next = old && tombstone(old, at, retention)
    if (!next) continue
    posts.put(next, 'content')
    posts.addEdit(ref, { revision: next.revision, at, ...DELETED })
    if (retention.deleted === 'redact') posts.redact(ref)
    posts.mark(ref, 'post', at)
    deleted.push(number)
  }
  return { added, changed, deleted, refused, tooOld, joined }
}
