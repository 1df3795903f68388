import { CAPTURES, isPostNumber, type ArchivedPost, type PostVersion } from '../../model/post.ts'
import { markPost } from './change-rows.ts'
import type { Database } from './database.ts'
import {
  POST_COLUMNS,
  flagsOf,
  hexOf,
  keyOf,
  packCounts,
  packRest,
  unpackPost,
  type PostRow,
} from './post-codec.ts'
import type { StatsDelta } from './stats-delta.ts'

/** Single posts in and out of their tables. */

export function loadPost(db: Database, key: number): ArchivedPost | undefined {
  const row = db.get<PostRow>(BY_KEY, key)
  return row && unpackPost(row)
}

/** The post whose album has that number as a member. */
export function albumOfMember(db: Database, key: number): number | undefined {
  return db.get<{ post_key: number }>(ALBUM, key)?.post_key
}

export function insertPost(db: Database, key: number, post: ArchivedPost): void {
  db.run(
    INSERT_POST,
    key,
    post.publishedAt,
    flagsOf(post),
    post.revision,
    post.lastCapturedAt,
    post.deletedAt,
    post.views?.value ?? null,
    packCounts(post),
  )
  saveBody(db, key, post)
}

function saveBody(db: Database, key: number, post: ArchivedPost): void {
  db.run(
    SAVE_BODY,
    key,
    post.text,
    packRest(post),
    Buffer.from(post.contentSha256, 'hex'),
    post.firstCapturedAt,
    CAPTURES.indexOf(post.capture),
    post.parserVersion,
  )
}

export function saveContent(db: Database, key: number, post: ArchivedPost): void {
  db.run(SAVE_HEAD, post.publishedAt, flagsOf(post), post.revision, post.deletedAt, key)
  saveCounts(db, key, post)
  saveBody(db, key, post)
}

export function saveCounts(db: Database, key: number, post: ArchivedPost): void {
  db.run(SAVE_COUNTS, post.lastCapturedAt, post.views?.value ?? null, packCounts(post), key)
}

export function insertVersion(
  db: Database,
  key: number,
  revision: number,
  version: PostVersion,
): void {
  const sha256 = Buffer.from(version.sha256, 'hex')
  db.run(INSERT_VERSION, key, revision, version.capturedAt, version.text, sha256)
}

/** Oldest first; the latest so many, or all. */
export function versionsOf(db: Database, key: number, latest = -1): PostVersion[] {
  const rows = db.all<VersionRow>(VERSIONS, key, latest)
  return rows.toReversed().map((row) => ({
    capturedAt: row.captured_at,
    text: row.text,
    sha256: hexOf(row.sha256),
  }))
}

export function redactVersions(db: Database, key: number): void {
  db.run('update post_versions set text = null where key = ?', key)
  db.run('delete from post_terms where rowid = ?', key)
}

/** Points the album's further numbers to it and forgets those it no longer has. */
export function saveMembers(
  db: Database,
  key: number,
  old: ArchivedPost | undefined,
  next: ArchivedPost,
): void {
  const members = memberKeys(next)
  for (const member of old ? memberKeys(old) : []) {
    if (!members.includes(member)) db.run(DROP_MEMBER, member, key)
  }
  for (const member of members) db.run(SAVE_MEMBER, member, key)
}

/** Of an album's numbers but its own. */
export function memberKeys(album: ArchivedPost): number[] {
  return album.albumNumbers
    .filter((number) => number !== album.number && isPostNumber(number))
    .map((number) => keyOf(album.channelId, number))
}

/** Leaves nothing of a post; the index learns that it is gone. */
export function erasePost(db: Database, key: number, delta: StatsDelta, at: number): boolean {
  const old = loadPost(db, key)
  if (!old) return false
  const learnt = db.get<{ code: string | null; weight: number }>(LEARNT, key)
  if (learnt?.code != null) delta.addWeight(learnt.code, -learnt.weight)
  delta.replace(old, undefined, { isContentSame: false })
  for (const member of memberKeys(old)) db.run(DROP_MEMBER, member, key)
  for (const sql of ERASE) db.run(sql, key)
  markPost(db, key, 'post', at)
  return true
}

interface VersionRow {
  readonly captured_at: number
  readonly text: string | null
  readonly sha256: Uint8Array
}

const BY_KEY = `select ${POST_COLUMNS} from posts p join post_bodies b on b.key = p.key where p.key = ?`
const ALBUM = 'select post_key from post_members where key = ?'
const INSERT_POST = `insert into posts
  (key, published_at, flags, revision, last_captured_at, deleted_at, views, counts) values (?, ?, ?, ?, ?, ?, ?, ?)`
const SAVE_BODY = 'insert or replace into post_bodies values (?, ?, ?, ?, ?, ?, ?)'
const SAVE_HEAD =
  'update posts set published_at = ?, flags = ?, revision = ?, deleted_at = ? where key = ?'
const SAVE_COUNTS = 'update posts set last_captured_at = ?, views = ?, counts = ? where key = ?'
const INSERT_VERSION = 'insert or replace into post_versions values (?, ?, ?, ?, ?)'
const VERSIONS =
  'select captured_at, text, sha256 from post_versions where key = ? order by revision desc limit ?'
const SAVE_MEMBER = 'insert or replace into post_members values (?, ?)'
const DROP_MEMBER = 'delete from post_members where key = ? and post_key = ?'
const LEARNT =
  'select detected_language as code, language_weight as weight from posts where key = ?'
const ERASE = [
  'delete from posts where key = ?',
  'delete from post_bodies where key = ?',
  'delete from post_versions where key = ?',
  'delete from post_terms where rowid = ?',
]
