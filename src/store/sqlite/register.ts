import { nameKey } from '../../model/channel-name.ts'
import type { RemovalRow as Entry } from '../plan/rows.ts'
import type { Removal } from '../removals.ts'
import type { Database } from './database.ts'

/** The opt-out register's rows. */

export interface RemovalRow {
  readonly name_key: string
  readonly number: number
  readonly platform_id: number | null
  readonly members: string
  readonly reason: string
  readonly removed_at: number
}

export function unpackRemoval(row: RemovalRow): Removal {
  return {
    name: row.name_key,
    platformId: row.platform_id,
    number: row.number === 0 ? null : row.number,
    reason: row.reason,
    removedAt: row.removed_at,
  }
}

export function findRemoval(
  db: Database,
  channel: { readonly name?: string; readonly platformId?: number | null },
): Removal | undefined {
  const name = channel.name === undefined ? '' : nameKey(channel.name)
  const row = db.get<RemovalRow>(FIND, name, channel.platformId ?? null)
  return row && unpackRemoval(row)
}

/** All entries for these names and numeric ids. */
export function loadRemovals(
  db: Database,
  names: readonly string[],
  platformIds: readonly (number | null)[],
): Entry[] {
  const rows = db.all<RemovalRow>(CONCERNING, JSON.stringify(names), JSON.stringify(platformIds))
  return rows.map((row) => ({
    ...unpackRemoval(row),
    members: JSON.parse(row.members) as number[],
  }))
}

/** An entry that is there already stays; it only learns the numeric id. */
export function register(db: Database, entry: Entry): void {
  const { name, number, platformId, members, reason, removedAt } = entry
  db.run(REGISTER, name, number ?? 0, platformId, JSON.stringify(members), reason, removedAt)
}

const FIND = `select * from removals where number = 0 and (name_key = ?1 or platform_id = ?2)
  order by name_key <> ?1, removed_at, name_key limit 1`
export const ON_KNOWN =
  'on conflict do update set platform_id = coalesce(platform_id, excluded.platform_id)'
const REGISTER = `insert into removals values (?, ?, ?, ?, ?, ?) ${ON_KNOWN}`
const CONCERNING = `select * from removals where name_key in (select value from json_each(?))
  or platform_id in (select value from json_each(?))`
/** `isMeant` of the channel rules. */
const MEANT = '(r.platform_id = c.platform_id or r.platform_id is null or c.platform_id is null)'
/** Archived channels whose number or a name they own is in the register; found from the register's side, which is short. */
export const BARRED = `select c.id, c.username from removals r
    join channels c on c.platform_id = r.platform_id where r.number = 0
  union select c.id, c.username from removals r
    join channel_names n on n.name_key = r.name_key join channels c on c.id = n.channel_id
    where r.number = 0 and ${MEANT}`
