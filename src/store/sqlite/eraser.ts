import { systemClock } from '../../model/clock.ts'
import { eraseAll as eraseSteps, planBarred } from '../plan/erasure.ts'
import type { Retention } from '../store.ts'
import { BARRED } from '../removal-codec.ts'
import type { Database } from './database.ts'
import { pendingErasures } from './erasure-rows.ts'
import { createRun } from './write.ts'

/** Carries out erasures, a piece at a time, and wipes what they leave behind in the files. */

/** A read is over in less; after that the log is left to the next checkpoint, which writes over it. */
const LOG_ATTEMPTS = 50
const LOG_AGAIN_MS = 20

/** A restored copy may hold what was removed since it was made: that goes before anything is served. */
export async function holdAgainstRegister(db: Database, now: number): Promise<void> {
  const barred = await db.read(() => db.all<{ id: number }>(BARRED).map(({ id }) => id))
  if (barred.length > 0) await createRun(db)((draft) => planBarred(draft, barred, now))
}

/** Finishes what was begun, by this process or by one that crashed. */
export async function eraseWaiting(db: Database, retention: Retention): Promise<void> {
  const waiting = await db.read(() => pendingErasures(db))
  await eraseAll(db, waiting, retention)
}

/** Resolves to how many posts there were. */
export async function eraseAll(
  db: Database,
  channelIds: readonly number[],
  retention: Retention,
): Promise<number> {
  const { posts, isTraceLeft } = await eraseSteps(createRun(db), channelIds, retention)
  if (isTraceLeft) await wipeTraces(db)
  return posts
}

/** What was erased is zeroed in its tables at once; the log holds pages as they were before. While somebody reads them, it cannot be emptied. */
export async function wipeTraces(db: Database): Promise<void> {
  for (let attempt = 0; attempt < LOG_ATTEMPTS; attempt++) {
    const row = await db.read(() => db.get<{ busy: number }>('pragma wal_checkpoint(truncate)'))
    if (row?.busy === 0) return
    await systemClock.sleep(LOG_AGAIN_MS)
  }
}
