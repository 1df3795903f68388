import type { Clock } from './clock.ts'

/** A least-recently-used cache of bounded size, whose values may also expire. */
export interface Cache<K, V> {
  get(key: K): V | undefined
  /** `since`: when the value was true, in the clock's elapsed time; now by default. */
  set(key: K, value: V, since?: number): void
  /** The cached value, or what `make` returns, which is then cached. */
  getOrMake(key: K, make: () => V): V
  delete(key: K): void
  /** Least recently used first; includes values that have expired but were not evicted yet. */
  keys(): IterableIterator<K>
}

interface CacheOptions<V> {
  readonly maxEntries: number
  /** How long a value may be used; without it, values never expire. */
  readonly maxAge?: { readonly ms: number; readonly clock: Pick<Clock, 'elapsed'> }
  /** A bound on the total size of the values. */
  readonly maxBytes?: { readonly bytes: number; readonly of: (value: V) => number }
}

export function createCache<K, V>(options: CacheOptions<V>): Cache<K, V> {
  const { maxEntries, maxAge, maxBytes } = options
  const entries = new Map<
    K,
    { readonly value: V; readonly since: number; readonly bytes: number }
  >()
  let bytes = 0

  function remove(key: K): void {
    bytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  const cache: Cache<K, V> = {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      if (maxAge && maxAge.clock.elapsed() - entry.since >= maxAge.ms) {
        remove(key)
        return undefined
      }
      // Reinsert: the map's order is the order of use.
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key, value, since = maxAge?.clock.elapsed() ?? 0) {
      remove(key)
      const weight = maxBytes?.of(value) ?? 0
      entries.set(key, { value, since, bytes: weight })
      bytes += weight
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && bytes <= (maxBytes?.bytes ?? Infinity)) return
        remove(oldest)
      }
    },
    getOrMake(key, make) {
      const held = cache.get(key)
      if (held !== undefined) return held
      const made = make()
      cache.set(key, made)
      return made
    },
    delete: remove,
    keys: () => entries.keys(),
  }
  return cache
}
