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

interface Entry<K, V> {
  readonly key: K
  readonly value: V
  readonly since: number
  readonly bytes: number
  older?: Entry<K, V> | undefined
  newer?: Entry<K, V> | undefined
}

/**
 * The entries are linked in the order of their use. A map alone also has an order, but to find its first entry it has to
 * skip all that were deleted before, which are tens of thousands in a large cache.
 */
export function createCache<K, V>(options: CacheOptions<V>): Cache<K, V> {
  const { maxEntries, maxAge, maxBytes } = options
  const entries = new Map<K, Entry<K, V>>()
  let oldest: Entry<K, V> | undefined
  let newest: Entry<K, V> | undefined
  let bytes = 0

  function append(entry: Entry<K, V>): void {
    entry.older = newest
    entry.newer = undefined
    if (newest) newest.newer = entry
    else oldest = entry
    newest = entry
  }

  function unlink({ older, newer }: Entry<K, V>): void {
    if (older) older.newer = newer
    else oldest = newer
    if (newer) newer.older = older
    else newest = older
  }

  function remove(entry: Entry<K, V>): void {
    unlink(entry)
    entries.delete(entry.key)
    bytes -= entry.bytes
  }

  const cache: Cache<K, V> = {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      if (maxAge && maxAge.clock.elapsed() - entry.since >= maxAge.ms) {
        remove(entry)
        return undefined
      }
      unlink(entry)
      append(entry)
      return entry.value
    },
    set(key, value, since = maxAge?.clock.elapsed() ?? 0) {
      cache.delete(key)
      const entry = { key, value, since, bytes: maxBytes?.of(value) ?? 0 }
      entries.set(key, entry)
      append(entry)
      bytes += entry.bytes
      while (oldest && (entries.size > maxEntries || bytes > (maxBytes?.bytes ?? Infinity)))
        remove(oldest)
    },
    getOrMake(key, make) {
      const held = cache.get(key)
      if (held !== undefined) return held
      const made = make()
      cache.set(key, made)
      return made
    },
    delete(key) {
      const entry = entries.get(key)
      if (entry) remove(entry)
    },
    *keys() {
      for (let entry = oldest; entry; entry = entry.newer) yield entry.key
    },
  }
  return cache
}
