import { randomUUID } from 'node:crypto'
import { locateIndex } from '../src/search/index-location.ts'
import { deleteIndex } from '../src/search/open-search-index.ts'
import { engines } from './engines.ts'

/** Where store and index of a test are; null: in files. */
export interface Pair {
  readonly name: string
  readonly index: 'opensearch' | null
}

/** Those that need engines. */
export const PAIRS: readonly Pair[] = [
  { name: 'a store in files and OpenSearch', index: 'opensearch' },
]

export interface OpenedPair extends AsyncDisposable {
  /** What the program has to be told. */
  readonly env: Readonly<Record<string, string>>
}

/** An index prefix of a test's own; what was made under it is gone in the end. */
export async function openPair(pair: Pick<Pair, 'index'>): Promise<OpenedPair> {
  const cluster = {
    nodes: engines().searchUrl.split(','),
    prefix: `test-${randomUUID().slice(0, 8)}`,
  }
  return {
    env: pair.index
      ? {
          TELEGREP_SEARCH_URL: cluster.nodes.join(','),
          TELEGREP_SEARCH_PREFIX: cluster.prefix,
        }
      : {},
    async [Symbol.asyncDispose]() {
      if (pair.index) await deleteIndex(locateIndex({ folder: '', cluster }))
    },
  }
}
