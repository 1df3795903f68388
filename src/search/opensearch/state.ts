import { LACKS_POSTS, WINDOW_MS, type IndexState } from '../search-index.ts'
import type { Meta } from './control.ts'

/** The state comes from one document, so that an answer which includes it does not wait for a count. */
export function describeState(meta: Meta, now: number, analyzerVersion: number): IndexState {
  const { oldestPostAt, ...tally } = meta.tally
  return {
    kind: 'opensearch',
    ...tally,
    oldestPostAt: oldestPostAt === null ? null : Math.max(oldestPostAt, now - WINDOW_MS),
    analyzerVersion,
    generation: meta.generation,
    complete: meta.complete,
    isAwaited: false,
    rebuilding: meta.rebuilding,
    removals: null,
    problem: meta.lacks ? LACKS_POSTS : null,
  }
}
