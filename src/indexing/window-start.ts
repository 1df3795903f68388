import { WINDOW_MS } from '../search/search-index.ts'

/**
 * From when on posts belong into the index. The window ends with the newest post where the clock is ahead of that: no clock
 * that is wrong can empty an index, and searches leave out by themselves what is too old.
 */
export function windowStart(
  now: number,
  { newestPostAt }: { readonly newestPostAt: number | null },
): number {
  return Math.min(now, newestPostAt ?? now) - WINDOW_MS
}
