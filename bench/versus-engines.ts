/**
 * What a user would take instead, each given the same folded words of the same posts and asked for the same: twenty posts that
 * hold all words of a query, and how many there are, up to ten thousand.
 */
import { DatabaseSync } from 'node:sqlite'
import MiniSearch from 'minisearch'
import postgres from 'postgres'
import { systemClock } from '../src/model/clock.ts'
import { openIndexWriter, openSearchIndex } from '../src/search/open-search-index.ts'
import { WINDOW_MS, type IndexDocument } from '../src/search/search-index.ts'
import { NOW, queryOf, type Corpus } from './search-corpus.ts'
import { wordsOf } from './search-rivals.ts'

export type Order = 'newest' | 'relevance'

export interface Engine extends AsyncDisposable {
  readonly name: string
  add(documents: readonly IndexDocument[]): Promise<void>
  /** Called once after the last. */
  finish(): Promise<void>
  search(q: string, order: Order): Promise<unknown>
}

const MOST = 10_000
const bodyOf = ({ toks }: IndexDocument) => toks.join(' ').replaceAll('\0', '').toWellFormed()
const nothing = async () => undefined

export async function openOurs(folder: string, corpus: Corpus): Promise<Engine> {
  const clock = { now: () => NOW, elapsed: () => NOW, sleep: systemClock.sleep }
  const writer = await openIndexWriter({ kind: 'embedded', folder }, clock)
  const index = await openSearchIndex({ kind: 'embedded', folder, workers: 1 }, clock)
  return {
    name: 'telegrep',
    add: (puts) => writer.apply({ puts }),
    async finish() {
      // The merging an indexer does minute by minute.
      for (let i = 0; i < 400; i++) await writer.expire(NOW - WINDOW_MS)
      await writer[Symbol.asyncDispose]()
    },
    search: (q, order) => index.search(queryOf(corpus, q, order)),
    [Symbol.asyncDispose]: () => index[Symbol.asyncDispose](),
  }
}

export function openFts5(path: string): Engine {
  const db = new DatabaseSync(path)
  db.exec(`pragma journal_mode = off; pragma synchronous = off;
    create virtual table posts using fts5 (body, content='', tokenize='unicode61')`)
  const insert = db.prepare('insert into posts (body) values (?)')
  const select = (order: string) =>
    db.prepare(`select rowid from posts where posts match ? order by ${order} limit 20`)
  const by = { newest: select('rowid desc'), relevance: select('bm25(posts)') }
  const counted = `select count(*) from (select 1 from posts where posts match ? limit ${MOST})`
  const count = db.prepare(counted)
  return {
    name: 'SQLite FTS5',
    async add(documents) {
      db.exec('begin')
      for (const document of documents) insert.run(bodyOf(document))
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

export function openMini(): Engine {
  const mini = new MiniSearch({ fields: ['body'], tokenize: (text) => text.split(' ') })
  let id = 0
  return {
    name: 'MiniSearch',
    async add(documents) {
      mini.addAll(documents.map((document) => ({ id: id++, body: bodyOf(document) })))
    },
    finish: nothing,
    async search(q, order) {
      const found = mini.search(wordsOf(q).join(' '), { combineWith: 'AND' })
      return order === 'newest' ? found.sort((a, b) => b.id - a.id) : found
    },
    [Symbol.asyncDispose]: nothing,
  }
}

const TABLE = 'telegrep_bench_versus'

export async function openPostgres(url: string): Promise<Engine> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  await sql.unsafe(`drop table if exists ${TABLE}; create table ${TABLE} (id serial, tsv tsvector)`)
  const matching = `from ${TABLE} where tsv @@ plainto_tsquery('simple', $1)`
  const by = {
    newest: `select id ${matching} order by id desc limit 20`,
    relevance: `select id ${matching} order by ts_rank(tsv, plainto_tsquery('simple', $1)) desc limit 20`,
  }
  return {
    name: 'PostgreSQL',
    async add(documents) {
      const insert = `insert into ${TABLE} (tsv) select to_tsvector('simple', body) from json_array_elements_text($1) body`
      await sql.unsafe(insert, [documents.map(bodyOf)])
    },
    async finish() {
      await sql.unsafe(
        `create index on ${TABLE} using gin (tsv) with (fastupdate = off); create index on ${TABLE} (id)`,
      )
      await sql.unsafe(`vacuum analyze ${TABLE}`)
    },
    async search(q, order) {
      const words = wordsOf(q).join(' ')
      await sql.unsafe(by[order], [words], { prepare: true })
      await sql.unsafe(`select count(*) from (select 1 ${matching} limit ${MOST}) n`, [words], {
        prepare: true,
      })
    },
    async [Symbol.asyncDispose]() {
      await sql.unsafe(`drop table if exists ${TABLE}`)
      await sql.end()
    },
  }
}

const INDEX = 'telegrep-bench-versus'

export async function openOpenSearch(base: string): Promise<Engine> {
  async function call(method: string, path: string, body?: string): Promise<unknown> {
    const headers = { 'content-type': path.endsWith('_bulk') ? BULK : 'application/json' }
    const answer = await fetch(`${base}/${path}`, { method, headers, ...(body && { body }) })
    if (!answer.ok && method !== 'DELETE') throw new Error(`${path}: ${await answer.text()}`)
    return answer.json()
  }
  await call('DELETE', INDEX)
  const properties = { body: { type: 'text', analyzer: 'whitespace' }, at: { type: 'long' } }
  const settings = {
    number_of_shards: 1,
    number_of_replicas: 0,
    refresh_interval: '-1',
    sort: { field: 'at', order: 'desc' },
  }
  await call(
    'PUT',
    INDEX,
    JSON.stringify({ settings: { index: settings }, mappings: { properties } }),
  )
  return {
    name: 'OpenSearch, one node',
    async add(documents) {
      const lines = documents.flatMap((document) => [
        '{"index":{}}',
        JSON.stringify({ body: bodyOf(document), at: document.publishedAt }),
      ])
      await call('POST', `${INDEX}/_bulk`, `${lines.join('\n')}\n`)
    },
    async finish() {
      await call('POST', `${INDEX}/_forcemerge?max_num_segments=3`)
      await call('POST', `${INDEX}/_refresh`)
    },
    search: (q, order) =>
      call(
        'POST',
        `${INDEX}/_search?request_cache=false`,
        JSON.stringify({
          query: { match: { body: { query: wordsOf(q).join(' '), operator: 'and' } } },
          ...(order === 'newest' && { sort: [{ at: 'desc' }] }),
          size: 20,
          _source: false,
          track_total_hits: MOST,
        }),
      ),
    async [Symbol.asyncDispose]() {
      await call('DELETE', INDEX)
    },
  }
}

const BULK = 'application/x-ndjson'
