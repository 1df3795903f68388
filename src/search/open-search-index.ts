import { rm } from 'node:fs/promises'
import type { Clock } from '../model/clock.ts'
import { ANALYZER_VERSION } from '../text/analyze.ts'
import { openEmbeddedIndex } from './embedded/pool.ts'
import { findDamage } from './embedded/reader.ts'
import { openEmbeddedWriter, type Beginning } from './embedded/writer.ts'
import type { IndexLocation } from './index-location.ts'
import type { IndexWriter, SearchIndex } from './search-index.ts'

/** Opens an index for searching; where there is none it answers nothing and says so until a writer has made it. */
export async function openSearchIndex(location: IndexLocation, clock: Clock): Promise<SearchIndex> {
  switch (location.kind) {
    case 'embedded':
      return openEmbeddedIndex({ ...location, clock })
    case 'opensearch':
      return (await cluster()).openClusterIndex(location, clock)
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
    case 'opensearch':
      return (await cluster()).openClusterWriter(location, clock, beginning)
  }
}

/** Reads all of an index's files; what is damaged, if anything is. Those of a cluster are its own affair. */
export function verifyIndex(location: IndexLocation): string | undefined {
  return location.kind === 'embedded' ? findDamage(location.folder) : undefined
}

/** Deletes an index that no process has open; the next writer begins it anew. */
export async function deleteIndex(location: IndexLocation): Promise<void> {
  switch (location.kind) {
    case 'embedded':
      return rm(location.folder, { recursive: true, force: true })
    case 'opensearch':
      return (await cluster()).deleteClusterIndex(location)
  }
}

/** Who has no cluster loads nothing of it. */
function cluster() {
  return import('./opensearch/open.ts')
}

export { SEARCH_THREADS } from './embedded/pool.ts'
