import {
  MAX_POST_NUMBER,
  isPostNumber,
  refKey,
  type ArchivedPost,
  type PostRef,
} from '../../model/post.ts'
import { unpackPost as unpack, type PackedPost } from '../post-codec.ts'

/** The key of a post combines its channel and its number. */

export const KEY_SPAN = MAX_POST_NUMBER + 1

/** Number 0 is the channel itself. A number out of range would yield the key of another channel's post, so it throws. */
export function keyOf(channelId: number, number: number): number {
  if (number !== 0 && !isPostNumber(number))
    throw new RangeError(`no post has the number ${number}`)
  return refKey({ channelId, number })
}

export function keyOfRef({ channelId, number }: PostRef): number {
  return keyOf(channelId, number)
}

/** Keys as JSON for `json_each`. */
export function keysOf(refs: readonly PostRef[]): string {
  return JSON.stringify(refs.map(keyOfRef))
}

export function refOfKey(key: number): PostRef {
  return { channelId: Math.floor(key / KEY_SPAN), number: key % KEY_SPAN }
}

export function numberOfKey(key: number): number {
  return key % KEY_SPAN
}

export interface PostRow extends PackedPost {
  readonly key: number
}

export const POST_COLUMNS = `p.key, p.published_at, p.flags, p.revision, p.last_captured_at, p.deleted_at, p.views,
  p.counts, p.language, b.text, b.rest, b.sha256, b.first_captured_at, b.capture, b.parser_version`

export function unpackPost(row: PostRow): ArchivedPost {
  return unpack(row, refOfKey(row.key))
}
