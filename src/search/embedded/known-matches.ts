import type { Expr } from '../expr.ts'
import { Known } from './postings/known.ts'
import type { Segment } from './postings/segment.ts'

/**
 * What was found before, by expression and segment. Segments never change, so it still matches; which posts are gone since
 * is told apart. Whoever turns pages or asks again every minute has only new posts looked through.
 */
export interface KnownMatches {
  /** What is known of the expression in each segment; null where it is not worth knowing. */
  of(expr: Expr | null): (segment: Segment) => Known | null
  /** The segment serves no more. */
  forget(segment: Segment): void
}

/** Expressions remembered, and matches of all of them: 8 MB. */
const MAX_EXPRS = 1_000
const MAX_MATCHES = 1_000_000
/** A longer expression is no question that is asked again. */
const MAX_KEY = 4_000

const forgetful = () => null

export function createKnownMatches(): KnownMatches {
  // Those asked for lately, and those before them: whoever is asked for again stays.
  let lately = new Map<string, Map<number, Known>>()
  let before: typeof lately = new Map()
  let last = new Map<number, Known>()
  let matches = 0

  function knownOf(key: string): Map<number, Known> {
    let found = lately.get(key)
    if (found) return found
    found = before.get(key) ?? new Map()
    // By now it is clear how many the one before has.
    for (const { count } of last.values()) matches += count
    if (lately.size >= MAX_EXPRS / 2 || matches >= MAX_MATCHES / 2) {
      before = lately
      lately = new Map()
      matches = 0
    }
    lately.set(key, (last = found))
    return found
  }

  return {
    of(expr) {
      if (expr === null) return forgetful
      const key = JSON.stringify(expr)
      if (key.length > MAX_KEY) return forgetful
      const bySegment = knownOf(key)
      return ({ id, rowids, sizes }) => {
        // Small ones are soon part of a larger one.
        if (rowids.length < sizes.knownFrom) return null
        let known = bySegment.get(id)
        if (!known) bySegment.set(id, (known = new Known()))
        return known
      }
    },
    forget({ id }) {
      for (const known of [lately, before]) for (const each of known.values()) each.delete(id)
    },
  }
}
