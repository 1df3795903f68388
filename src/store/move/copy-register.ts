import { inBatches } from '../../model/in-batches.ts'
import { appliesTo } from '../channel-rules.ts'
import { planCopiedEntries, planRead } from '../plan/copy.ts'
import { numbersOf } from '../plan/register.ts'
import { planNumbersRemoval } from '../plan/removal.ts'
import type { RemovalRow } from '../plan/rows.ts'
import type { Removal } from '../removals.ts'
import type { Store } from '../store.ts'

/** Copies the opt-out register: what the source has removed is not in the target when the copy is done. */

interface Move {
  readonly from: Store
  readonly to: Store
  readonly at: number
}

const BATCH = 2_000

/** Resolves to the number of entries in the source's register. */
export async function copyRegister({ from, to, at }: Move): Promise<number> {
  const entries = await entriesBeside(from, to)
  // An interrupted copy may hold what the source has since removed. This comes first: a repeated run skips copied entries.
  await erase(to, entries, at)
  for (const part of inBatches(entries, BATCH))
    await to.run((draft) => planCopiedEntries(draft, part))
  return (await from.removals.list()).length
}

async function erase(to: Store, entries: readonly RemovalRow[], at: number): Promise<void> {
  for (const entry of entries) {
    const { name, platformId, number, reason, removedAt } = entry
    const platformIds = platformId === null ? [] : [platformId]
    const wanted = { channels: { names: [name], platformIds } }
    const { channels = [] } = await to.run(() => planRead(wanted))
    // The name may belong to another channel by now.
    for (const channel of channels.filter((known) => appliesTo(entry, known))) {
      if (number === null) await to.removals.removeChannel(channel.username, reason, removedAt)
      else
        await to.run((draft) =>
          planNumbersRemoval(draft, { name, platformId }, numbersOf(entry), at),
        )
    }
  }
}

/** Entries of one store's register that the other store's lacks, or has without the numeric id. */
async function entriesBeside({ removals, run }: Store, other: Store): Promise<RemovalRow[]> {
  const idOf = ({ name, number }: Removal) => `${name}/${number}`
  const there = new Map((await other.removals.list()).map((entry) => [idOf(entry), entry]))
  const isLacking = (entry: Removal) => {
    const known = there.get(idOf(entry))
    return !known || (known.platformId === null && entry.platformId !== null)
  }
  const lacking = (await removals.list()).filter(isLacking)
  const names = [...new Set(lacking.map(({ name }) => name))]
  const rows = new Map<string, RemovalRow>()
  for (const part of inBatches(names, BATCH)) {
    const known = await run(() => planRead({ channels: { names: part } }))
    for (const row of known.removals ?? []) if (isLacking(row)) rows.set(idOf(row), row)
  }
  return [...rows.values()]
}
