import type { RemovalRow } from './plan/rows.ts'

/** Converts entries of the opt-out register to rows and back, for every database. */

export type StoredRemoval = Readonly<ReturnType<typeof packRemoval>>

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

export function packRemoval(entry: RemovalRow) {
  return {
    name_key: entry.name,
    // 0 means the whole channel.
    number: entry.number ?? 0,
    platform_id: entry.platformId,
    members: JSON.stringify(entry.members),
    reason: entry.reason,
    removed_at: entry.removedAt,
  }
}

/** `appliesTo` of `channel-rules.ts`, in SQL. */
const MEANT = '(r.platform_id = c.platform_id or r.platform_id is null or c.platform_id is null)'
const meantBy = (columns: string, which: string) => `select ${columns} from removals r
    join channels c on c.platform_id = r.platform_id where ${which}
  union select ${columns} from removals r
    join channel_names n on n.name_key = r.name_key join channels c on c.id = n.channel_id
    where ${which} and ${MEANT}`
/** Archived channels that the register has, by numeric id or by a name they own; driven by the register, which is short. */
export const REMOVED_CHANNELS = meantBy('c.id, c.username', 'r.number = 0')
/** Archived channels of which the register has posts, with these. */
export const CHANNELS_OF_REMOVED_POSTS = meantBy(
  'c.id, r.name_key, r.platform_id, r.number, r.members',
  'r.number > 0',
)
