import type { DatabaseSync } from 'node:sqlite'

/** Pages merged in one transaction: about 4 MB, so that a batch of posts never waits long behind it. */
const PAGES = 1_000

/** A term costs a look into every segment. A week that is over gets few new posts, so its segments are made one. */
export function createCompactor() {
  const begun = new Set<number>()

  return {
    /** One step of merging this bucket; false when it is done. */
    step(db: DatabaseSync, bucket: number): boolean {
      const table = `fts_${bucket}`
      const row = db.prepare(`select count(distinct segid) as n from ${table}_idx`).get()
      if (Number(row?.['n']) <= 1) {
        begun.delete(bucket)
        return false
      }
      // Negative: take all segments, whatever their size; then go on with what was begun.
      const pages = begun.has(bucket) ? PAGES : -PAGES
      begun.add(bucket)
      const before = changes(db)
      db.exec(`insert into ${table} (${table}, rank) values ('merge', ${pages})`)
      if (changes(db) - before >= 2) return true
      begun.delete(bucket)
      return false
    },
  }
}

function changes(db: DatabaseSync): number {
  return Number(db.prepare('select total_changes() as n').get()?.['n'])
}
