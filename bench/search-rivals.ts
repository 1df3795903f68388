/** What the index is measured beside: FTS5's own bm25() over the same posts, and MiniSearch where it fits in memory. */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import MiniSearch from 'minisearch'
import type { IndexDocument } from '../src/search/search-index.ts'
import { analyze } from '../src/text/analyze.ts'

export interface Rival {
  readonly name: string
  /** Its posts were found where an earlier run left them. */
  readonly isFilled: boolean
  add(document: IndexDocument): void
  /** Called once after the last. */
  finish(): void
  /** The best twenty posts that hold all the words. */
  search(q: string): number
}

/** Words as the rival's users would type them: the plain words of the query, operators left out. */
function wordsOf(q: string): string[] {
  const plain = q.replace(/\S+:\S+/g, ' ').replace(/[-"()|]/g, ' ')
  return analyze(plain, null).tokens.map((token) => token.tok)
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
  return {
    name: 'SQLite bm25()',
    isFilled,
    add(document) {
      insert.run(++count, document.toks.join(' '))
      if (count % 10_000 === 0) db.exec('commit; begin')
    },
    finish() {
      db.exec(`commit; insert into posts (posts) values ('optimize')`)
    },
    search(q) {
      const words = wordsOf(q)
      if (words.length === 0) return 0
      return select.all(words.map((word) => `"${word.replaceAll('"', '')}"`).join(' ')).length
    },
  }
}

export function createMini(): Rival {
  const mini = new MiniSearch({ fields: ['body'], tokenize: (text) => text.split(' ') })
  let count = 0
  return {
    name: 'MiniSearch',
    isFilled: false,
    add(document) {
      mini.add({ id: ++count, body: document.toks.join(' ') })
    },
    finish() {},
    search(q) {
      return mini.search(wordsOf(q).join(' '), { combineWith: 'AND' }).slice(0, 20).length
    },
  }
}
