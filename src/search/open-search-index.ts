import { rm } from 'node:fs/promises'
import type { Clock } from '../model/clock.ts'
import { ANALYZER_VERSION } from '../text/analyze.ts'
import { openEmbeddedIndex } from './embedded/pool.ts'
import type { IndexLocation } from './index-location.ts'
import type { IndexWriterOptions, IndexWriter, SearchIndex } from './search-index.ts'

/** Opens an index for searching. Where there is none, answers are empty and say so until a writer has created one. */
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

/** Opens an index for writing. A missing or damaged index is started again, empty. */
export async function openIndexWriter(
  location: IndexLocation,
  clock: Clock,
  options: IndexWriterOptions = {},
): Promise<IndexWriter> {
  switch (location.kind) {
    case 'embedded': {
      // A process that only searches runs the engine in its threads, and does not load it on the main one.
      const { openEmbeddedWriter } = await import('./embedded/writer.ts')
      return openEmbeddedWriter({
        folder: location.folder,
        clock,
        analyzerVersion: ANALYZER_VERSION,
        ...options,
      })
    }
    case 'opensearch':
      return (await cluster()).openClusterWriter(location, clock, options)
  }
}

/** The health of an index's engine, for operators. */
interface EngineHealth {
  /** A short description: the engine, its version and its state. */
  readonly engine: string
  /** What is damaged, and is rebuilt; null if nothing is. */
  readonly problem: string | null
  /** What only the engine's operator can mend; null if nothing is. */
  readonly trouble: string | null
}

/** Reads all files of an index, or asks the cluster; rejects with a one-sentence message if the cluster does not answer. */
export async function examineIndex(location: IndexLocation): Promise<EngineHealth> {
  if (location.kind === 'embedded') {
    const { findDamage } = await import('./embedded/reader.ts')
    return { engine: 'in files', problem: findDamage(location.folder) ?? null, trouble: null }
  }
  const { readHealth } = await import('./opensearch/health.ts')
  const { version, nodes, colour, blocks, closed } = await readHealth(location)
  const problem = null
  const full = blocks.some((name) => /allow_delete|create_index/.test(name))
    ? ': is its disk full?'
    : ''
  const troubles = [
    ...(colour === 'red'
      ? [
          'shards are missing, and posts with them; if they are lost for good, delete the red indices',
        ]
      : []),
    ...(closed.length > 0 ? [`${closed.join(', ')} is closed: open it again`] : []),
    ...(blocks.length > 0 ? [`${blocks.join(', ')} is set${full}`] : []),
  ]
  const trouble = troubles.length === 0 ? null : troubles.join('; ')
  const missing = colour === 'yellow' ? ' (copies of shards are missing)' : ''
  const many = nodes === 1 ? '1 node' : `${nodes} nodes`
  return { engine: `OpenSearch ${version}, ${many}, ${colour}${missing}`, problem, trouble }
}

/** Deletes an index that no process has open; the next writer creates it again. */
export async function deleteIndex(location: IndexLocation): Promise<void> {
  switch (location.kind) {
    case 'embedded':
      return rm(location.folder, { recursive: true, force: true })
    case 'opensearch':
      return (await cluster()).deleteClusterIndex(location)
  }
}

/** Loaded on demand: a process without a cluster loads none of its code. */
function cluster() {
  return import('./opensearch/open.ts')
}
