import { setImmediate as breathe } from 'node:timers/promises'
import type { Database } from './database.ts'
import { BARRED } from './register.ts'
import { eraseSome, pendingErasures, startErasure } from './erase.ts'

/** Carries out erasures, a piece at a time. */

const POSTS_A_STEP = 500
/** Pages of the word search rewritten in one step, so that no trace of an erased post stays in its lists. */
const PAGES_A_STEP = 200

/** A restored copy may hold what was removed since it was made: that goes before anything is served. */
export async function holdAgainstRegister(db: Database): Promise<void> {
  await db.write(() => {
    for (const { id, posts } of db.all<{ id: number; posts: number }>(BARRED)) {
      startErasure(db, { id, posts }, 0)
    }
  })
}

/** Finishes what was begun, by this process or by one that crashed. */
export async function eraseWaiting(db: Database): Promise<void> {
  for (const channelId of await db.read(() => pendingErasures(db))) await eraseFully(db, channelId)
}

export async function eraseFully(db: Database, channelId: number): Promise<number> {
  let erased = 0
  for (;;) {
    const some = await db.write(() => eraseSome(db, channelId, POSTS_A_STEP))
    erased += some
    if (some === 0) break
    await breathe()
  }
  if (erased > 0) await rewriteTerms(db)
  return erased
}

/** The word search only marks what is deleted; merging its lists anew leaves it out for good. */
export async function rewriteTerms(db: Database): Promise<void> {
  await db.write(() => db.run(MERGE, -PAGES_A_STEP))
  for (;;) {
    const isDone = await db.write(() => {
      const before = totalChanges(db)
      db.run(MERGE, PAGES_A_STEP)
      return totalChanges(db) - before < 2
    })
    if (isDone) return
    await breathe()
  }
}

function totalChanges(db: Database): number {
  return db.get<{ count: number }>('select total_changes() as count')!.count
}

const MERGE = `insert into post_terms (post_terms, rank) values ('merge', ?)`
