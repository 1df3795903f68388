import type { Clock } from '../../../model/clock.ts'
import type { SinkKind, Watch } from '../../../model/watch.ts'
import type { WatchEvent, WatchPosition, WatchStep } from '../../deliveries.ts'
import { stopSink, type Watches } from '../../watches.ts'

export interface Watching {
  /** `watch` is null for a removed watch, which leaves only its revision. */
  readonly watches: Map<number, { revision: number; watch: Watch | null; at: number }>
  position: WatchPosition
  told: WatchStep['told'][number][]
  deliveries: KeptDelivery[]
  /** Until when nothing is sent to a sink, by watch and sink. */
  readonly held: Map<string, number>
  lastRevision: number
  lastId: number
}

export interface KeptDelivery {
  readonly id: number
  readonly watchId: number
  readonly sink: SinkKind
  events: readonly WatchEvent[]
  readonly createdAt: number
  dueAt: number
  readonly together: boolean
  attempt: number
  triedSince: number | null
  /** Null unless it is a dead letter. */
  diedAt: number | null
  error: string
}

export function createWatching(): Watching {
  return {
    watches: new Map(),
    position: { seq: null, part: null },
    told: [],
    deliveries: [],
    held: new Map(),
    lastRevision: 0,
    lastId: 0,
  }
}

export function createWatches(state: Watching, clock: Clock): Watches {
  const living = () => [...state.watches.values()].flatMap(({ watch }) => watch ?? [])
  const named = (name: string) => living().find((watch) => watch.name === name)
  const write = (id: number, watch: Watch | null) => {
    state.watches.set(id, { revision: ++state.lastRevision, watch, at: clock.now() })
  }
  return {
    async put(given) {
      const id = named(given.name)?.id ?? ++state.lastId
      const watch = structuredClone({ ...given, id, stopped: {} })
      write(id, watch)
      return watch
    },
    async remove(name) {
      const id = named(name)?.id
      if (id === undefined) return false
      write(id, null)
      state.told = state.told.filter(({ watchId }) => watchId !== id)
      state.deliveries = state.deliveries.filter(({ watchId }) => watchId !== id)
      return true
    },
    get: async (name) => named(name),
    byId: async (id) => state.watches.get(id)?.watch ?? undefined,
    async list(after, limit) {
      return living()
        .filter(({ name }) => after === null || name > after)
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .slice(0, limit)
    },
    count: async () => living().length,
    async stop(given, sink, reason) {
      const { id } = given
      const watch = stopSink(state.watches.get(id)?.watch ?? undefined, given, { sink, reason })
      if (!watch) return false
      write(id, watch)
      for (const kept of state.deliveries) {
        if (kept.watchId !== id || kept.sink !== sink || kept.diedAt !== null) continue
        Object.assign(kept, { diedAt: clock.now(), error: reason })
      }
      return true
    },
    revision: async () => state.lastRevision,
    async changesSince(revision, limit) {
      return [...state.watches]
        .map(([id, { watch, ...kept }]) => ({ revision: kept.revision, id, watch }))
        .filter((change) => change.revision > revision)
        .toSorted((a, b) => a.revision - b.revision)
        .slice(0, limit)
    },
  }
}
