import { carryOut } from '../plan/run-plan.ts'
import { planNumbersRemoval } from '../plan/removal.ts'
import { numbersOf } from '../plan/register.ts'
import { unpackRemoval, type StoredRemoval } from '../removal-codec.ts'
import type { Database } from './database.ts'
import { wipeTraces } from './eraser.ts'
import { ON_KNOWN } from './register.ts'
import { rowsOf } from './write.ts'

/**
 * The register lives in the store, where writes are held against it in their own transaction. The ledger has a copy:
 * when an older `store.db` is put back from a backup, what was removed since goes before anything is served. Called at
 * the start, after each removal and now and then, since a page may tell the numeric id of an entry later; what a crash
 * keeps from one file the next start brings there. The store's lock
 * guards both files, so that nobody copies back what another is about to lift.
 */
export async function reconcileRegister(
  db: Database,
  ledger: Database,
  now: number,
): Promise<void> {
  const compare = () => {
    const [kept, copied] = [db.all<StoredRemoval>(ALL), ledger.all<StoredRemoval>(ALL)]
    return { lost: without(copied, kept), uncopied: without(kept, copied) }
  }
  const found = await db.read(compare)
  if (found.lost.length === 0 && found.uncopied.length === 0) return
  const isErased = await db.write(() => {
    const { lost, uncopied } = compare()
    db.run(COPY, JSON.stringify(lost))
    for (const row of lost) {
      if (row.number === 0) continue
      const channel = { name: row.name_key, platformId: row.platform_id }
      const numbers = numbersOf(unpackRemoval(row))
      carryOut((draft) => planNumbersRemoval(draft, channel, numbers, now), rowsOf(db))
    }
    ledger.run(COPY, JSON.stringify(uncopied))
    return lost.some((row) => row.number > 0)
  })
  if (isErased) await wipeTraces(db)
}

/** Those that the others have not, or without the numeric id. */
function without(
  rows: readonly StoredRemoval[],
  others: readonly StoredRemoval[],
): StoredRemoval[] {
  const id = ({ name_key, number }: StoredRemoval) => `${name_key}/${number}`
  const known = new Map(others.map((row) => [id(row), row.platform_id]))
  return rows.filter((row) => {
    const platformId = known.get(id(row))
    return platformId === undefined || (platformId === null && row.platform_id !== null)
  })
}

const ALL = 'select * from removals'
// One statement, so that it is a transaction of its own in the ledger.
const COPY = `insert into removals select value ->> 'name_key', value ->> 'number', value ->> 'platform_id',
  value ->> 'members', value ->> 'reason', value ->> 'removed_at' from json_each(?) where true ${ON_KNOWN}`
