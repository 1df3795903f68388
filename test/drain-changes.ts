import { claimChanges } from '../src/indexing/claim-changes.ts'
import { systemClock } from '../src/model/clock.ts'
import type { Change } from '../src/store/changes.ts'
import type { Store } from '../src/store/store.ts'

/** Reads a batch, hands it over and deletes it; resolves to how many changes were handed over. */
export async function drainChanges(
  { changes }: Pick<Store, 'changes'>,
  consumer: string,
  limit: number,
  handle: (changes: readonly Change[]) => Promise<void>,
): Promise<number> {
  const held = await claimChanges(changes, { consumer, limit, clock: systemClock })
  if (!held) return 0
  await handle(held.changes)
  await held.done()
  return held.changes.length
}
