import type { ArchivedPost, PostRef } from '../../model/post.ts'
import type { Derived } from '../archive.ts'
import type { PostRow, Writes } from '../plan/rows.ts'
import { flagsOf, packCounts, packRest } from '../post-codec.ts'
import type { Queries } from './database.ts'
import { writeEdits } from './edits.ts'
import { captureNumber } from './post-rows.ts'
import { REF, REFS, isOfRef, packRef } from './refs.ts'
import { rowSet } from './row-set.ts'

/** Posts into their tables, each kind of write in one statement and in the order of their keys. */
export async function writePosts(tx: Queries, writes: Writes): Promise<void> {
  const { erased, membersLeft, redacted, unversioned } = writes
  const added = sorted(writes.added).map(({ post }) => post)
  const moved = sorted(writes.moved).map(({ post }) => post)
  const counted = sorted(writes.counted).map(({ post }) => post)
  const bodies = [...added, ...moved].toSorted(byKey)
  await Promise.all([
    ...ERASE.map((sql) => tx.run(sql, ...REFS.values(refs(erased)))),
    tx.run(LEAVE, ...REFS.values(refs(membersLeft))),
    tx.run(REDACT, ...REFS.values(refs(redacted))),
    tx.run(FORGET_TERMS, ...REFS.values(refs(redacted))),
    tx.run(UNNAME, ...REFS.values(refs(redacted))),
    tx.run(UNVERSION, ...REFS.values(refs(unversioned))),
    tx.run(UNEDIT, ...REFS.values(refs(unversioned))),
    tx.run(ADD, ...HEADS.values(added.map(headValues))),
    tx.run(MOVE, ...HEADS.values(moved.map(headValues))),
    tx.run(SAVE_BODIES, ...BODIES.values(bodies.map(bodyValues))),
    tx.run(COUNT, ...COUNTS.values(counted.map(countValues))),
    tx.run(VERSION, ...VERSIONS.values(versionValues(writes))),
    writeEdits(tx, writes),
    tx.run(JOIN, ...MEMBERS.values(memberValues(writes))),
    tx.run(DERIVE, ...DERIVED.values(derivedValues(writes.derived))),
    tx.run(TERMS, ...TERM_ROWS.values(termValues(writes.derived))),
  ])
}

function sorted(rows: readonly PostRow[]): PostRow[] {
  return rows.toSorted((a, b) => byKey(a.post, b.post))
}

function byKey(a: PostRef, b: PostRef): number {
  return a.channelId - b.channelId || a.number - b.number
}

function refs(list: readonly PostRef[]) {
  return list.toSorted(byKey).map(packRef)
}

function countValues(post: ArchivedPost) {
  const { lastCapturedAt, views } = post
  const counts = packCounts(post)
  return { ...packRef(post), last_captured_at: lastCapturedAt, views: views?.value ?? null, counts }
}

function headValues(post: ArchivedPost) {
  const { publishedAt, revision, deletedAt } = post
  return {
    ...countValues(post),
    published_at: publishedAt,
    flags: flagsOf(post),
    revision,
    deleted_at: deletedAt,
  }
}

function bodyValues(post: ArchivedPost) {
  return {
    ...packRef(post),
    text: post.text,
    rest: packRest(post),
    sha256: `\\x${post.contentSha256}`,
    first_captured_at: post.firstCapturedAt,
    capture: captureNumber(post),
    parser_version: post.parserVersion,
  }
}

/** A later version of the same revision stands. */
function versionValues({ versions }: Writes) {
  const rows = versions.map((row) => ({
    ...packRef(row),
    revision: row.revision,
    captured_at: row.capturedAt,
    text: row.text,
    sha256: `\\x${row.sha256}`,
  }))
  const last = new Map(rows.map((row) => [`${row.channel_id} ${row.number} ${row.revision}`, row]))
  return [...last.values()]
}

function memberValues({ members }: Writes) {
  return members.toSorted(byKey).map((row) => ({ ...packRef(row), album: row.album }))
}

/** Of what was derived twice of one post the last stands. */
function latest(derived: readonly Derived[]): Derived[] {
  const last = new Map(derived.map((row) => [`${row.channelId} ${row.number}`, row]))
  return [...last.values()].toSorted(byKey)
}

function derivedValues(derived: readonly Derived[]) {
  return latest(derived).map((row) => ({
    ...packRef(row),
    language: row.language,
    detected_language: row.detectedLanguage,
    language_weight: row.languageWeight,
  }))
}

function termValues(derived: readonly Derived[]) {
  return latest(derived).map((row) => ({ ...packRef(row), terms: `{${row.terms.join(',')}}` }))
}

const COUNTS = rowSet({ ...REF, last_captured_at: 'bigint', views: 'bigint', counts: 'text' })
const HEADS = rowSet({
  ...REF,
  last_captured_at: 'bigint',
  views: 'bigint',
  counts: 'text',
  published_at: 'bigint',
  flags: 'int',
  revision: 'int',
  deleted_at: 'bigint',
})
const BODIES = rowSet({
  ...REF,
  text: 'text',
  rest: 'text',
  sha256: 'bytea',
  first_captured_at: 'bigint',
  capture: 'smallint',
  parser_version: 'int',
})
const VERSIONS = rowSet({
  ...REF,
  revision: 'int',
  captured_at: 'bigint',
  text: 'text',
  sha256: 'bytea',
})
const MEMBERS = rowSet({ ...REF, album: 'int' })
const DERIVED = rowSet({
  ...REF,
  language: 'text',
  detected_language: 'text',
  language_weight: 'bigint',
})
const TERM_ROWS = rowSet({ ...REF, terms: 'text' })

const SAME = isOfRef('p')
// Events last: whoever appends some holds the post until they can be seen.
const ERASE = ['posts', 'post_bodies', 'post_versions', 'edits', 'events'].map(
  (table) => `delete from ${table} p using ${REFS.from()} where ${SAME}`,
)
const LEAVE = `delete from post_members p using ${REFS.from()} where ${SAME}`
const UNVERSION = `delete from post_versions p using ${REFS.from()} where ${SAME}`
const UNEDIT = `delete from edits p using ${REFS.from()} where ${SAME}`
const UNNAME = `update edits p set named = null from ${REFS.from()} where ${SAME}`
const REDACT = `update post_versions p set text = null from ${REFS.from()} where ${SAME}`
const FORGET_TERMS = `update post_bodies p set terms = null from ${REFS.from()} where ${SAME}`
const ADD = `insert into posts (${HEADS.columns}) select * from ${HEADS.from()}`
const MOVE = `update posts p set ${HEADS.assigned('channel_id', 'number')} from ${HEADS.from()} where ${SAME}`
const COUNT = `update posts p set ${COUNTS.assigned('channel_id', 'number')} from ${COUNTS.from()} where ${SAME}`
const SAVE_BODIES = `insert into post_bodies (${BODIES.columns}) select * from ${BODIES.from()}
  on conflict (channel_id, number) do update set ${BODIES.excluded('channel_id', 'number')}`
const VERSION = `insert into post_versions (${VERSIONS.columns}) select * from ${VERSIONS.from()}
  on conflict (channel_id, number, revision)
  do update set ${VERSIONS.excluded('channel_id', 'number', 'revision')}`
const JOIN = `insert into post_members (${MEMBERS.columns}) select * from ${MEMBERS.from()}
  on conflict (channel_id, number) do update set album = excluded.album`
const DERIVE = `update posts p set ${DERIVED.assigned('channel_id', 'number')} from ${DERIVED.from()} where ${SAME}`
// A list of lists is no table in PostgreSQL: each comes as a text.
const TERMS = `update post_bodies p set terms = r.terms::int[] from ${TERM_ROWS.from()} where ${SAME}`
