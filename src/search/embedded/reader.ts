import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { PostRef } from '../../model/post.ts'
import type { Cluster, SearchQuery, SearchResult } from '../../model/query.ts'
import { secondsOf } from '../prior.ts'
import { WINDOW_MS, type IndexState } from '../search-index.ts'
import { clusterOf, membersOf } from './collapse.ts'
import { generationPath } from './control.ts'
import { bucketOf } from '../bucket.ts'
import { SEARCH_LIMITS, type SearchLimits } from '../limits.ts'
import { SIZES, type Sizes } from './postings/sizes.ts'
import { searchSnapshot } from './search.ts'
import { FORMAT } from './schema.ts'
import { openSnapshot, type Snapshot } from './snapshot.ts'
import { describeIndex } from './state.ts'
import { sizeOf } from './writer.ts'

/** Answers in the thread that calls it. Follows the index as others write it, from generation to generation. */
export interface Reader {
  search(query: SearchQuery, now: number): SearchResult
  duplicates(
    ref: PostRef,
    limit: number,
    now: number,
  ): { cluster: Cluster; members: PostRef[] } | undefined
  state(now: number): IndexState
  close(): void
}

const SEEN_MS = 1_000

/** How a reader is opened otherwise than usual. */
export interface ReaderOptions {
  readonly limits?: SearchLimits
  readonly sizes?: Sizes
}

export function openReader(
  folder: string,
  { limits = SEARCH_LIMITS, sizes = SIZES }: ReaderOptions = {},
): Reader {
  let snapshot: Snapshot | undefined
  let path = ''
  let seenAt = 0

  /** An open file answers even after it was deleted: look now and then whether it is still there. */
  function letGoOfDeleted(): void {
    if (!snapshot || performance.now() - seenAt < SEEN_MS) return
    seenAt = performance.now()
    if (existsSync(path)) return
    snapshot.close()
    snapshot = undefined
  }

  /** Undefined while there is no index. */
  function read<T>(work: (snapshot: Snapshot) => T): T | undefined {
    letGoOfDeleted()
    for (let attempt = 0; attempt < 5; attempt++) {
      if (!snapshot) {
        const { generation } = readControl(folder)
        path = generationPath(folder, generation)
        if (generation === 0 || !existsSync(path)) return undefined
        const opened = openSnapshot(path, sizes)
        // Written by an earlier version; a writer will replace it.
        if (opened.format !== FORMAT) {
          opened.close()
          return undefined
        }
        snapshot = opened
      }
      const current = snapshot
      const answer = current.read(() => ({ value: work(current) }))
      if (answer) return answer.value
      current.close()
      snapshot = undefined
    }
    throw new Error('the index is replaced faster than it can be opened')
  }

  return {
    search(query, now) {
      return read((current) => searchSnapshot(current, query, now, limits)) ?? NOTHING
    },
    duplicates(ref, limit, now) {
      return read((current) => {
        const row = current
          .statement('select sec, slot from ref where channel = ? and number = ?')
          .get(ref.channelId, ref.number)
        if (!row) return undefined
        const { columns } = current.columns(bucketOf(Number(row['sec'])))
        const group = columns.group[Number(row['slot'])]!
        const windowS = secondsOf(now - WINDOW_MS)
        const cluster = clusterOf(current, group, windowS)
        if (!cluster) return undefined
        const members = [...membersOf(current, group, windowS, limit)]
        return { cluster, members: members.map(({ channelId, number }) => ({ channelId, number })) }
      })
    },
    state(now) {
      const { rebuilding } = readControl(folder)
      return (
        read((current) =>
          describeIndex(current.db, { now, rebuilding, bytes: sizeOf(folder, current.generation) }),
        ) ?? { ...EMPTY, rebuilding }
      )
    },
    close() {
      snapshot?.close()
      snapshot = undefined
    },
  }
}

function readControl(folder: string): { generation: number; rebuilding: boolean } {
  const path = join(folder, 'control.sqlite')
  if (!existsSync(path)) return { generation: 0, rebuilding: false }
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
  try {
    const row = db.prepare('select generation, rebuilding from control').get()
    return { generation: Number(row?.['generation'] ?? 0), rebuilding: row?.['rebuilding'] === 1 }
  } finally {
    db.close()
  }
}

const NOTHING: SearchResult = {
  hits: [],
  total: { value: 0, relation: 'gte' },
  facets: {},
  next: null,
  relaxed: false,
  complete: false,
  reason: 'no_index',
  corrections: [],
}

const EMPTY: IndexState = {
  posts: 0,
  channels: 0,
  oldestPostAt: null,
  newestPostAt: null,
  analyzerVersion: 0,
  generation: 0,
  complete: false,
  rebuilding: false,
  removals: 0,
  bytes: 0,
}
