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
import { openSearchIndex } from '../src/search/open-search-index.ts'
import { plainQuery } from './search-corpus.ts'
import { wordsOf } from './search-rivals.ts'

export type Order = 'newest' | 'relevance'

export interface Engine extends AsyncDisposable {
  readonly name: string
  search(q: string, order: Order): Promise<unknown>
}

export interface Rival extends Engine {
  readonly isFilled: boolean
  add(posts: readonly Words[]): Promise<void>
  /** Called once after the last post. */
  finish(): Promise<void>
}

/** A post as the rivals get it: its folded words, and when it was published. */
export interface Words {
  readonly body: string
  readonly at: number
}

const MOST = 10_000
const nothing = async () => undefined

/** With as many threads as `serve` has. */
export async function openOurs(folder: string): Promise<Engine> {
  const index = await openSearchIndex({ kind: 'embedded', folder }, systemClock)
  return {
    name: 'telegrep',
    search: (q, order) => index.search(plainQuery(q, order, systemClock.now())),
    [Symbol.asyncDispose]: () => index[Symbol.asyncDispose](),
  }
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
    create virtual table if not exists posts using fts5 (body, content='', tokenize='unicode61')`)
  const insert = db.prepare('insert into posts (body) values (?)')
  const select = (order: string) =>
    db.prepare(`select rowid from posts where posts match ? order by ${order} limit 20`)
  const by = { newest: select('rowid desc'), relevance: select('bm25(posts)') }
  const counted = `select count(*) from (select 1 from posts where posts match ? limit ${MOST})`
  const count = db.prepare(counted)
  return {
    name: 'SQLite FTS5',
    isFilled,
    async add(posts) {
      db.exec('begin')
      for (const { body } of posts) insert.run(body)
      db.exec('commit')
    },
    async finish() {
      db.exec(`insert into posts (posts) values ('optimize')`)
    },
    async search(q, order) {
      const asked = wordsOf(q).map((word) => `"${word.replaceAll('"', '')}"`)
      if (asked.length === 0) return
      by[order].all(asked.join(' '))
      count.get(asked.join(' '))
    },
    async [Symbol.asyncDispose]() {
      db.close()
    },
  }
}

export function openMini(): Rival {
  const mini = new MiniSearch({ fields: ['body'], tokenize: (text) => text.split(' ') })
  let id = 0
  return {
    name: 'MiniSearch',
    isFilled: false,
    async add(posts) {
      mini.addAll(posts.map(({ body }) => ({ id: id++, body })))
    },
    finish: nothing,
    async search(q, order) {
      const found = mini.search(wordsOf(q).join(' '), { combineWith: 'AND' })
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
  const create = `drop table if exists ${table}; create table ${table} (id serial, tsv tsvector)`
  if (!isFilled) await sql.unsafe(create)
  const matching = `from ${table} where tsv @@ plainto_tsquery('simple', $1)`
  const by = {
    newest: `select id ${matching} order by id desc limit 20`,
    relevance: `select id ${matching} order by ts_rank(tsv, plainto_tsquery('simple', $1)) desc limit 20`,
  }
  return {
    name: 'PostgreSQL',
    isFilled,
    async add(posts) {
      const insert = `insert into ${table} (tsv) select to_tsvector('simple', body) from json_array_elements_text($1) body`
      await sql.unsafe(insert, [posts.map(({ body }) => body)])
    },
    async finish() {
      await sql.unsafe(
        `create index on ${table} using gin (tsv) with (fastupdate = off); create index on ${table} (id)`,
      )
      await sql.unsafe(`vacuum analyze ${table}`)
    },
    async search(q, order) {
      const words = wordsOf(q).join(' ')
      await sql.unsafe(by[order], [words], { prepare: true })
      await sql.unsafe(`select count(*) from (select 1 ${matching} limit ${MOST}) n`, [words], {
        prepare: true,
      })
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
  async function call(method: string, path: string, body?: string): Promise<unknown> {
    const headers = { 'content-type': path.endsWith('_bulk') ? BULK : 'application/json' }
    const answer = await fetch(`${base}/${path}`, { method, headers, ...(body && { body }) })
    if (!answer.ok && method !== 'DELETE') throw new Error(`${path}: ${await answer.text()}`)
    return answer.json()
  }
  const properties = { body: { type: 'text', analyzer: 'whitespace' }, at: { type: 'long' } }
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
    search: (q, order) =>
      call('POST', openSearchPath(name), openSearchBody(q, order, { _source: false })),
    async [Symbol.asyncDispose]() {
      if (!isKept) await call('DELETE', index)
    },
  }
}

const openSearchPath = (name: string) => `telegrep-versus-${name}/_search?request_cache=false`

type Operator = 'and' | 'or'

function openSearchBody(q: string, order: Order, more: object, operator: Operator = 'and'): string {
  return JSON.stringify({
    query: { match: { body: { query: wordsOf(q).join(' '), operator } } },
    ...(order === 'newest' && { sort: [{ at: 'desc' }] }),
    size: 20,
    track_total_hits: MOST,
    ...more,
  })
}

/** The same search as a request that also returns the posts and highlights. */
export function highlighting(name: string, q: string, operator: Operator) {
  const highlight = { fields: { body: { number_of_fragments: 1, fragment_size: 200 } } }
  const body = openSearchBody(q, 'relevance', { highlight }, operator)
  return { path: `/${openSearchPath(name)}`, body }
}

const BULK = 'application/x-ndjson'
