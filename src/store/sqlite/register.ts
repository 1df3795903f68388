import type { RemovalRow } from '../plan/rows.ts'
import { packRemoval, unpackRemoval, type StoredRemoval } from '../removal-codec.ts'
import type { Database } from './database.ts'

/** Reads and writes the rows of the opt-out register. */

/** All entries for these names and numeric ids. */
export function loadRemovals(
  db: Database,
  names: readonly string[],
  platformIds: readonly (number | null)[],
): RemovalRow[] {
  const asked = [JSON.stringify(names), JSON.stringify(platformIds)] as const
  return db.all<StoredRemoval>(CONCERNING, ...asked).map(unpackRemoval)
}

/** An existing entry stays as it is, except that it learns the numeric id. */
export function register(db: Database, entry: RemovalRow): void {
  const { name_key, number, platform_id, members, reason, removed_at } = packRemoval(entry)
  db.run(REGISTER, name_key, number, platform_id, members, reason, removed_at)
}

export const ON_KNOWN =
  'on conflict do update set platform_id = coalesce(platform_id, excluded.platform_id)'
const REGISTER = `insert into removals values (?, ?, ?, ?, ?, ?) ${ON_KNOWN}`
const CONCERNING = `select * from removals where name_key in (select value from json_each(?))
  or platform_id in (select value from json_each(?))`
