import type { PostRef } from '../../model/post.ts'
import { rowSet } from './row-set.ts'

/** The columns that identify the post of a row. */
export interface StoredRef {
  readonly channel_id: number
  readonly number: number
}

export const REF = 'channel_id int, number int'
export const REF_KEY = ['channel_id', 'number'] as const
/** Posts passed to a statement; `REFS.is(table)` joins them to a table. */
export const REFS = rowSet(REF, REF_KEY)

export function unpackRef({ channel_id: channelId, number }: StoredRef): PostRef {
  return { channelId, number }
}
