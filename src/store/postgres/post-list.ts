import type { ArchivedPost } from '../../model/post.ts'
import type { Page, PostListQuery, WordSearch } from '../archive.ts'
import { FLAG, filterOf } from '../post-codec.ts'
import { MAX_READ, MAX_WALKED } from '../terms.ts'
import { isId } from './channel-rows.ts'
import type { Database, Value } from './database.ts'
import { rangeOfTime, type NumberRange } from './post-range.ts'
import { POSTS, POST_COLUMNS, unpackStored, type StoredPost } from './post-rows.ts'

/** Posts that a selective filter reads in one statement, so that none takes long. */
const POSTS_A_STEP = 10_000
/** Texts that a word search reads in one statement, to check them for its words. */
const READ_A_STEP = 100
/** So many words lead to the texts, which are checked for all words. Each count is a statement whose plan the server keeps. */
const MAX_HASHED = 8

type Order = PostListQuery['order']

/** One page of a channel's posts, ordered by number so that paging is stable while posts arrive. */
export async function listPosts(
  db: Database,
  query: PostListQuery,
): Promise<Page<ArchivedPost, number>> {
  const range = isId(query.channelId) ? await rangeOf(db, query) : undefined
  if (!range) return { items: [], next: null }
  if (query.words) return matching(db, query, query.words, range)
  const found = filterOf(query).isSelective
    ? await stepwise(db, query, range)
    : await db.all<StoredPost>(PAGES[query.order], ...asked(query, range), query.limit + 1)
  const items = found.slice(0, query.limit).map(unpackStored)
  return { items, next: found.length > query.limit ? (items.at(-1)?.number ?? null) : null }
}

/** Few posts may pass the filter, so each statement reads at most `POSTS_A_STEP` posts. */
async function stepwise(
  db: Database,
  query: PostListQuery,
  range: NumberRange,
): Promise<StoredPost[]> {
  const found: StoredPost[] = []
  for (let rest = range; rest.first <= rest.last && found.length <= query.limit;) {
    const room = query.limit + 1 - found.length
    const values = [...asked(query, rest), room, POSTS_A_STEP] as const
    const { edge, rows } = stepOf(await db.all<StepRow>(STEPS[query.order], ...values))
    found.push(...rows)
    if (edge === null) break
    rest = beyond(rest, query.order, edge)
  }
  return found
}

/** Walks over the channel's range, reading only posts whose hashes match or that have none yet. */
async function matching(
  db: Database,
  query: PostListQuery,
  words: WordSearch,
  range: NumberRange,
): Promise<Page<ArchivedPost, number>> {
  const { order, limit } = query
  const hashes = words.hashes.slice(0, MAX_HASHED)
  const sql = matchSql(order, hashes.length)
  const items: ArchivedPost[] = []
  let [walked, read] = [0, 0]
  for (let rest = range; rest.first <= rest.last;) {
    if (walked >= MAX_WALKED || read >= MAX_READ)
      return { items, next: order === 'newest' ? rest.last + 1 : rest.first - 1 }
    const values = [...asked(query, rest), READ_A_STEP, POSTS_A_STEP, ...hashes] as const
    const { edge, rows } = stepOf(await db.all<StepRow>(sql, ...values))
    for (const post of rows.map(unpackStored)) {
      if (words.holds(post)) items.push(post)
      if (items.length > limit)
        return { items: items.slice(0, limit), next: items[limit - 1]!.number }
    }
    read += rows.length
    walked += POSTS_A_STEP
    // When the limit of texts is reached, the step ends at the last text that was read.
    const end = rows.length === READ_A_STEP ? rows.at(-1)!.number : edge
    if (end === null) break
    rest = beyond(rest, order, end)
  }
  return { items, next: null }
}

interface StepRow extends StoredPost {
  /** The last number the step looked at; null when it reached the end of the range. */
  readonly edge: number | null
}

/** The edge is in every row; when no post passed, there is one row with nothing else. */
function stepOf(rows: readonly StepRow[]) {
  return { edge: rows[0]?.edge ?? null, rows: rows.filter((row) => row.number !== null) }
}

function beyond({ first, last }: NumberRange, order: Order, edge: number): NumberRange {
  return order === 'newest' ? { first, last: edge - 1 } : { first: edge + 1, last }
}

async function rangeOf(db: Database, query: PostListQuery): Promise<NumberRange | undefined> {
  const range = await rangeOfTime(db, query.channelId, query.since, query.until)
  if (!range || query.after === null) return range
  const { first, last } = range
  return query.order === 'newest'
    ? { first, last: Math.min(last, query.after - 1) }
    : { first: Math.max(first, query.after + 1), last }
}

function asked(query: PostListQuery, { first, last }: NumberRange): Value[] {
  const { mask, wanted, since, until } = filterOf(query)
  return [query.channelId, first, last, mask, wanted, since, until]
}

/** Numbers archived and not deleted, album members included, ascending. */
export async function numbersBetween(
  db: Database,
  channelId: number,
  { first, last, newest }: { first: number; last: number; newest?: number | undefined },
): Promise<number[]> {
  if (!isId(channelId)) return []
  const bound = (number: number) => Math.max(0, Math.min(2 ** 31 - 1, number))
  const values = [channelId, bound(Math.ceil(first)), bound(Math.floor(last)), newest ?? null]
  const rows = await db.all<{ number: number }>(NUMBERS, ...values)
  return rows.map((row) => row.number).toReversed()
}

const direction = (order: Order) => (order === 'newest' ? 'desc' : 'asc')
const pageSql = (order: Order, within: string, more = '') => `select ${POST_COLUMNS} from ${POSTS}
  where p.channel_id = $1 and p.number ${within} and (p.flags & $4) = $5
    and p.published_at >= $6 and p.published_at < $7 ${more} order by p.number ${direction(order)} limit $8`
/** One statement that finds where the step ends, and the posts that pass up to there. */
function stepSql(order: Order, more = ''): string {
  const within =
    order === 'newest'
      ? 'between coalesce((select number from step), $2) and $3'
      : 'between $2 and coalesce((select number from step), $3)'
  return `with step as materialized (select number from posts where channel_id = $1 and number between $2 and $3
      order by number ${direction(order)} offset $9 - 1 limit 1)
    select f.*, (select number from step) as edge
    from (select 1) as one left join (${pageSql(order, within, more)}) f on true order by f.number ${direction(order)}`
}
const PAGES = {
  newest: pageSql('newest', 'between $2 and $3'),
  oldest: pageSql('oldest', 'between $2 and $3'),
} as const
const STEPS = { newest: stepSql('newest'), oldest: stepSql('oldest') } as const
function matchSql(order: Order, words: number): string {
  const holds = Array.from({ length: words }, (_, i) => `b.terms && $${10 + i}::int[]`)
  return stepSql(order, `and (b.terms is null or (${['true', ...holds].join(' and ')}))`)
}
const NUMBERS = `(select number from posts
    where channel_id = $1 and number between $2 and $3 and flags & ${FLAG.deleted} = 0 order by number desc limit $4::int)
  union (select m.number from post_members m
    join posts p on p.channel_id = m.channel_id and p.number = m.album
    where m.channel_id = $1 and m.number between $2 and $3 and p.flags & ${FLAG.deleted} = 0
    order by m.number desc limit $4::int)
  order by 1 desc limit $4::int`
