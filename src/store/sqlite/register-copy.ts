import { planNumbersRemoval } from '../plan/removal.ts'
import { numbersOf } from '../plan/register.ts'
import { unpackRemoval, type StoredRemoval } from '../removal-codec.ts'
import type { Database } from './database.ts'
import { truncateWal } from './eraser.ts'
import { ON_KNOWN } from './register.ts'
import { runIn } from './write.ts'

/**
 * The register lives in the store, where each write is checked against it in its own transaction. The ledger has a copy:
 * when an older `store.db` is restored from a backup, what was removed since is erased before anything is served. Called at
 * the start, after each removal and periodically, since a page may reveal the numeric id of an entry later. If a crash
 * leaves one file behind, the next start brings it up to date. The store's write lock guards both files, so that no process
 * copies back an entry that another is lifting.
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
      runIn(db, (draft) => planNumbersRemoval(draft, channel, numbers, now))
    }
    ledger.run(COPY, JSON.stringify(uncopied))
    return lost.some((row) => row.number > 0)
  })
  if (isErased) await truncateWal(db)
}

/** Rows that the others lack, or have without the numeric id. */
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
// A single statement, so that it is its own transaction in the ledger.
const COPY = `insert into removals select value ->> 'name_key', value ->> 'number', value ->> 'platform_id',
  value ->> 'members', value ->> 'reason', value ->> 'removed_at' from json_each(?) where true ${ON_KNOWN}`
