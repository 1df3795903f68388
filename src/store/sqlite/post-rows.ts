import { CAPTURES, type ArchivedPost, type PostRef, type PostVersion } from '../../model/post.ts'
import type { ReadPost } from '../archive.ts'
import type {
  MemberRow,
  PostHead,
  PostRow as KeptRow,
  VersionRow,
  Wanted,
  Writes,
} from '../plan/rows.ts'
import {
  HAS_MASK,
  flagsOf,
  hasMask,
  packCounts,
  packRest,
  unpackHead,
  unpackVersion,
  type PackedHead,
  type PackedVersion,
} from '../post-codec.ts'
import type { Database } from './database.ts'
import { writeEdits } from './edits.ts'
import {
  POST_COLUMNS,
  keyOf,
  keyOfRef,
  keysOf,
  numberOfKey,
  refOfKey,
  unpackPost,
  type PostRow,
} from './post-codec.ts'
import { rangeOfChannel } from './post-range.ts'

/** Reads and writes the rows of posts. */

export function loadPost(db: Database, key: number): ArchivedPost | undefined {
  const row = db.get<PostRow>(BY_KEY, key)
  return row && unpackPost(row)
}

/** The posts that exist among these keys. One statement per post would take half as long again. */
export function loadPosts(db: Database, keys: readonly number[]): Map<number, ArchivedPost> {
  const rows = db.all<PostRow>(BY_KEYS, JSON.stringify(keys))
  return new Map(rows.map((row) => [row.key, unpackPost(row)]))
}

export function loadRows(db: Database, keys: readonly number[]): KeptRow[] {
  if (keys.length === 0) return []
  return db.all<PostRow & HeadRow>(BY_KEYS, JSON.stringify(keys)).map((row) => {
    const { detected_language: detectedLanguage, language_weight: languageWeight } = row
    return { post: unpackPost(row), detectedLanguage, languageWeight }
  })
}

/** The post whose album has that number as a member. */
export function albumOfMember(db: Database, key: number): number | undefined {
  return db.get<{ post_key: number }>(ALBUM, key)?.post_key
}

export function loadMembers(db: Database, keys: readonly number[]): MemberRow[] {
  if (keys.length === 0) return []
  const rows = db.all<{ key: number; post_key: number }>(MEMBERS, JSON.stringify(keys))
  return rows.map(({ key, post_key }) => ({ ...refOfKey(key), album: numberOfKey(post_key) }))
}

/** Oldest first. `latest` limits them to the latest versions. */
export function versionsOf(db: Database, of: ReadPost, latest?: number): PostVersion[] {
  return storedVersions(db, of, latest).map(unpackVersion)
}

export function loadVersions(db: Database, ref: PostRef): VersionRow[] {
  const { channelId, number } = ref
  return storedVersions(db, { channelId, number }).map((row) => {
    return { channelId, number, revision: row.revision, ...unpackVersion(row) }
  })
}

function storedVersions(db: Database, of: ReadPost, latest = -1) {
  type Row = PackedVersion & { readonly revision: number }
  const before = of.revision ?? Number.MAX_SAFE_INTEGER
  return db.all<Row>(VERSIONS, keyOfRef(of), before, latest).toReversed()
}

export function loadHeads(db: Database, refs: readonly PostRef[]): PostHead[] {
  return refs.flatMap((ref) => db.all<HeadRow>(HEAD, keyOfRef(ref)).map(headOf))
}

export function lowestHeads(
  db: Database,
  { channelId, limit }: NonNullable<Wanted['lowest']>,
): PostHead[] {
  const { from, to } = rangeOfChannel(channelId)
  return db.all<HeadRow>(LOWEST, from, to, limit).map(headOf)
}

export function writePosts(db: Database, writes: Writes): void {
  erase(db, writes.erased)
  deleteAll(db, ['post_members'], writes.membersLeft)
  if (writes.redacted.length > 0) {
    db.run(REDACT, keysOf(writes.redacted))
    db.run(UNNAME, keysOf(writes.redacted))
    deleteAll(db, ['post_hashes'], writes.redacted)
  }
  deleteAll(db, ['post_versions', 'edits'], writes.unversioned)
  for (const { post } of writes.added) insertPost(db, post)
  for (const { post } of writes.moved) {
    const key = keyOfRef(post)
    db.run(SAVE_HEAD, post.publishedAt, flagsOf(post), post.revision, post.deletedAt, key)
    saveCounts(db, key, post)
    saveBody(db, key, post)
  }
  deleteAll(db, ['post_hashes'], writes.reworded)
  for (const { post } of writes.counted) saveCounts(db, keyOfRef(post), post)
  for (const { channelId, number, revision, ...version } of writes.versions) {
    const sha256 = Buffer.from(version.sha256, 'hex')
    const key = keyOf(channelId, number)
    db.run(INSERT_VERSION, key, revision, version.capturedAt, version.text, sha256)
  }
  writeEdits(db, writes)
  for (const { channelId, number, album } of writes.members) {
    db.run(SAVE_MEMBER, keyOf(channelId, number), keyOf(channelId, album))
  }
  for (const derived of writes.derived) {
    const { language, detectedLanguage, languageWeight, has } = derived
    const key = keyOfRef(derived)
    db.run(DERIVE, language, detectedLanguage, languageWeight, hasMask(has), key)
    db.run(SAVE_HASHES, key, new Uint8Array(Int32Array.from(derived.terms).buffer))
  }
}

function erase(db: Database, refs: readonly PostRef[]): void {
  deleteAll(db, ['posts', 'post_bodies', 'post_versions', 'post_hashes', 'edits', 'events'], refs)
}

function deleteAll(db: Database, tables: readonly string[], refs: readonly PostRef[]): void {
  if (refs.length === 0) return
  const keys = keysOf(refs)
  for (const table of tables) {
    db.run(`delete from ${table} where key in (select value from json_each(?))`, keys)
  }
}

function insertPost(db: Database, post: ArchivedPost): void {
  const key = keyOfRef(post)
  const { publishedAt, revision, lastCapturedAt, deletedAt, views } = post
  const counts = packCounts(post)
  const head = [publishedAt, flagsOf(post), revision, lastCapturedAt, deletedAt]
  db.run(INSERT_POST, key, ...head, views?.value ?? null, counts)
  saveBody(db, key, post)
}

function saveBody(db: Database, key: number, post: ArchivedPost): void {
  const sha256 = Buffer.from(post.contentSha256, 'hex')
  const { text, firstCapturedAt, capture, parserVersion } = post
  const captured = [firstCapturedAt, CAPTURES.indexOf(capture), parserVersion]
  db.run(SAVE_BODY, key, text, packRest(post), sha256, ...captured)
}

function saveCounts(db: Database, key: number, post: ArchivedPost): void {
  db.run(SAVE_COUNTS, post.lastCapturedAt, post.views?.value ?? null, packCounts(post), key)
}

function headOf(row: HeadRow): PostHead {
  return unpackHead(row, refOfKey(row.key))
}

interface HeadRow extends PackedHead {
  readonly key: number
}

const BY_KEY = `select ${POST_COLUMNS} from posts p join post_bodies b on b.key = p.key where p.key = ?`
const BY_KEYS = `select ${POST_COLUMNS}, p.detected_language, p.language_weight from json_each(?) asked
  cross join posts p on p.key = asked.value cross join post_bodies b on b.key = p.key`
const ALBUM = 'select post_key from post_members where key = ?'
const MEMBERS =
  'select key, post_key from post_members where key in (select value from json_each(?))'
const HEADS =
  'select key, published_at, flags, revision, language, detected_language, language_weight from posts'
const HEAD = `${HEADS} where key = ?`
const LOWEST = `${HEADS} where key between ? and ? order by key limit ?`
const INSERT_POST = `insert into posts
  (key, published_at, flags, revision, last_captured_at, deleted_at, views, counts) values (?, ?, ?, ?, ?, ?, ?, ?)`
const SAVE_BODY = 'insert or replace into post_bodies values (?, ?, ?, ?, ?, ?, ?)'
const SAVE_HEAD =
  'update posts set published_at = ?, flags = ?, revision = ?, deleted_at = ? where key = ?'
const SAVE_COUNTS = 'update posts set last_captured_at = ?, views = ?, counts = ? where key = ?'
const INSERT_VERSION = 'insert or replace into post_versions values (?, ?, ?, ?, ?)'
const VERSIONS = `select revision, captured_at, text, sha256 from post_versions
  where key = ? and revision < ? order by revision desc limit ?`
const REDACT = 'update post_versions set text = null where key in (select value from json_each(?))'
const UNNAME = 'update edits set named = null where key in (select value from json_each(?))'
const SAVE_HASHES = 'insert or replace into post_hashes values (?, ?)'
const SAVE_MEMBER = 'insert or replace into post_members values (?, ?)'
const DERIVE = `update posts set language = ?, detected_language = ?, language_weight = ?, flags = flags & ~${HAS_MASK} | ?
  where key = ?`
