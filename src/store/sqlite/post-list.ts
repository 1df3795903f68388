import { setImmediate as breathe } from 'node:timers/promises'
import type { ArchivedPost } from '../../model/post.ts'
import type { Page, PostListQuery } from '../archive.ts'
import { storedTerm } from '../terms.ts'
import type { Database } from './database.ts'
import { FLAG, POST_COLUMNS, hasMask, numberOfKey, unpackPost, type PostRow } from './post-codec.ts'
import { loadPost } from './post-rows.ts'
import { rangeOfNumbers, rangeOfTime, type KeyRange } from './post-range.ts'

/** Rows a selective filter may look at, and matches of a word search, before the event loop gets its turn. */
const ROWS_A_STEP = 10_000
const MATCHES_A_STEP = 1_000
const EVER = 2 ** 52

interface Filter {
  /** A post passes when `flags & mask = wanted` and it was published in [since, until). */
  readonly mask: number
  readonly wanted: number
  readonly since: number
  readonly until: number
  /** Most posts pass, so a page is found within a few rows of where it starts. */
  readonly isDense: boolean
}

/** One page of a channel's posts: by number, so that a walk is stable while posts arrive. */
export async function listPosts(
  db: Database,
  query: PostListQuery,
): Promise<Page<ArchivedPost, number>> {
  const range = await db.read(() => rangeOf(db, query))
  if (!range) return { items: [], next: null }
  const wanted = query.limit + 1
  const filter = filterOf(query)
  const isWordSearch = query.terms.length > 0
  const found = isWordSearch
    ? await matching(db, query, range, filter)
    : filter.isDense
      ? await db.read(() => pageOf(db, query.order, range, filter, wanted))
      : await stepwise(db, query, range, filter)
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

function filterOf(query: PostListQuery): Filter {
  let wanted = hasMask(query.has)
  let mask = wanted
  if (query.forwards !== 'include') mask |= FLAG.forward
  if (query.forwards === 'only') wanted |= FLAG.forward
  if (!query.includeDeleted) mask |= FLAG.deleted
  if (!query.includeService) mask |= FLAG.service
  return {
    mask,
    wanted,
    since: query.since ?? -EVER,
    until: query.until ?? EVER,
    isDense: query.has.length === 0 && query.forwards === 'include',
  }
}

function pageOf(
  db: Database,
  order: PostListQuery['order'],
  { from, to }: KeyRange,
  { mask, wanted, since, until }: Filter,
  limit: number,
): ArchivedPost[] {
  const sql = order === 'newest' ? NEWEST : OLDEST
  return db.all<PostRow>(sql, from, to, mask, wanted, since, until, limit).map(unpackPost)
}

async function stepwise(
  db: Database,
  { order, limit }: PostListQuery,
  range: KeyRange,
  filter: Filter,
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
    await breathe()
  }
  return found
}

async function matching(
  db: Database,
  { order, limit, terms }: PostListQuery,
  range: KeyRange,
  filter: Filter,
): Promise<ArchivedPost[]> {
  const match = matchOf(terms)
  if (match === undefined) return []
  const found: ArchivedPost[] = []
  let { from, to } = range
  for (let isMore = true; isMore && found.length <= limit;) {
    await db.read(() => {
      const sql = order === 'newest' ? MATCH_DOWN : MATCH_UP
      const keys = db.all<{ key: number }>(sql, match, from, to, MATCHES_A_STEP)
      for (const { key } of keys) {
        if (order === 'newest') to = key - 1
        else from = key + 1
        if (!db.get(PASSES, key, filter.mask, filter.wanted, filter.since, filter.until)) continue
        const post = loadPost(db, key)
        if (post) found.push(post)
        if (found.length > limit) break
      }
      isMore = keys.length === MATCHES_A_STEP
    })
    await breathe()
  }
  return found
}

function matchOf(terms: readonly (readonly string[])[]): string | undefined {
  const groups = terms.map((words) => words.map(storedTerm).filter((word) => word !== ''))
  if (groups.some((words) => words.length === 0)) return undefined
  const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`
  return groups.map((words) => `(${words.map(quoted).join(' OR ')})`).join(' AND ')
}

/** Numbers archived and not deleted, album members included, ascending. */
export function numbersBetween(
  db: Database,
  channelId: number,
  first: number,
  last: number,
): number[] {
  const { from, to } = rangeOfNumbers(channelId, first, last)
  const rows = db.all<{ key: number }>(NUMBERS, from, to, from, to)
  return rows.map((row) => numberOfKey(row.key))
}

const PAGE = `select ${POST_COLUMNS} from posts p join post_bodies b on b.key = p.key
  where p.key between ? and ? and (p.flags & ?) = ? and p.published_at >= ? and p.published_at < ?`
const OLDEST = `${PAGE} order by p.key limit ?`
const NEWEST = `${PAGE} order by p.key desc limit ?`
const STEP_UP = 'select key from posts where key between ? and ? order by key limit 1 offset ?'
const STEP_DOWN =
  'select key from posts where key between ? and ? order by key desc limit 1 offset ?'
const MATCH =
  'select rowid as key from post_terms where post_terms match ? and rowid between ? and ?'
const MATCH_UP = `${MATCH} order by rowid limit ?`
const MATCH_DOWN = `${MATCH} order by rowid desc limit ?`
const PASSES =
  'select 1 from posts where key = ? and (flags & ?) = ? and published_at >= ? and published_at < ?'
const NUMBERS = `select key from posts where key between ? and ? and flags & ${FLAG.deleted} = 0
  union select m.key from post_members m join posts p on p.key = m.post_key
  where m.key between ? and ? and p.flags & ${FLAG.deleted} = 0 order by 1`
