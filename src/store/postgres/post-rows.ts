import {
  isPostNumber,
  type ArchivedPost,
  type PostRef,
  type PostVersion,
} from '../../model/post.ts'
import type { ReadPost } from '../archive.ts'
import type { PostHead, PostRow, VersionRow } from '../plan/rows.ts'
import {
  unpackHead,
  unpackPost,
  unpackVersion,
  type PackedHead,
  type PackedPost,
  type PackedVersion,
} from '../post-codec.ts'
import { isId } from './channel-rows.ts'
import type { Queries, Value } from './database.ts'
import { unpackRef, type StoredRef } from './refs.ts'

/** Reads the rows of posts. */

/** The largest value of a column of type integer. */
const MAX_INT = 2 ** 31 - 1

export type StoredPost = PackedPost & StoredRef
type StoredHead = PackedHead & StoredRef

type StoredVersion = PackedVersion & StoredRef & { readonly revision: number }

export const POST_COLUMNS = `p.channel_id, p.number, p.published_at, p.flags, p.revision, p.last_captured_at, p.deleted_at,
  p.views, p.counts, p.language, p.detected_language, p.language_weight, b.text, b.rest, b.sha256,
  b.first_captured_at, b.capture, b.parser_version`
export const POSTS = `posts p join post_bodies b on b.channel_id = p.channel_id and b.number = p.number`
/** Posts given as two lists. Queries on it use `limit`, so that each post is a seek, however long the lists. */
export const ASKED = 'unnest($1::int[], $2::int[]) with ordinality as r (channel_id, number, place)'
const HEAD =
  'channel_id, number, published_at, flags, revision, language, detected_language, language_weight'

export function unpackStored(row: StoredPost): ArchivedPost {
  return unpackPost(row, unpackRef(row))
}

/** In the order asked; undefined where there is no post. */
export async function postsByRef(
  queries: Queries,
  refs: readonly PostRef[],
): Promise<(ArchivedPost | undefined)[]> {
  const rows = await queries.all<StoredPost & { place: number }>(BY_REF, ...listsOf(refs))
  const known = new Map(rows.map((row) => [row.place, unpackStored(row)]))
  return refs.map((_ref, i) => known.get(i + 1))
}

export async function loadPosts(queries: Queries, refs: readonly PostRef[]): Promise<PostRow[]> {
  const rows = await queries.all<StoredPost & StoredHead>(BY_REF, ...listsOf(refs))
  return rows.map((row) => ({
    post: unpackStored(row),
    detectedLanguage: row.detected_language,
    languageWeight: row.language_weight,
  }))
}

export async function loadHeads(queries: Queries, refs: readonly PostRef[]): Promise<PostHead[]> {
  return (await queries.all<StoredHead>(HEADS, ...listsOf(refs))).map(headOf)
}

export async function lowestHeads(
  queries: Queries,
  { channelId, limit }: { readonly channelId: number; readonly limit: number },
): Promise<PostHead[]> {
  return (await queries.all<StoredHead>(LOWEST, channelId, limit)).map(headOf)
}

/** The heads of a range of numbers that were published in [from, to), by number. */
export async function headsOfHour(
  queries: Queries,
  range: readonly [channelId: number, first: number, last: number, from: number, to: number],
  limit: number,
): Promise<PostHead[]> {
  return (await queries.all<StoredHead>(OF_HOUR, ...range, limit)).map(headOf)
}

export async function loadVersions(
  queries: Queries,
  refs: readonly PostRef[],
): Promise<VersionRow[]> {
  const rows = await queries.all<StoredVersion>(VERSIONS, ...listsOf(refs))
  return rows.map((row) => ({ ...unpackRef(row), revision: row.revision, ...unpackVersion(row) }))
}

/** Oldest first. `latest` limits them to the latest versions. */
export async function versionsOf(
  queries: Queries,
  { channelId, number, revision = MAX_INT }: ReadPost,
  latest: number | undefined,
): Promise<PostVersion[]> {
  if (!isId(channelId) || !isPostNumber(number)) return []
  const rows = await queries.all<StoredVersion>(LATEST, channelId, number, revision, latest ?? null)
  return rows.toReversed().map(unpackVersion)
}

export function listsOf(refs: readonly PostRef[]): [Value, Value] {
  const asked = refs.map(({ channelId, number }) =>
    isId(channelId) && isPostNumber(number) ? [channelId, number] : [0, 0],
  )
  return [asked.map(([id]) => id!), asked.map(([, number]) => number!)]
}

function headOf(row: StoredHead): PostHead {
  return unpackHead(row, unpackRef(row))
}

const BY_REF = `select r.place, f.* from ${ASKED} cross join lateral (select ${POST_COLUMNS} from ${POSTS}
  where p.channel_id = r.channel_id and p.number = r.number limit 1) f`
const HEADS = `select f.* from ${ASKED} cross join lateral (select ${HEAD} from posts p
  where p.channel_id = r.channel_id and p.number = r.number limit 1) f`
const LOWEST = `select ${HEAD} from posts where channel_id = $1 order by number limit $2`
const OF_HOUR = `select ${HEAD} from posts where channel_id = $1 and number between $2 and $3
  and published_at >= $4 and published_at < $5 order by number limit $6`
const VERSION = 'channel_id, number, revision, captured_at, text, sha256'
const VERSIONS = `select v.* from ${ASKED} cross join lateral (select ${VERSION} from post_versions v
  where v.channel_id = r.channel_id and v.number = r.number order by revision limit 1000000) v
  order by r.place, v.revision`
const LATEST = `select ${VERSION} from post_versions where channel_id = $1 and number = $2
  and revision < $3 order by revision desc limit $4`
