import type { Clock } from '../model/clock.ts'
import { asAppError, isUnavailable, type AppError } from '../model/errors.ts'
import type { SearchQuery } from '../model/query.ts'
import { spareTurn } from '../model/turns.ts'
import type { SinkKind, Watch, WatchOptions } from '../model/watch.ts'
import { findJoined } from '../operations/find-joined.ts'
import {
  createPercolator,
  standingQuery,
  type PercolatedPost,
} from '../search/percolator/percolator.ts'
import type { Store } from '../store/store.ts'

/** All watches, held in memory so that posts can be matched against them. */
export interface LoadedWatches {
  readonly size: number
  /** The revision up to which they are loaded. */
  readonly revision: number
  /** Loads watches that were added, changed or removed. */
  load(signal?: AbortSignal): Promise<void>
  get(id: number): LoadedWatch | undefined
  all(): Iterable<LoadedWatch>
  /** The ids of the watches whose search finds the post. */
  match(post: PercolatedPost): readonly number[]
}

export interface LoadedWatch {
  readonly options: WatchOptions
  /** The sinks that are not stopped. */
  readonly kinds: readonly SinkKind[]
  readonly since: number
}

export interface LoadedWatchesOptions {
  readonly store: Pick<Store, 'archive' | 'watches'>
  /** Read again once one of the unknown channels has been added. */
  readonly read: (
    query: Watch['query'],
  ) => Promise<{ readonly query: SearchQuery; readonly unknown: readonly string[] }>
  readonly clock: Clock
  /** Called for a watch that could be read when it was added but cannot be read now. */
  readonly onUnreadable: (watch: string, error: AppError) => void
}

const WATCHES_A_STEP = 250
/** How often the channels that watches wait for are looked up. */
const AGAIN_MS = 60_000

export function createLoadedWatches(options: LoadedWatchesOptions): LoadedWatches {
  const { read, clock, onUnreadable } = options
  const { watches } = options.store
  const percolator = createPercolator<number>()
  const loaded = new Map<number, LoadedWatch>()
  const waiting = new Map<number, { readonly watch: Watch; readonly unknown: readonly string[] }>()
  let revision = 0
  let lookedUpSince = clock.elapsed()

  async function file(watch: Watch): Promise<void> {
    const { id, options, since, stopped } = watch
    const kinds = (Object.keys(watch.sinks) as SinkKind[]).filter((kind) => !(kind in stopped))
    try {
      const { query, unknown } = await read(watch.query)
      percolator.add(id, standingQuery(query, clock.now()))
      loaded.set(id, { options, kinds, since })
      if (unknown.length > 0) waiting.set(id, { watch, unknown })
      else waiting.delete(id)
    } catch (error) {
      // The store could not be asked about its channels: that says nothing about the watch.
      if (isUnavailable(error)) throw error
      const told = asAppError(error)
      forget(id)
      onUnreadable(watch.name, told)
    }
  }

  function forget(id: number): void {
    percolator.delete(id)
    loaded.delete(id)
    waiting.delete(id)
  }

  async function readAgain(): Promise<void> {
    if (waiting.size === 0 || clock.elapsed() - lookedUpSince < AGAIN_MS) return
    lookedUpSince = clock.elapsed()
    for (const { watch } of await findJoined(options, waiting.values())) await file(watch)
  }

  return {
    get size() {
      return percolator.size
    },
    get revision() {
      return revision
    },
    async load(signal) {
      await readAgain()
      const newest = await watches.revision()
      while (revision < newest) {
        const changes = await watches.changesSince(revision, WATCHES_A_STEP)
        for (const { id, watch } of changes) {
          await spareTurn()
          signal?.throwIfAborted()
          if (watch) await file(watch)
          else forget(id)
        }
        // The newest revision may have been a removal that has since been forgotten.
        revision = changes.at(-1)?.revision ?? newest
      }
    },
    get: (id) => loaded.get(id),
    all: () => loaded.values(),
    match: (post) => percolator.match(post),
  }
}
