import type { PostRef } from '../../model/post.ts'
import { rowSet } from './row-set.ts'

/** Which post a row is of. */
export interface StoredRef {
  readonly channel_id: number
  readonly number: number
}

export const REF = { channel_id: 'int', number: 'int' } as const
export const REF_KEY = ['channel_id', 'number'] as const
/** A row of a table is of one of these posts: `REFS.is(table)`. */
export const REFS = rowSet(REF_KEY, REF)

export function packRef({ channelId, number }: PostRef): StoredRef {
  return { channel_id: channelId, number }
}

export function unpackRef({ channel_id: channelId, number }: StoredRef): PostRef {
  return { channelId, number }
}
