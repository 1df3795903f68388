import type { DatabaseSync } from 'node:sqlite'
import { MAX_SLOTS } from './rowid.ts'
import { createBucket } from './schema.ts'

/** How many slots and posts each bucket has: read once a batch, changed in memory, written once. */
export function createBucketCounts(db: DatabaseSync) {
  const open = new Map<number, { slots: number; posts: number; live: number }>()
  const read = db.prepare('select next_slot, posts, live from bucket where bucket = ?')
  const write = db.prepare('update bucket set next_slot = ?, posts = ?, live = ? where bucket = ?')

  function countsOf(bucket: number) {
    let counts = open.get(bucket)
    if (!counts) {
      const row = read.get(bucket)
      if (!row) createBucket(db, bucket)
      counts = {
        slots: Number(row?.['next_slot'] ?? 0),
        posts: Number(row?.['posts'] ?? 0),
        live: Number(row?.['live'] ?? 0),
      }
      open.set(bucket, counts)
    }
    return counts
  }

  return {
    /** A place for a post; the bucket's tables are made with its first. An edited post takes a new place and counts once. */
    takeSlot(bucket: number, isNew: boolean): number {
      const counts = countsOf(bucket)
      if (counts.slots >= MAX_SLOTS) {
        throw new Error(
          `a week holds at most ${MAX_SLOTS} posts here; larger indexes need OpenSearch`,
        )
      }
      if (isNew) counts.posts++
      counts.live++
      return counts.slots++
    },
    /** A post is gone; its place stays empty. */
    giveUp(bucket: number): void {
      countsOf(bucket).live--
    },
    flush(): void {
      for (const [bucket, { slots, posts, live }] of open) write.run(slots, posts, live, bucket)
      open.clear()
    },
  }
}
