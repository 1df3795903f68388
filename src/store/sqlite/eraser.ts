import { systemClock } from '../../model/clock.ts'
import { eraseInSteps, planErasureOfRemoved } from '../plan/erasure.ts'
import type { Retention } from '../retention.ts'
import { REMOVED_CHANNELS } from '../removal-codec.ts'
import type { Database } from './database.ts'
import { createRun } from './write.ts'

/** Carries out erasures in steps, and wipes the traces that they leave in the files. */

/** Long enough for any read to end. After that, the WAL is left to a later checkpoint, after which it is overwritten. */
const LOG_ATTEMPTS = 50
const LOG_AGAIN_MS = 20

/** A restored backup may hold what was removed after it was made: that is erased before anything is served. */
export async function eraseRemoved(db: Database, now: number): Promise<void> {
  const removed = await db.read(() => db.all<{ id: number }>(REMOVED_CHANNELS).map(({ id }) => id))
  if (removed.length > 0) await createRun(db)((draft) => planErasureOfRemoved(draft, removed, now))
}

/** Finishes erasures that were begun by this process or by one that crashed. */
export async function eraseWaiting(db: Database, retention: Retention): Promise<void> {
  const sql = 'select channel_id as id from erasures'
  const waiting = await db.read(() => db.all<{ id: number }>(sql).map(({ id }) => id))
  await eraseAll(db, waiting, retention)
}

/** Resolves to how many posts were erased. */
export async function eraseAll(
  db: Database,
  channelIds: readonly number[],
  retention: Retention,
): Promise<number> {
  const { posts, isTraceLeft } = await eraseInSteps(createRun(db), channelIds, retention)
  if (isTraceLeft) await truncateWal(db)
  return posts
}

/**
 * Erased content is overwritten with zeros in the database file, but the WAL still holds older versions of its pages. It
 * cannot be truncated while anyone reads them, so this retries for a while.
 */
export async function truncateWal(db: Database): Promise<void> {
  for (let attempt = 0; attempt < LOG_ATTEMPTS; attempt++) {
    const row = await db.pragma<{ busy: number }>('wal_checkpoint(truncate)')
    if (row?.busy === 0) return
    await systemClock.sleep(LOG_AGAIN_MS)
  }
}
