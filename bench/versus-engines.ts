/**
 * What a user might use instead. Each engine is given the same folded words of the same posts and asked for the same:
 * twenty posts that hold all words of a query, and the number of matches, up to ten thousand. An engine that an earlier
 * run has filled is used as it is.
 */
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import MiniSearch from 'minisearch'
import postgres from 'postgres'
import { systemClock } from '../src/model/clock.ts'
import { mapLeaves } from '../src/model/query-tree.ts'
import type { SearchQuery } from '../src/model/query.ts'
import { openSearchIndex } from '../src/search/open-search-index.ts'
import { plainQuery } from './search-corpus.ts'
import type { VersusQuery } from './versus-queries.ts'

export type Order = 'newest' | 'relevance'

export interface Engine extends AsyncDisposable {
  readonly name: string
  search(query: VersusQuery, order: Order): Promise<unknown>
}

export interface Rival extends Engine {
  readonly isFilled: boolean
  add(posts: readonly Words[]): Promise<void>
  /** Called once after the last post. */
  finish(): Promise<void>
}

/** A post as the rivals get it: its folded words, when and where it was published, and in which language. */
export interface Words {
  readonly body: string
  readonly at: number
  readonly channel: string
  readonly lang: string
}

const MOST = 10_000
const PAGE = 20
const nothing = async () => undefined

/** With as many threads as `serve` has. */
export async function openOurs(folder: string): Promise<Engine> {
  const index = await openSearchIndex({ kind: 'embedded', folder }, systemClock)
  return {
    name: 'telegrep',
    search: (query, order) => index.search(queryOf(query, order)),
    [Symbol.asyncDispose]: () => index[Symbol.asyncDispose](),
  }
}

/** The index knows channels by number. */
function queryOf({ q, filter }: VersusQuery, order: Order): SearchQuery {
  const query = plainQuery(q, order, systemClock.now())
  if (filter?.kind !== 'from') return query
  const root = mapLeaves(query.root!, (node) =>
    node.kind === 'channel' ? { ...node, value: String(filter.channelId) } : node,
  )
  return { ...query, root }
}

/** Whether an earlier run has filled it, and whether to keep it for a later one. */
export interface Keeping {
  readonly isFilled: boolean
  readonly isKept: boolean
}

export function openFts5(path: string, { isFilled }: Keeping): Rival {
  if (!isFilled) rmSync(path, { force: true })
  const db = new DatabaseSync(path)
  db.exec(`pragma journal_mode = off; pragma synchronous = off;
    create virtual table if not exists posts using fts5 (body, facts, content='', tokenize='unicode61')`)
  const insert = db.prepare('insert into posts (rowid, body, facts) values (?, ?, ?)')
  const matching = 'from posts where posts match ? and rowid >= ?'
  const select = (order: string) =>
    db.prepare(`select rowid ${matching} order by ${order} limit 20`)
  const by = { newest: select('rowid desc'), relevance: select('bm25(posts)') }
  const count = db.prepare(`select count(*) from (select 1 ${matching} limit ${MOST})`)
  /** Ascending in time, as the posts come. */
  let row = 0
  const rowAt = (at: number) => at * 1_000
  const fact = (kind: string, value: string) => `${kind}_${value}`.replaceAll(/[^a-z0-9]/gi, 'x')
  return {
    name: 'SQLite FTS5',
    isFilled,
    async add(posts) {
      db.exec('begin')
      for (const { body, at, channel, lang } of posts) {
        row = Math.max(row + 1, rowAt(at))
        insert.run(row, body, `${fact('from', channel)} ${fact('lang', lang)}`)
      }
      db.exec('commit')
    },
    async finish() {
      db.exec(`insert into posts (posts) values ('optimize')`)
    },
    async search({ words, isPhrase, filter }, order) {
      if (words.length === 0) return
      const quoted = (list: readonly string[]) => `"${list.join(' ').replaceAll('"', '')}"`
      const body = isPhrase ? quoted(words) : words.map((word) => quoted([word])).join(' ')
      const facts =
        filter?.kind === 'from'
          ? ` AND facts : ${fact('from', filter.channel)}`
          : filter?.kind === 'lang'
            ? ` AND facts : ${fact('lang', filter.language)}`
            : ''
      const from = filter?.kind === 'after' ? rowAt(filter.at) : 0
      by[order].all(`(body : (${body}))${facts}`, from)
      count.get(`(body : (${body}))${facts}`, from)
    },
    async [Symbol.asyncDispose]() {
      db.close()
    },
  }
}

export function openMini(): Rival {
  const mini = new MiniSearch({
    fields: ['body'],
    storeFields: ['at', 'channel', 'lang'],
    tokenize: (text) => text.split(' '),
  })
  let id = 0
  return {
    name: 'MiniSearch',
    isFilled: false,
    async add(posts) {
      mini.addAll(posts.map((post) => ({ id: id++, ...post })))
    },
    finish: nothing,
    // It has no phrases.
    async search({ words, filter }, order) {
      const found = mini.search(words.join(' '), {
        combineWith: 'AND',
        filter: ({ at, channel, lang }) =>
          filter === null ||
          (filter.kind === 'from' && channel === filter.channel) ||
          (filter.kind === 'lang' && lang === filter.language) ||
          (filter.kind === 'after' && at >= filter.at),
      })
      return order === 'newest' ? found.sort((a, b) => b.id - a.id) : found
    },
    [Symbol.asyncDispose]: nothing,
  }
}

/** `name` distinguishes the tables that several runs keep. */
export async function openPostgres(
  url: string,
  name: string,
  { isFilled, isKept }: Keeping,
): Promise<Rival> {
  const sql = postgres(url, { max: 2, onnotice: () => undefined })
  const table = `telegrep_versus_${name}`
  const create = `drop table if exists ${table}; create table ${table} (id serial, tsv tsvector, at bigint, channel text, lang text)`
  if (!isFilled) await sql.unsafe(create)
  /** What matches, with its parameters. */
  function matching({ words, isPhrase, filter }: VersusQuery): [string, (string | number)[]] {
    const tsq = `${isPhrase ? 'phraseto_tsquery' : 'plainto_tsquery'}('simple', $1)`
    const [more, values] =
      filter === null
        ? ['', []]
        : filter.kind === 'from'
          ? ['and channel = $2', [filter.channel]]
          : filter.kind === 'lang'
            ? ['and lang = $2', [filter.language]]
            : ['and at >= $2', [filter.at]]
    return [`from ${table}, ${tsq} tsq where tsv @@ tsq ${more}`, [words.join(' '), ...values]]
  }
  const by = { newest: 'order by id desc', relevance: 'order by ts_rank(tsv, tsq) desc' }
  return {
    name: 'PostgreSQL',
    isFilled,
    async add(posts) {
      const insert = `insert into ${table} (tsv, at, channel, lang)
        select to_tsvector('simple', body), at, channel, lang
        from json_to_recordset($1) as post (body text, at bigint, channel text, lang text)`
      await sql.unsafe(insert, [posts as never])
    },
    async finish() {
      await sql.unsafe(
        `create index on ${table} using gin (tsv) with (fastupdate = off); create index on ${table} (id)`,
      )
      await sql.unsafe(`vacuum analyze ${table}`)
    },
    async search(query, order) {
      const [from, values] = matching(query)
      await sql.unsafe(`select id ${from} ${by[order]} limit 20`, values, { prepare: true })
      const count = `select count(*) from (select 1 ${from} limit ${MOST}) n`
      await sql.unsafe(count, values, { prepare: true })
    },
    async [Symbol.asyncDispose]() {
      if (!isKept) await sql.unsafe(`drop table ${table}`)
      await sql.end()
    },
  }
}

export async function openOpenSearch(
  base: string,
  name: string,
  { isFilled, isKept }: Keeping,
): Promise<Rival> {
  const index = `telegrep-versus-${name}`
  const call = caller(base)
  const properties = {
    body: { type: 'text', analyzer: 'whitespace' },
    at: { type: 'long' },
    channel: { type: 'keyword' },
    lang: { type: 'keyword' },
  }
  const settings = {
    number_of_shards: 1,
    number_of_replicas: 0,
    refresh_interval: '-1',
    sort: { field: 'at', order: 'desc' },
  }
  const made = JSON.stringify({ settings: { index: settings }, mappings: { properties } })
  if (!isFilled) {
    await call('DELETE', index)
    await call('PUT', index, made)
  }
  return {
    name: 'OpenSearch, one node',
    isFilled,
    async add(posts) {
      const lines = posts.flatMap((post) => ['{"index":{}}', JSON.stringify(post)])
      await call('POST', `${index}/_bulk`, `${lines.join('\n')}\n`)
    },
    async finish() {
      await call('POST', `${index}/_forcemerge?max_num_segments=3`)
      await call('POST', `${index}/_refresh`)
    },
    search: (query, order) =>
      call('POST', openSearchPath(name), openSearchBody(query, order, { _source: false })),
    async [Symbol.asyncDispose]() {
      if (!isKept) await call('DELETE', index)
    },
  }
}

/** The same node, asked for posts with any of the words where fewer than a page have all of them, as ours does. */
export function openRelaxing(base: string, name: string): Engine {
  const call = caller(base)
  const ask = (query: VersusQuery, order: Order, operator: Operator) =>
    call('POST', openSearchPath(name), openSearchBody(query, order, { _source: false }, operator))
  return {
    name: 'OpenSearch, then any word',
    async search(query, order) {
      const found = (await ask(query, order, 'and')) as { hits: { hits: unknown[] } }
      const mayRelax = order === 'relevance' && !query.isPhrase && query.words.length > 1
      if (mayRelax && found.hits.hits.length < PAGE) await ask(query, order, 'or')
    },
    [Symbol.asyncDispose]: nothing,
  }
}

function caller(base: string) {
  return async (method: string, path: string, body?: string): Promise<unknown> => {
    const headers = { 'content-type': path.endsWith('_bulk') ? BULK : 'application/json' }
    const answer = await fetch(`${base}/${path}`, { method, headers, ...(body && { body }) })
    if (!answer.ok && method !== 'DELETE') throw new Error(`${path}: ${await answer.text()}`)
    return answer.json()
  }
}

const openSearchPath = (name: string) => `telegrep-versus-${name}/_search?request_cache=false`

type Operator = 'and' | 'or'

function openSearchBody(
  { words, isPhrase, filter }: VersusQuery,
  order: Order,
  more: object,
  operator: Operator = 'and',
): string {
  const asked = { query: words.join(' '), ...(!isPhrase && { operator }) }
  const must = [{ [isPhrase ? 'match_phrase' : 'match']: { body: asked } }]
  const filters = {
    from: () => ({ term: { channel: filter?.kind === 'from' && filter.channel } }),
    lang: () => ({ term: { lang: filter?.kind === 'lang' && filter.language } }),
    after: () => ({ range: { at: { gte: filter?.kind === 'after' && filter.at } } }),
  }
  return JSON.stringify({
    query: filter ? { bool: { must, filter: filters[filter.kind]() } } : must[0],
    ...(order === 'newest' && { sort: [{ at: 'desc' }] }),
    size: PAGE,
    track_total_hits: MOST,
    ...more,
  })
}

/** The same search as a request that also returns the posts and highlights. */
export function highlighting(name: string, query: VersusQuery, operator: Operator) {
  const highlight = { fields: { body: { number_of_fragments: 1, fragment_size: 200 } } }
  const body = openSearchBody(query, 'relevance', { highlight }, operator)
  return { path: `/${openSearchPath(name)}`, body }
}

const BULK = 'application/x-ndjson'
