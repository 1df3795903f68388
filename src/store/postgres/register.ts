import { nameKey } from '../../model/channel-name.ts'
import type { RemovalRow } from '../plan/rows.ts'
import type { Removal } from '../removals.ts'
import type { Queries } from './database.ts'
import { rowSet } from './row-set.ts'

/** The opt-out register's rows. They are in the schema that a restore never replaces. */

export interface StoredRemoval {
  readonly name_key: string
  readonly number: number
  readonly platform_id: number | null
  readonly members: string
  readonly reason: string
  readonly removed_at: number
}

export function unpackRemoval(row: StoredRemoval): RemovalRow {
  return {
    name: row.name_key,
    platformId: row.platform_id,
    number: row.number === 0 ? null : row.number,
    reason: row.reason,
    removedAt: row.removed_at,
    members: JSON.parse(row.members) as number[],
  }
}

export async function findRemoval(
  queries: Queries,
  channel: { readonly name?: string; readonly platformId?: number | null },
): Promise<Removal | undefined> {
  const name = channel.name === undefined ? '' : nameKey(channel.name)
  const row = await queries.get<StoredRemoval>(FIND, name, channel.platformId ?? null)
  if (!row) return undefined
  const { members: _members, ...entry } = unpackRemoval(row)
  return entry
}

/** An entry that is there already stays; it only learns the numeric id. */
export function register(tx: Queries, entries: readonly RemovalRow[]): Promise<number> {
  // The same entry twice in one statement would be one too many for PostgreSQL.
  const rows = new Map<string, ReturnType<typeof valuesOf>>()
  for (const entry of entries) {
    const values = valuesOf(entry)
    const key = `${values.name_key} ${values.number}`
    const known = rows.get(key)
    rows.set(
      key,
      known ? { ...known, platform_id: known.platform_id ?? values.platform_id } : values,
    )
  }
  return tx.run(REGISTER, ...REMOVALS.values([...rows.values()]))
}

function valuesOf({ name, number, platformId, members, reason, removedAt }: RemovalRow) {
  return {
    name_key: name,
    number: number ?? 0,
    platform_id: platformId,
    members: JSON.stringify(members),
    reason,
    removed_at: removedAt,
  }
}

export const REMOVALS = rowSet({
  name_key: 'text',
  number: 'int',
  platform_id: 'bigint',
  members: 'text',
  reason: 'text',
  removed_at: 'bigint',
})
const FIND = `select ${REMOVALS.columns} from removals where number = 0 and (name_key = $1 or platform_id = $2)
  order by name_key <> $1, removed_at, name_key limit 1`
const REGISTER = `insert into removals as m (${REMOVALS.columns}) select * from ${REMOVALS.from()}
  order by name_key, number
  on conflict (name_key, number) do update set platform_id = coalesce(m.platform_id, excluded.platform_id)`
/** `isMeant` of the channel rules. */
const MEANT = '(r.platform_id = c.platform_id or r.platform_id is null or c.platform_id is null)'
/** Archived channels whose number or a name they own is in the register; found from the register's side, which is short. */
export const BARRED = `select c.id, c.username from removals r
    join channels c on c.platform_id = r.platform_id where r.number = 0
  union select c.id, c.username from removals r
    join channel_names n on n.name_key = r.name_key join channels c on c.id = n.channel_id
    where r.number = 0 and ${MEANT}`
