import type { Clock } from '../src/model/clock.ts'
import { openMemoryStore } from '../src/store/contract/memory/memory-store.ts'
import type { Retention, Store } from '../src/store/store.ts'

/** A store in memory with the default retention. */
export async function openMemory(clock: Clock, kept: Partial<Retention> = {}): Promise<Store> {
  const retention = { deleted: 'redact', versions: 'keep', ...kept } as const
  return openMemoryStore({ retention, clock })
}
