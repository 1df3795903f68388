import { rm } from 'node:fs/promises'
import type { Clock } from '../model/clock.ts'
import { ANALYZER_VERSION } from '../text/analyze.ts'
import { openEmbeddedIndex } from './embedded/pool.ts'
import type { IndexLocation } from './index-location.ts'
import type { Beginning, IndexWriter, SearchIndex } from './search-index.ts'

/** Opens an index for searching; where there is none it answers nothing and says so until a writer has made it. */
export async function openSearchIndex(
  location: IndexLocation,
  clock: Clock,
  signal?: AbortSignal,
): Promise<SearchIndex> {
  switch (location.kind) {
    case 'embedded':
      return openEmbeddedIndex({ ...location, clock })
    case 'opensearch':
      return (await cluster()).openClusterIndex(location, clock, { signal })
  }
}

/** Opens an index for writing; rejects while another writer has it. One that is missing or damaged is begun anew, empty. */
export async function openIndexWriter(
  location: IndexLocation,
  clock: Clock,
  beginning: Beginning = {},
): Promise<IndexWriter> {
  switch (location.kind) {
    case 'embedded': {
      // Who only searches has threads that load the engine, and loads nothing of it.
      const { openEmbeddedWriter } = await import('./embedded/writer.ts')
      return openEmbeddedWriter({
        folder: location.folder,
        clock,
        analyzerVersion: ANALYZER_VERSION,
        ...beginning,
      })
    }
    case 'opensearch':
      return (await cluster()).openClusterWriter(location, clock, beginning)
  }
}

/** How an index's engine is, for whoever looks after it. */
interface EngineHealth {
  /** A few words: what it is, its version, how it is. */
  readonly engine: string
  /** What is wrong, if anything is. */
  readonly problem: string | null
}

/** Reads all of an index's files, or asks the servers that have them; rejects with one sentence where those do not answer. */
export async function examineIndex(location: IndexLocation): Promise<EngineHealth> {
  if (location.kind === 'embedded') {
    const { findDamage } = await import('./embedded/reader.ts')
    return { engine: 'in files', problem: findDamage(location.folder) ?? null }
  }
  const { readHealth } = await import('./opensearch/health.ts')
  const { version, nodes, colour } = await readHealth(location)
  const problem = colour === 'red' ? 'shards are missing, and posts with them' : null
  const missing = colour === 'yellow' ? ' (copies of shards are missing)' : ''
  const many = nodes === 1 ? '1 node' : `${nodes} nodes`
  return { engine: `OpenSearch ${version}, ${many}, ${colour}${missing}`, problem }
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
