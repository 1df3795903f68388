import { isPostNumber, type ArchivedPost } from '../../model/post.ts'
import { NOTHING_WRITTEN, type Reading, type ReadingResult } from '../archive.ts'
import {
  DAY_MS,
  firstStatsDay,
  isProfileMoved,
  mergeProfile,
  postsPerDay,
} from '../channel-rules.ts'
import { joinHistories } from '../post-history.ts'
import { contentKey, mergePost, tombstone } from '../post-rules.ts'
import { keptSince, type Retention } from '../store.ts'
import { claimIdentity, type Legacy } from './identity.ts'
import { registeredPosts } from './register.ts'
import {
  countedPosts,
  languageOf,
  mark,
  markChannel,
  refKey,
  type KeptPost,
  type MemoryState,
} from './state.ts'

export function recordReading(
  state: MemoryState,
  reading: Reading,
  retention: Retention,
): { readonly result: ReadingResult; readonly channelId: number | undefined } {
  const { channelId, left } = claimIdentity(state, reading)
  if (channelId === undefined) {
    return { result: { ...NOTHING_WRITTEN, refused: reading.posts.length }, channelId }
  }
  updateProfile(state, channelId, reading)
  const result = recordPosts(state, channelId, reading, retention)
  for (const legacy of left) inherit(state, legacy, { at: reading.at, retention })
  return { result, channelId }
}

function updateProfile(state: MemoryState, channelId: number, { profile, at }: Reading): void {
  const channel = state.channels.get(channelId)
  if (!channel || !profile) return
  const isLate = at < (channel.lastVisitedAt ?? 0)
  const next = mergeProfile(channel, profile, isLate)
  if (isProfileMoved(channel, next)) markChannel(state, channelId, at)
  Object.assign(channel, next, isLate ? {} : { lastVisitedAt: at })
}

type PostReading = Omit<Reading, 'channelId' | 'profile'>

function recordPosts(
  state: MemoryState,
  channelId: number,
  reading: PostReading,
  retention: Retention,
): ReadingResult {
  const { at } = reading
  const result = { added: [] as number[], changed: [] as number[], deleted: [] as number[] }
  const barred = registeredPosts(state, channelId)
  const since = keptSince(retention, at)
  let refused = 0
  let tooOld = 0
  for (const post of reading.posts) {
    if (
      !isPostNumber(post.number) ||
      [post.number, ...post.albumNumbers].some((n) => barred.has(n))
    ) {
      refused++
      continue
    }
    // Its page shows it at every visit: taken in, it would be pruned and seen for the first time again and again.
    if (post.publishedAt < since) {
      tooOld++
      continue
    }
    const kept = state.posts.get(refKey(channelId, post.number))
    const isPartOfAlbum = !kept && state.members.has(refKey(channelId, post.number))
    if (isPartOfAlbum && reading.capture === 'import') continue
    const merged = mergePost(kept?.post, post, { ...reading, channelId }, retention)
    if (merged.post === kept?.post) continue
    if (merged.contentMoved) settleAlbum(state, kept?.post, merged.post, at)
    keep(state, merged.post, kept)
    if (merged.replaced) kept?.versions.push(merged.replaced)
    if (merged.change) mark(state, merged.change, { channelId, number: post.number, at })
    if (merged.outcome === 'added') result.added.push(post.number)
    if (merged.outcome === 'changed') result.changed.push(post.number)
  }
  for (const number of new Set(reading.deleted)) {
    const kept = state.posts.get(refKey(channelId, number))
    const next = kept && tombstone(kept.post, at, retention)
    if (!kept || !next) continue
    kept.post = next
    if (retention.deleted === 'redact') {
      kept.terms = new Set()
      kept.versions = kept.versions.map((version) => ({ ...version, text: null }))
    }
    mark(state, 'post', { channelId, number, at })
    result.deleted.push(number)
  }
  refreshPace(state, channelId, at)
  return { ...result, refused, tooOld }
}

function inherit(
  state: MemoryState,
  { heir, posts }: Legacy,
  { at, retention }: { at: number; retention: Retention },
): void {
  const barred = registeredPosts(state, heir)
  for (const { post, versions } of posts) {
    const { number } = post
    const key = refKey(heir, number)
    const own = state.posts.get(key)
    if ([number, ...post.albumNumbers].some((n) => barred.has(n))) continue
    if (!own && post.capture === 'import' && state.members.has(key)) continue
    const next = own
      ? joinHistories(own, { post, versions }, retention)
      : { post: { ...post, channelId: heir, language: null }, versions }
    const isMoved = !own || contentKey(own.post) !== contentKey(next.post)
    if (isMoved) settleAlbum(state, own?.post, next.post, at)
    keep(state, next.post, own)
    const kept = state.posts.get(key)!
    kept.versions = [...next.versions]
    if (next.post.deletedAt !== null && retention.deleted === 'redact') kept.terms = new Set()
    mark(state, 'post', { channelId: heir, number, at })
  }
  refreshPace(state, heir, at)
}

function keep(state: MemoryState, post: ArchivedPost, kept: KeptPost | undefined): void {
  if (kept) {
    kept.post = post
    return
  }
  state.posts.set(refKey(post.channelId, post.number), {
    post,
    versions: [],
    terms: new Set(),
    detectedLanguage: null,
    languageWeight: 0,
  })
}

/** A number that has a post of its own is no member of another's album; an album takes its members' places. */
function settleAlbum(
  state: MemoryState,
  old: ArchivedPost | undefined,
  next: ArchivedPost,
  at: number,
): void {
  if (!old) state.members.delete(refKey(next.channelId, next.number))
  if (old) leaveMembers(state, old)
  for (const number of next.albumNumbers) {
    if (number === next.number || !isPostNumber(number)) continue
    erasePost(state, next.channelId, number, at)
    state.members.set(refKey(next.channelId, number), next.number)
  }
}

function leaveMembers(state: MemoryState, album: ArchivedPost): void {
  for (const number of album.albumNumbers) {
    const key = refKey(album.channelId, number)
    if (state.members.get(key) === album.number) state.members.delete(key)
  }
}

export function erasePost(
  state: MemoryState,
  channelId: number,
  number: number,
  at: number,
): boolean {
  const kept = state.posts.get(refKey(channelId, number))
  if (!kept) return false
  const language = languageOf(state, channelId)
  leaveMembers(state, kept.post)
  state.posts.delete(refKey(channelId, number))
  mark(state, 'post', { channelId, number, at })
  if (languageOf(state, channelId) !== language) markChannel(state, channelId, at)
  return true
}

export function refreshPace(state: MemoryState, channelId: number, now: number): void {
  const channel = state.channels.get(channelId)
  if (!channel) return
  const published = countedPosts(state, channelId).map((post) => post.publishedAt)
  const from = firstStatsDay(now) * DAY_MS
  const to = (Math.floor(now / DAY_MS) + 1) * DAY_MS
  const recent = published.filter((at) => at >= from && at < to).length
  const first = published.length === 0 ? null : Math.min(...published)
  channel.postsPerDay = postsPerDay(recent, first, now)
}
