import type { RemovalRow } from '../plan/rows.ts'
import { packRemoval, type StoredRemoval } from '../removal-codec.ts'
import type { Queries } from './database.ts'
import { rowSet } from './row-set.ts'

/** Writes the rows of the opt-out register, which are in the schema that a restore never replaces. */

/** An existing entry stays as it is, except that it learns the numeric id. */
export async function register(tx: Queries, entries: readonly RemovalRow[]): Promise<void> {
  if (entries.length === 0) return
  // PostgreSQL rejects an upsert that has the same key twice.
  const rows = new Map<string, StoredRemoval>()
  for (const values of entries.map(packRemoval)) {
    const key = `${values.name_key} ${values.number}`
    const known = rows.get(key)
    rows.set(
      key,
      known ? { ...known, platform_id: known.platform_id ?? values.platform_id } : values,
    )
  }
  await tx.run(REGISTER, ...REMOVALS.values([...rows.values()]))
}

export const REMOVALS = rowSet(
  'name_key text, number int, platform_id bigint, members text, reason text, removed_at bigint',
)
const REGISTER = `insert into removals as m (${REMOVALS.columns}) select * from ${REMOVALS.from()}
  order by name_key, number
  on conflict (name_key, number) do update set platform_id = coalesce(m.platform_id, excluded.platform_id)`
