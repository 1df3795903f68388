/** What live reads fetched lately, least recently used thrown out first; bounded in entries and in memory. */
interface PageCache<T> {
  /** Undefined when there is none that young. */
  get(key: string, maxAgeMs: number): T | undefined
  set(key: string, value: T): void
  /** Forgets everything about keys that begin so. */
  drop(prefix: string): void
}

interface PageCacheOptions<T> {
  readonly maxEntries: number
  readonly maxBytes: number
  readonly bytesOf: (value: T) => number
  readonly ageOf: (value: T) => number
}

export function createPageCache<T>(options: PageCacheOptions<T>): PageCache<T> {
  const entries = new Map<string, { readonly value: T; readonly bytes: number }>()
  let bytes = 0
  const remove = (key: string) => {
    bytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }
  return {
    get(key, maxAgeMs) {
      const entry = entries.get(key)
      if (!entry || options.ageOf(entry.value) > maxAgeMs) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key, value) {
      remove(key)
      const size = options.bytesOf(value)
      entries.set(key, { value, bytes: size })
      bytes += size
      for (const oldest of entries.keys()) {
        if (entries.size <= options.maxEntries && bytes <= options.maxBytes) return
        remove(oldest)
      }
    },
    drop(prefix) {
      for (const key of entries.keys()) if (key.startsWith(prefix)) remove(key)
    },
  }
}
