import { nameKey } from '../../model/channel-name.ts'
import type { Removal } from '../removals.ts'
import type { Database } from './database.ts'
import { namesOf } from './channel-rows.ts'

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

/** The same for a channel that is archived, under any name it owns. */
export function removalOf(db: Database, channelId: number): Removal | undefined {
  const row = db.get<RemovalRow>(REMOVAL_OF, channelId)
  return row && unpackRemoval(row)
}

/** Registers a whole channel under each of its names; a name that is there already keeps its entry. */
export function registerNames(
  db: Database,
  names: readonly string[],
  removal: Pick<Removal, 'platformId' | 'reason' | 'removedAt'>,
): void {
  for (const name of new Set(names)) {
    db.run(REGISTER, name, 0, removal.platformId, '[]', removal.reason, removal.removedAt)
  }
}

export function registerPost(
  db: Database,
  removal: Removal & { readonly number: number },
  members: readonly number[],
): void {
  const { name, number, platformId, reason, removedAt } = removal
  db.run(REGISTER, name, number, platformId, JSON.stringify(members), reason, removedAt)
}

/** Entries of single posts that a channel of these names and this id may not show. */
export function postRemovals(
  db: Database,
  names: readonly string[],
  platformId: number | null,
): RemovalRow[] {
  return db.all<RemovalRow>(POSTS, JSON.stringify(names), platformId)
}

export function removedNumbers(db: Database, channelId: number): ReadonlySet<number> {
  const isAny = db.get<{ number: number }>('select number from removals where number > 0 limit 1')
  if (!isAny) return new Set()
  const channel = db.get<{ platform_id: number | null }>(PLATFORM_ID, channelId)
  const rows = postRemovals(db, namesOf(db, channelId), channel?.platform_id ?? null)
  return new Set(rows.flatMap(numbersOf))
}

export function numbersOf(row: RemovalRow): number[] {
  return [row.number, ...(JSON.parse(row.members) as number[])]
}

const FIND = `select * from removals where number = 0 and (name_key = ?1 or platform_id = ?2)
  order by name_key <> ?1, removed_at, name_key limit 1`
const REGISTER = `insert into removals values (?, ?, ?, ?, ?, ?)
  on conflict do update set platform_id = coalesce(platform_id, excluded.platform_id)`
const POSTS = `select * from removals
  where number > 0 and (name_key in (select value from json_each(?)) or platform_id = ?)
  order by removed_at, name_key, number`
const PLATFORM_ID = 'select platform_id from channels where id = ?'
/** `isMeant` of the channel rules. */
const MEANT = '(r.platform_id = c.platform_id or r.platform_id is null or c.platform_id is null)'
/** Archived channels whose number or a name they own is in the register; found from the register's side, which is short. */
export const BARRED = `select c.id, c.posts, c.username from removals r
    join channels c on c.platform_id = r.platform_id where r.number = 0
  union select c.id, c.posts, c.username from removals r
    join channel_names n on n.name_key = r.name_key join channels c on c.id = n.channel_id
    where r.number = 0 and ${MEANT}`
const REMOVAL_OF = `select r.* from removals r join channels c on c.id = ?
  where r.number = 0 and ${MEANT} and (r.platform_id = c.platform_id
    or r.name_key in (select n.name_key from channel_names n where n.channel_id = c.id))
  order by r.removed_at, r.name_key limit 1`
