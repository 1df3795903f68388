import type { DatabaseSync } from 'node:sqlite'

/** How many posts hold each term, per bucket: what relaxing, expanding prefixes and work budgets go by. */
export function createTermCounts(db: DatabaseSync) {
  const added = new Map<number, Map<string, number>>()
  const grow = db.prepare(
    `insert into term (term, bucket, df) values (?, ?, ?)
     on conflict (term, bucket) do update set df = df + excluded.df`,
  )
  return {
    add(bucket: number, terms: readonly string[]): void {
      let counts = added.get(bucket)
      if (!counts) added.set(bucket, (counts = new Map()))
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
    },
    flush(): void {
      for (const [bucket, counts] of added) {
        // In the table's own order: neighbours share pages.
        const terms = [...counts.keys()].sort()
        for (const term of terms) grow.run(term, bucket, counts.get(term)!)
      }
      added.clear()
    },
  }
}
