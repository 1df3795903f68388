import { joinHistories, type PostHistory } from '../post-history.ts'
import { contentKey } from '../post-rules.ts'
import type { Retention } from '../store.ts'
import { markPost } from './change-rows.ts'
import type { Database } from './database.ts'
import type { Erasure } from './erase.ts'
import { keyOf, unpackPost, type PostRow } from './post-codec.ts'
import { BATCH, rangeOfChannel } from './post-range.ts'
import {
  albumOfMember,
  insertPost,
  insertVersion,
  loadPost,
  redactVersions,
  saveContent,
  versionsOf,
} from './post-rows.ts'
import { settleAlbum } from './record-posts.ts'
import { removedNumbers } from './register.ts'
import { StatsDelta, refreshPace } from './stats-delta.ts'

/** Copies the first posts of a channel that is being erased to its heir, earlier versions and deletions included. */
export function inheritSome(
  db: Database,
  { channel_id, heir, begun_at }: Erasure,
  limit: number,
  retention: Retention,
): void {
  if (heir === null) return
  const { from, to } = rangeOfChannel(channel_id)
  const removed = removedNumbers(db, heir)
  const delta = new StatsDelta()
  for (const row of db.all<PostRow>(BATCH, from, to, limit)) {
    const post = unpackPost(row)
    if ([post.number, ...post.albumNumbers].some((number) => removed.has(number))) continue
    const left = { post, versions: versionsOf(db, row.key) }
    inherit(db, heir, left, { at: begun_at, delta, retention })
  }
  delta.flush(db, heir, begun_at)
  refreshPace(db, heir, begun_at)
}

function inherit(
  db: Database,
  heir: number,
  left: PostHistory,
  { at, delta, retention }: { at: number; delta: StatsDelta; retention: Retention },
): void {
  const key = keyOf(heir, left.post.number)
  const own = loadPost(db, key)
  if (!own && left.post.capture === 'import' && albumOfMember(db, key)) return
  const next = own
    ? joinHistories({ post: own, versions: versionsOf(db, key) }, left, retention)
    : { ...left, post: { ...left.post, channelId: heir, language: null } }
  if (own) saveContent(db, key, next.post)
  else {
    insertPost(db, key, next.post)
    db.run('delete from post_members where key = ?', key)
  }
  const isMoved = !own || contentKey(own) !== contentKey(next.post)
  if (isMoved) settleAlbum(db, key, own, next.post, { delta, at })
  db.run('delete from post_versions where key = ?', key)
  for (const [i, version] of next.versions.entries()) insertVersion(db, key, i + 1, version)
  const isRedacted = next.post.deletedAt !== null && retention.deleted === 'redact'
  if (isRedacted) redactVersions(db, key)
  delta.replace(own, next.post, { isContentSame: false })
  markPost(db, key, 'post', at)
}
