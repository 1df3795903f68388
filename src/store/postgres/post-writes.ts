import { CAPTURES, type ArchivedPost } from '../../model/post.ts'
import type { Derived } from '../archive.ts'
import type { VersionRow, Writes } from '../plan/rows.ts'
import { HAS_MASK, flagsOf, hasMask, packCounts, packRest } from '../post-codec.ts'
import type { Queries } from './database.ts'
import { writeEdits } from './edits.ts'
import { REF, REFS, REF_KEY } from './refs.ts'
import { rowSet } from './row-set.ts'

/** Writes the rows of posts, with one statement for each kind of write. */
export async function writePosts(tx: Queries, writes: Writes): Promise<void> {
  const added = writes.added.map(({ post }) => post)
  const moved = writes.moved.map(({ post }) => post)
  const counted = writes.counted.map(({ post }) => post)
  const erased = REFS.values(writes.erased)
  const membersLeft = REFS.values(writes.membersLeft)
  const redacted = REFS.values(writes.redacted)
  const reworded = REFS.values(writes.reworded)
  const unversioned = REFS.values(writes.unversioned)
  await Promise.all([
    ...ERASE.map((sql) => tx.run(sql, ...erased)),
    tx.run(LEAVE, ...membersLeft),
    ...REDACT.map((sql) => tx.run(sql, ...redacted)),
    ...UNVERSION.map((sql) => tx.run(sql, ...unversioned)),
    tx.run(ADD, ...HEADS.values(added.map(headValues))),
    tx.run(MOVE, ...HEADS.values(moved.map(headValues))),
    tx.run(SAVE_BODIES, ...BODIES.values([...added, ...moved].map(bodyValues))),
    tx.run(FORGET_TERMS, ...reworded),
    tx.run(COUNT, ...COUNTS.values(counted.map(countValues))),
    tx.run(SAVE_VERSIONS, ...VERSIONS.values(writes.versions.map(versionValues))),
    writeEdits(tx, writes),
    tx.run(JOIN, ...MEMBERS.values(writes.members)),
    tx.run(DERIVE, ...DERIVED.values(writes.derived.map(derivedValues))),
    tx.run(SAVE_TERMS, ...TERMS.values(writes.derived.map(termValues))),
  ])
}

function countValues(post: ArchivedPost) {
  return { ...post, views: post.views?.value ?? null, counts: packCounts(post) }
}

function headValues(post: ArchivedPost) {
  return { ...countValues(post), flags: flagsOf(post) }
}

function bodyValues(post: ArchivedPost) {
  return {
    ...post,
    rest: packRest(post),
    sha256: `\\x${post.contentSha256}`,
    capture: CAPTURES.indexOf(post.capture),
  }
}

function versionValues(row: VersionRow) {
  return { ...row, sha256: `\\x${row.sha256}` }
}

function derivedValues(row: Derived) {
  return { ...row, has: hasMask(row.has) }
}

function termValues(row: Derived) {
  return { ...row, terms: `{${row.terms.join(',')}}` }
}

const COUNTED = `${REF}, last_captured_at bigint, views bigint, counts text` as const
const COUNTS = rowSet(COUNTED, REF_KEY)
const HEADS = rowSet(
  `${COUNTED}, published_at bigint, flags int, revision int, deleted_at bigint`,
  REF_KEY,
)
const BODIES = rowSet(
  `${REF}, text text, rest text, sha256 bytea, first_captured_at bigint, capture smallint,
  parser_version int`,
  REF_KEY,
)
const VERSIONS = rowSet(`${REF}, revision int, captured_at bigint, text text, sha256 bytea`, [
  ...REF_KEY,
  'revision',
])
const MEMBERS = rowSet(`${REF}, album int`, REF_KEY)
const DERIVED = rowSet(
  `${REF}, language text, detected_language text, language_weight bigint, has int`,
  REF_KEY,
)
const TERMS = rowSet(`${REF}, terms text`, REF_KEY)

const erase = (table: string) => `delete from ${table} p using ${REFS.from()} where ${REFS.is('p')}`
const empty = (table: string, column: string) =>
  `update ${table} p set ${column} = null from ${REFS.from()} where ${REFS.is('p')}`
// Events come last: a transaction that appends some locks the post until it commits, and they must be visible here.
const ERASE = ['posts', 'post_bodies', 'post_versions', 'edits', 'events'].map(erase)
const LEAVE = erase('post_members')
const UNVERSION = ['post_versions', 'edits'].map(erase)
const FORGET_TERMS = empty('post_bodies', 'terms')
const REDACT = [empty('post_versions', 'text'), FORGET_TERMS, empty('edits', 'named')]
const ADD = `insert into posts (${HEADS.columns}) select * from ${HEADS.from()}`
const MOVE = HEADS.update('posts')
const COUNT = COUNTS.update('posts')
const SAVE_BODIES = BODIES.upsert('post_bodies')
const SAVE_VERSIONS = VERSIONS.upsert('post_versions')
const JOIN = MEMBERS.upsert('post_members')
const DERIVE = `update posts p set language = r.language, detected_language = r.detected_language,
    language_weight = r.language_weight, flags = p.flags & ~${HAS_MASK} | r.has
  from ${DERIVED.from()} where ${DERIVED.is('p')}`
// `unnest` flattens nested arrays, so each list of terms is passed as text.
const SAVE_TERMS = `update post_bodies p set terms = r.terms::int[] from ${TERMS.from()} where ${TERMS.is('p')}`
