import { isPostNumber, type ArchivedPost } from '../../model/post.ts'
import type { Reading, ReadingResult } from '../archive.ts'
import { mergePost, tombstone } from '../post-rules.ts'
import { keptSince, type Retention } from '../store.ts'
import { markPost } from './change-rows.ts'
import type { Database } from './database.ts'
import { keyOf } from './post-codec.ts'
import {
  albumOfMember,
  erasePost,
  insertPost,
  insertVersion,
  loadPost,
  memberKeys,
  redactVersions,
  saveContent,
  saveCounts,
  saveMembers,
} from './post-rows.ts'
import { removedNumbers } from './register.ts'
import { StatsDelta, refreshPace } from './stats-delta.ts'

/** Writes the posts of a reading inside the caller's transaction. */
export function recordPosts(
  db: Database,
  channelId: number,
  reading: Omit<Reading, 'channelId' | 'profile'>,
  retention: Retention,
): ReadingResult {
  const { at } = reading
  const delta = new StatsDelta()
  const removed = removedNumbers(db, channelId)
  const added: number[] = []
  const changed: number[] = []
  const deleted: number[] = []
  const since = keptSince(retention, at)
  let refused = 0
  let tooOld = 0
  for (const post of reading.posts) {
    if (
      !isPostNumber(post.number) ||
      [post.number, ...post.albumNumbers].some((n) => removed.has(n))
    ) {
      refused++
      continue
    }
    // Its page shows it at every visit: taken in, it would be pruned and seen for the first time again and again.
    if (post.publishedAt < since) {
      tooOld++
      continue
    }
    const key = keyOf(channelId, post.number)
    const old = loadPost(db, key)
    const isPartOfAlbum = reading.capture === 'import' && !old && albumOfMember(db, key)
    if (isPartOfAlbum) continue
    const merged = mergePost(old, post, { ...reading, channelId }, retention)
    if (merged.post === old) continue
    if (!old) {
      insertPost(db, key, merged.post)
      db.run('delete from post_members where key = ?', key)
    } else if (merged.contentMoved) saveContent(db, key, merged.post)
    else saveCounts(db, key, merged.post)
    // Addresses of media rotate. What albums and statistics are made of has then not moved.
    const isContentSame = merged.change !== 'post'
    if (!isContentSame) settleAlbum(db, key, old, merged.post, { delta, at })
    if (merged.replaced && old) insertVersion(db, key, old.revision, merged.replaced)
    delta.replace(old, merged.post, { isContentSame })
    if (merged.change) markPost(db, key, merged.change, at)
    if (merged.outcome === 'added') added.push(post.number)
    if (merged.outcome === 'changed') changed.push(post.number)
  }
  for (const number of new Set(reading.deleted)) {
    if (!isPostNumber(number)) continue
    if (buryPost(db, keyOf(channelId, number), { at, retention, delta })) deleted.push(number)
  }
  delta.flush(db, channelId, at)
  refreshPace(db, channelId, at)
  return { added, changed, deleted, refused, tooOld }
}

/** An import knows album members as posts of their own; the album takes their place. */
export function settleAlbum(
  db: Database,
  key: number,
  old: ArchivedPost | undefined,
  next: ArchivedPost,
  { delta, at }: { delta: StatsDelta; at: number },
): void {
  if (next.albumNumbers.length === 0 && !old?.albumNumbers.length) return
  for (const member of memberKeys(next)) erasePost(db, member, delta, at)
  saveMembers(db, key, old, next)
}

function buryPost(
  db: Database,
  key: number,
  options: { at: number; retention: Retention; delta: StatsDelta },
): boolean {
  const old = loadPost(db, key)
  const next = old && tombstone(old, options.at, options.retention)
  if (!next) return false
  saveContent(db, key, next)
  if (options.retention.deleted === 'redact') redactVersions(db, key)
  options.delta.replace(old, next, { isContentSame: false })
  markPost(db, key, 'post', options.at)
  return true
}
