import { refKey, type PostRef } from '../../model/post.ts'
import { editsOfHistory } from '../edit-rules.ts'
import type { PostHistory } from '../post-history.ts'
import type { Retention } from '../retention.ts'
import type { Draft } from './draft.ts'
import type { VersionRow } from './rows.ts'

/** Picks the earlier versions of one post from rows of many. */
export function versionsOf(rows: readonly VersionRow[], ref: PostRef): PostHistory['versions'] {
  return rows
    .filter((row) => refKey(row) === refKey(ref))
    .map(({ capturedAt, text, sha256 }) => ({ capturedAt, text, sha256 }))
}

/** Replaces a post and all its earlier versions. Returns how many posts were absorbed as members of its album. */
export function putHistory(
  draft: Draft,
  { post, versions }: PostHistory,
  { at, retention }: { readonly at: number; readonly retention: Retention },
): number {
  const ref = { channelId: post.channelId, number: post.number }
  const old = draft.posts.get(ref)?.post
  draft.posts.put(post, 'content')
  const joined = draft.posts.settleAlbum(old, post, at)
  if (old) draft.posts.unversioned.push(ref)
  for (const [i, version] of versions.entries()) draft.posts.addVersion(ref, i + 1, version)
  for (const edit of editsOfHistory(post, versions)) draft.posts.addEdit(ref, edit)
  if (post.deletedAt !== null && retention.deleted === 'redact') draft.posts.redact(ref)
  else if (retention.pictures === true) draft.pictures.wantOf(post, at)
  draft.posts.mark(ref, 'post', at)
  return joined
}
