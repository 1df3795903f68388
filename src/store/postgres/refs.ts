import type { PostRef } from '../../model/post.ts'
import { rowSet } from './row-set.ts'

/** Which post a row is of. */
export interface StoredRef {
  readonly channel_id: number
  readonly number: number
}

export const REF = { channel_id: 'int', number: 'int' } as const
export const REFS = rowSet(REF)

export function packRef({ channelId, number }: PostRef): StoredRef {
  return { channel_id: channelId, number }
}

export function unpackRef({ channel_id: channelId, number }: StoredRef): PostRef {
  return { channelId, number }
}

/** A row of the table is of the post that `r` names. */
export const isOfRef = (table: string) =>
  `${table}.channel_id = r.channel_id and ${table}.number = r.number`
