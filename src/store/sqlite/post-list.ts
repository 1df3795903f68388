import type { ArchivedPost } from '../../model/post.ts'
import type { Page, PostListQuery, WordSearch } from '../archive.ts'
import { FLAG, filterOf, type PostFilter } from '../post-codec.ts'
import { MAX_READ, MAX_WALKED, holdsHashes } from '../terms.ts'
import type { Database } from './database.ts'
import { POST_COLUMNS, numberOfKey, unpackPost, type PostRow } from './post-codec.ts'
import { loadPost } from './post-rows.ts'
import { rangeOfNumbers, rangeOfTime, type KeyRange } from './post-range.ts'

/** Rows that a selective filter may look at before the event loop gets a turn. */
const ROWS_A_STEP = 10_000
/** How many posts' hashes a word search looks at in one step, and how many texts of those that match it reads and analyses. */
const WALKED_A_STEP = 1_000
const READ_A_STEP = 100

/** One page of a channel's posts, ordered by number so that paging is stable while posts arrive. */
export async function listPosts(
  db: Database,
  query: PostListQuery,
): Promise<Page<ArchivedPost, number>> {
  const range = await db.read(() => rangeOf(db, query))
  if (!range) return { items: [], next: null }
  const wanted = query.limit + 1
  const filter = filterOf(query)
  if (query.words) return matching(db, query, query.words, range, filter)
  const found = filter.isSelective
    ? await stepwise(db, query, range, filter)
    : await db.read(() => pageOf(db, query.order, range, filter, wanted))
  const items = found.slice(0, query.limit)
  return { items, next: found.length > query.limit ? (items.at(-1)?.number ?? null) : null }
}

function rangeOf(db: Database, query: PostListQuery): KeyRange | undefined {
  const range = rangeOfTime(db, query.channelId, query.since, query.until)
  if (!range || query.after === null) return range
  const [first, last] =
    query.order === 'newest' ? [1, query.after - 1] : [query.after + 1, Infinity]
  const rest = rangeOfNumbers(query.channelId, first, last)
  return { from: Math.max(range.from, rest.from), to: Math.min(range.to, rest.to) }
}

function pageOf(
  db: Database,
  order: PostListQuery['order'],
  { from, to }: KeyRange,
  { mask, wanted, since, until }: PostFilter,
  limit: number,
): ArchivedPost[] {
  const sql = order === 'newest' ? NEWEST : OLDEST
  return db.all<PostRow>(sql, from, to, mask, wanted, since, until, limit).map(unpackPost)
}

async function stepwise(
  db: Database,
  { order, limit }: PostListQuery,
  range: KeyRange,
  filter: PostFilter,
): Promise<ArchivedPost[]> {
  const found: ArchivedPost[] = []
  let { from, to } = range
  while (from <= to && found.length <= limit) {
    await db.read(() => {
      const sql = order === 'newest' ? STEP_DOWN : STEP_UP
      const end = db.get<{ key: number }>(sql, from, to, ROWS_A_STEP)?.key
      const step = order === 'newest' ? { from: end ?? from, to } : { from, to: end ?? to }
      found.push(...pageOf(db, order, step, filter, limit + 1 - found.length))
      if (order === 'newest') to = step.from - 1
      else from = step.to + 1
    })
  }
  return found
}

/** Walks over the channel's range, reading only posts whose hashes match or that have none yet. */
async function matching(
  db: Database,
  { order, limit }: PostListQuery,
  words: WordSearch,
  range: KeyRange,
  { mask, wanted, since, until }: PostFilter,
): Promise<Page<ArchivedPost, number>> {
  const items: ArchivedPost[] = []
  const isDown = order === 'newest'
  let { from, to } = range
  let [walked, read] = [0, 0]
  /** One step; false when nothing is left. */
  const step = (): boolean => {
    const sql = isDown ? WALK_DOWN : WALK_UP
    const rows = db.all<HashRow>(sql, from, to, mask, wanted, since, until, WALKED_A_STEP)
    const readBefore = read
    for (const { key, hashes } of rows) {
      if (items.length > limit || read - readBefore >= READ_A_STEP) return true
      if (isDown) to = key - 1
      else from = key + 1
      walked++
      if (hashes !== null && !holdsHashes(hashesOf(hashes), words.hashes)) continue
      read++
      const post = loadPost(db, key)
      if (post && words.holds(post)) items.push(post)
    }
    return rows.length === WALKED_A_STEP
  }
  let isMore = true
  while (isMore && items.length <= limit && walked < MAX_WALKED && read < MAX_READ) {
    isMore = await db.read(step)
  }
  if (items.length > limit) return { items: items.slice(0, limit), next: items[limit - 1]!.number }
  return { items, next: isMore ? numberOfKey(isDown ? to + 1 : from - 1) : null }
}

interface HashRow {
  readonly key: number
  readonly hashes: Uint8Array | null
}

function hashesOf(bytes: Uint8Array): ReadonlySet<number> {
  return new Set(new Int32Array(bytes.slice().buffer))
}

/** Numbers archived and not deleted, album members included, ascending. */
export function numbersBetween(
  db: Database,
  channelId: number,
  { first, last, newest = EVERY }: { first: number; last: number; newest?: number | undefined },
): number[] {
  const { from, to } = rangeOfNumbers(channelId, first, last)
  const rows = db.all<{ key: number }>(NUMBERS, from, to, newest)
  return rows.map((row) => numberOfKey(row.key)).toReversed()
}

/** SQLite's value for no limit. */
const EVERY = -1

const PAGE = `select ${POST_COLUMNS} from posts p join post_bodies b on b.key = p.key
  where p.key between ? and ? and (p.flags & ?) = ? and p.published_at >= ? and p.published_at < ?`
const OLDEST = `${PAGE} order by p.key limit ?`
const NEWEST = `${PAGE} order by p.key desc limit ?`
const STEP_UP = 'select key from posts where key between ? and ? order by key limit 1 offset ?'
const STEP_DOWN =
  'select key from posts where key between ? and ? order by key desc limit 1 offset ?'
const WALK = `select p.key as key, h.hashes as hashes from posts p left join post_hashes h on h.key = p.key
  where p.key between ? and ? and (p.flags & ?) = ? and p.published_at >= ? and p.published_at < ?`
const WALK_UP = `${WALK} order by p.key limit ?`
const WALK_DOWN = `${WALK} order by p.key desc limit ?`
const NUMBERS = `select key from (select key from posts
    where key between ?1 and ?2 and flags & ${FLAG.deleted} = 0 order by key desc limit ?3)
  union select key from (select m.key from post_members m join posts p on p.key = m.post_key
    where m.key between ?1 and ?2 and p.flags & ${FLAG.deleted} = 0 order by m.key desc limit ?3)
  order by 1 desc limit ?3`
