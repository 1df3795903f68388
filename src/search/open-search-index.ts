import type { Clock } from '../model/clock.ts'
import { ANALYZER_VERSION } from '../text/analyze.ts'
import { openEmbeddedIndex } from './embedded/pool.ts'
import { findDamage } from './embedded/reader.ts'
import { openEmbeddedWriter, type Beginning } from './embedded/writer.ts'
import type { IndexWriter, SearchIndex } from './search-index.ts'

/** Where the index is. */
export type IndexLocation = {
  readonly kind: 'embedded'
  readonly folder: string
  /** Threads that search; by default `SEARCH_THREADS`. */
  readonly workers?: number
}

/** Opens an index for searching; a folder without one answers nothing and says so until a writer has made it. */
export async function openSearchIndex(location: IndexLocation, clock: Clock): Promise<SearchIndex> {
  switch (location.kind) {
    case 'embedded':
      return openEmbeddedIndex({ ...location, clock })
  }
}

/** Opens an index for writing; rejects while another writer has it. One that is missing or damaged is begun anew, empty. */
export async function openIndexWriter(
  location: IndexLocation,
  clock: Clock,
  beginning: Beginning = {},
): Promise<IndexWriter> {
  switch (location.kind) {
    case 'embedded':
      return openEmbeddedWriter({
        folder: location.folder,
        clock,
        analyzerVersion: ANALYZER_VERSION,
        ...beginning,
      })
  }
}

/** Reads all of an index's files; what is damaged, if anything is. */
export function verifyIndex(location: IndexLocation): string | undefined {
  return location.kind === 'embedded' ? findDamage(location.folder) : undefined
}

export { SEARCH_THREADS } from './embedded/pool.ts'
