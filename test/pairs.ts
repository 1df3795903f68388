import { randomUUID } from 'node:crypto'
import { deleteIndex } from '../src/search/open-search-index.ts'
import { locateIndex } from '../src/search/index-location.ts'
import { engines } from './engines.ts'
import { onDatabase } from './postgres.ts'

/** Where a test's store and index are; null means in files. */
export interface Pair {
  readonly name: string
  readonly store: 'postgres' | null
  readonly index: 'opensearch' | null
}

/** The pairs that need engines; the fourth is all in files. */
export const PAIRS: readonly Pair[] = [
  { name: 'PostgreSQL and OpenSearch', store: 'postgres', index: 'opensearch' },
  { name: 'PostgreSQL and an index in files', store: 'postgres', index: null },
  { name: 'a store in files and OpenSearch', store: null, index: 'opensearch' },
]

export interface OpenedPair extends AsyncDisposable {
  /** The environment for the program. */
  readonly env: Readonly<Record<string, string>>
}

/** A test's own schema and index prefix; everything made under them is deleted at the end. */
export async function openPair(pair: Pick<Pair, 'store' | 'index'>): Promise<OpenedPair> {
  const id = randomUUID().slice(0, 8)
  const schema = `test_${id}`
  const cluster = { nodes: engines().searchUrl.split(','), prefix: `test-${id}` }
  const url = new URL(engines().databaseUrl)
  url.searchParams.set('schema', schema)
  return {
    env: {
      ...(pair.store && {
        TELEGREP_DATABASE_URL: url.href,
        TELEGREP_SECRET: `secret of ${id} here`,
      }),
      ...(pair.index && {
        TELEGREP_SEARCH_URL: cluster.nodes.join(','),
        TELEGREP_SEARCH_PREFIX: cluster.prefix,
      }),
    },
    async [Symbol.asyncDispose]() {
      if (pair.index) await deleteIndex(locateIndex({ folder: '', cluster }))
      if (!pair.store) return
      const drop = [schema, `${schema}_ledger`].map(
        (name) => `drop schema if exists ${name} cascade`,
      )
      await onDatabase(schema, (db) => db.script(drop.join(';')))
    },
  }
}
