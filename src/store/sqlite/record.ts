import { NOTHING_WRITTEN, type Reading, type ReadingResult } from '../archive.ts'
import { isProfileMoved, mergeProfile } from '../channel-rules.ts'
import type { Retention } from '../store.ts'
import { markChannel } from './change-rows.ts'
import { channelById, saveProfile } from './channel-rows.ts'
import type { Database } from './database.ts'
import { claimIdentity } from './identity.ts'
import { recordPosts } from './record-posts.ts'

export interface Recorded {
  readonly result: ReadingResult
  /** The channel the reading turned out to be of; undefined when it is removed. */
  readonly channelId: number | undefined
  /** Channels whose erasure it began: removed ones, and those that turned out to be another. */
  readonly erased: readonly number[]
}

/** Writes a reading inside the caller's transaction. */
export function recordReading(db: Database, reading: Reading, retention: Retention): Recorded {
  const { channelId, erased } = claimIdentity(db, reading)
  if (channelId === undefined) {
    const result = { ...NOTHING_WRITTEN, refused: reading.posts.length }
    return { result, channelId, erased }
  }
  if (reading.profile) updateProfile(db, channelId, reading)
  return { result: recordPosts(db, channelId, reading, retention), channelId, erased }
}

function updateProfile(db: Database, channelId: number, reading: Reading): void {
  const old = channelById(db, channelId)
  if (!old || !reading.profile) return
  const isLate = reading.at < (old.lastVisitedAt ?? 0)
  const next = mergeProfile(old, reading.profile, isLate)
  saveProfile(db, channelId, old.username, next)
  if (!isLate) db.run('update channels set last_visited_at = ? where id = ?', reading.at, channelId)
  if (isProfileMoved(old, next)) markChannel(db, channelId, reading.at)
}
