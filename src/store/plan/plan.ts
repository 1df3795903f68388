import type { Known, Wanted } from './rows.ts'

/**
 * What an event changes, or part of it: it asks for rows by `yield` and drafts what to write. Each `yield` is one round trip for
 * an adapter over a network, so a plan asks for all it can foresee at once, and again only where it met something rare.
 */
export type Plan<T> = Generator<Wanted, T, Known>
