import type { Known, Wanted } from './rows.ts'

/**
 * Decides what an event changes, or part of it: it asks for rows by `yield` and drafts what to write. Each `yield` is one
 * round trip for a networked database, so a plan asks at once for everything it can foresee, and again only in rare cases.
 */
export type Plan<T> = Generator<Wanted, T, Known>
