/**
 * The engines that the index is compared with: FTS5's own bm25() over the same posts, MiniSearch where it fits in memory,
 * and PostgreSQL where it is installed.
 */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import MiniSearch from 'minisearch'
import type { IndexDocument } from '../src/search/search-index.ts'
import { analyze } from '../src/text/analyze.ts'
import type { Corpus } from './search-corpus.ts'
import type { Taken } from './search-latency.ts'

export interface Rival extends AsyncDisposable {
  /** True if its posts were left there by an earlier run. */
  readonly isFilled: boolean
  /** Must be awaited if it returns a promise. */
  add(document: IndexDocument, text: string): Promise<void> | undefined
  /** Called once after the last post. */
  finish(): Promise<void>
  /** How long finding the best twenty posts takes, query by query, for each way of asking that is measured. */
  time(corpus: Corpus): Promise<Readonly<Record<string, readonly Taken[]>>>
}

/** The plain words of a query, without operators, as the rival's users would type them. */
export function wordsOf(q: string): string[] {
  const plain = q.replace(/\S+:\S+/g, ' ').replace(/[-"()|]/g, ' ')
  return analyze(plain, null).tokens.map((token) => token.tok)
}

/** The rivals read every match, so a hundred queries are enough. Each query was run once before, as ours were. */
function timeEach(corpus: Corpus, search: (q: string) => unknown): Taken[] {
  const asked = corpus.queries.slice(0, 100)
  for (const { q } of asked) search(q)
  return asked.map(({ q, kind }) => {
    const startedAt = performance.now()
    search(q)
    return { kind, ms: performance.now() - startedAt }
  })
}

export function createBm25(path: string): Rival {
  const isFilled = existsSync(path)
  const db = new DatabaseSync(path)
  db.exec(`pragma journal_mode = off; pragma synchronous = off;
    create virtual table if not exists posts using fts5 (body, content='', tokenize='unicode61')`)
  const insert = db.prepare('insert into posts (rowid, body) values (?, ?)')
  const select = db.prepare(
    'select rowid from posts where posts match ? order by bm25(posts) limit 20',
  )
  let count = 0
  if (!isFilled) db.exec('begin')
  const search = (q: string) => {
    const words = wordsOf(q)
    if (words.length === 0) return
    select.all(words.map((word) => `"${word.replaceAll('"', '')}"`).join(' '))
  }
  return {
    isFilled,
    add(document) {
      insert.run(++count, document.toks.join(' '))
      if (count % 10_000 === 0) db.exec('commit; begin')
      return undefined
    },
    async finish() {
      db.exec(`commit; insert into posts (posts) values ('optimize')`)
    },
    async time(corpus) {
      return { 'SQLite bm25()': timeEach(corpus, search) }
    },
    async [Symbol.asyncDispose]() {
      db.close()
    },
  }
}

export function createMini(): Rival {
  const mini = new MiniSearch({ fields: ['body'], tokenize: (text) => text.split(' ') })
  const search = (q: string) =>
    mini.search(wordsOf(q).join(' '), { combineWith: 'AND' }).slice(0, 20)
  let count = 0
  return {
    isFilled: false,
    add(document) {
      mini.add({ id: ++count, body: document.toks.join(' ') })
      return undefined
    },
    async finish() {},
    async time(corpus) {
      return { MiniSearch: timeEach(corpus, search) }
    },
    async [Symbol.asyncDispose]() {},
  }
}
