import type { DatabaseSync } from 'node:sqlite'

/** Rows put at a time: binding many to one statement takes a third off each. */
const ROWS = 64

/** How many posts hold each term, per bucket: what relaxing, expanding prefixes and work budgets go by. */
export function createTermCounts(db: DatabaseSync) {
  const added = new Map<number, Map<string, Counter>>()
  const growMany = db.prepare(upsert(ROWS))
  const growOne = db.prepare(upsert(1))

  return {
    /** Counts each term of a post once and returns them so; in the table they begin with `prefix`. */
    distinct(bucket: number, prefix: string, terms: readonly string[]): string[] {
      let counters = added.get(bucket)
      if (!counters) added.set(bucket, (counters = new Map()))
      let counter = counters.get(prefix)
      if (!counter) counters.set(prefix, (counter = createCounter()))
      return counter.distinct(terms)
    },
    flush(): void {
      for (const [bucket, counters] of added) {
        const counts = [...counters].flatMap(([prefix, counter]) => counter.counts(prefix))
        // In the table's own order: neighbours share pages.
        counts.sort((a, b) => (a.term < b.term ? -1 : 1))
        const values = (from: number, to: number) =>
          counts.slice(from, to).flatMap(({ term, df }) => [term, bucket, df])
        let at = 0
        for (; at + ROWS <= counts.length; at += ROWS) growMany.run(...values(at, at + ROWS))
        for (; at < counts.length; at++) growOne.run(...values(at, at + 1))
      }
      added.clear()
    },
  }
}

interface Counter {
  distinct(terms: readonly string[]): string[]
  counts(prefix: string): { readonly term: string; readonly df: number }[]
}

/** One look-up a word tells both whether the post had it before and how many posts did. */
function createCounter(): Counter {
  const held = new Map<string, { df: number; post: number }>()
  let post = 0
  return {
    distinct(terms) {
      post++
      return terms.filter((term) => {
        const count = held.get(term)
        if (!count) held.set(term, { df: 1, post })
        else if (count.post === post) return false
        else {
          count.df++
          count.post = post
        }
        return true
      })
    },
    counts: (prefix) => [...held].map(([term, { df }]) => ({ term: prefix + term, df })),
  }
}

function upsert(rows: number): string {
  return `insert into term (term, bucket, df) values ${Array(rows).fill('(?, ?, ?)').join(', ')}
    on conflict (term, bucket) do update set df = df + excluded.df`
}
