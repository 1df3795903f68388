import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../model/errors.ts'
import type { PostRef } from '../../model/post.ts'
import type { Cluster, SearchQuery, SearchResult } from '../../model/query.ts'
import { secondsOf } from '../prior.ts'
import {
  EMPTY_STATE,
  IndexDamagedError,
  LACKS_POSTS,
  NO_INDEX,
  WINDOW_MS,
  type IndexState,
} from '../search-index.ts'
import { clusterOf, membersOf } from './collapse.ts'
import { generationPath, hasControlTable, readControlRow } from './control.ts'
import { compareWithRetries, damageIn, reportDamage, reportedDamage } from './damage.ts'
import { bucketOf } from '../bucket.ts'
import { SEARCH_LIMITS, type SearchLimits } from '../limits.ts'
import { SIZES, type Sizes } from './postings/postings.ts'
import { searchSnapshot } from './search.ts'
import { FORMAT, readMeta } from './schema.ts'
import { openSnapshot, type Snapshot } from './snapshot.ts'
import { describeIndex, sizeOf } from './state.ts'

/** Answers in the thread that calls it. Follows the index as other processes write it, from generation to generation. */
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
/**
 * Share of the time that may be spent on comparing files with their checksums: a whole file takes a second per gigabyte,
 * and most of the time belongs to searches.
 */
const COMPARE_SHARE = 1 / 20

interface Open {
  readonly snapshot: Snapshot
  readonly path: string
  readonly inode: number
  readonly lacksPosts: boolean
}

/** Overrides of the defaults; tests use them. */
export interface ReaderOptions {
  readonly limits?: SearchLimits
  readonly sizes?: Sizes
}

export function openReader(
  folder: string,
  { limits = SEARCH_LIMITS, sizes = SIZES }: ReaderOptions = {},
): Reader {
  let open: Open | undefined
  let hadOne = false
  let seenAt = 0
  let compareAgainAt = -Infinity

  function closeSnapshot(): void {
    open?.snapshot.close()
    open = undefined
  }

  /** An open file answers even after it was deleted, and another process may have found it damaged: check now and then. */
  function lookAgain(): void {
    if (!open || performance.now() - seenAt < SEEN_MS) return
    seenAt = performance.now()
    const { inode, path, snapshot } = open
    if (statSync(path, { throwIfNoEntry: false })?.ino !== inode) closeSnapshot()
    else refuseReported(snapshot.generation)
  }

  function refuseReported(generation: number): void {
    const why = reportedDamage(folder, generation)
    if (why === undefined) return
    closeSnapshot()
    throw new IndexDamagedError(why)
  }

  /** Undefined if there is no index yet, or only one in another format. */
  function openServing(): Open | undefined {
    const { generation } = readControl(folder)
    const path = generationPath(folder, generation)
    const inode = statSync(path, { throwIfNoEntry: false })?.ino
    if (inode === undefined) {
      if (generation > 0) throw new GoneError(`${basename(path)} is gone`)
      if (hadOne) throw new IndexDamagedError('its files are gone')
      return undefined
    }
    refuseReported(generation)
    const snapshot = attempt(path, generation, () => openSnapshot(path, sizes))
    // Written by another version; a writer will replace it.
    if (snapshot.format !== FORMAT) {
      snapshot.close()
      return undefined
    }
    hadOne = true
    seenAt = performance.now()
    return { snapshot, path, inode, lacksPosts: readMeta(snapshot.db, 'lacks') === 1 }
  }

  /** Turns errors caused by damage into an `IndexDamagedError`, and reports the damage. */
  function attempt<T>(path: string, generation: number | null, work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (error instanceof AppError) throw error
      const why = damageIn(error, path) ?? (generation === null ? undefined : suspect(path))
      if (why === undefined) throw error
      closeSnapshot()
      reportDamage(folder, { generation, why })
      throw new IndexDamagedError(why)
    }
  }

  /** Changed bytes may cause any error, and so may a bug: the checksums tell which it was. */
  function suspect(path: string): string | undefined {
    const startedAt = performance.now()
    if (startedAt < compareAgainAt) return undefined
    const wrong = compareWithRetries(path)
    const endedAt = performance.now()
    compareAgainAt = endedAt + (endedAt - startedAt) / COMPARE_SHARE
    return wrong
  }

  function readOnce<T>(work: (open: Open) => T): { readonly value: T | undefined } | undefined {
    open ??= openServing()
    const current = open
    if (!current) return { value: undefined }
    const { snapshot, path } = current
    const answer = attempt(path, snapshot.generation, () =>
      snapshot.read(() => ({ value: work(current) })),
    )
    if (!answer) closeSnapshot()
    return answer
  }

  /** Undefined if there is no index yet. */
  function read<T>(work: (open: Open) => T): T | undefined {
    lookAgain()
    let gone: GoneError | undefined
    for (let times = 0; times < 5; times++) {
      try {
        const answer = attempt(join(folder, 'control.sqlite'), null, () => readOnce(work))
        if (answer) return answer.value
      } catch (error) {
        if (!(error instanceof GoneError)) throw error
        // Either the generation was replaced between two looks, or the next attempt fails in the same way.
        gone = error
      }
    }
    if (!gone) throw new Error('the index is replaced faster than it can be opened')
    reportDamage(folder, { generation: null, why: gone.message })
    throw new IndexDamagedError(gone.message)
  }

  function readWhole<T>(work: (snapshot: Snapshot) => T): T | undefined {
    return read(({ snapshot, lacksPosts }) => {
      if (lacksPosts) throw new IndexDamagedError(LACKS_POSTS)
      return work(snapshot)
    })
  }

  return {
    search(query, now) {
      return readWhole((current) => searchSnapshot(current, query, now, limits)) ?? NO_INDEX
    },
    duplicates(ref, limit, now) {
      return readWhole((current) => {
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
      try {
        const { rebuilding } = readControl(folder)
        const state = read(({ snapshot: { db, generation } }) =>
          describeIndex(db, { now, rebuilding, bytes: sizeOf(folder, generation) }),
        )
        return state ?? { ...EMPTY_STATE, kind: 'embedded', rebuilding }
      } catch (error) {
        const why =
          error instanceof IndexDamagedError ? error.why : damageIn(error, 'control.sqlite')
        if (why === undefined) throw error
        return { ...EMPTY_STATE, kind: 'embedded', problem: why }
      }
    },
    close: closeSnapshot,
  }
}

/** Compares the whole index with its checksums. Returns what is wrong, if anything. */
export function findDamage(folder: string): string | undefined {
  try {
    const { generation } = readControl(folder)
    if (generation === 0) return undefined
    return (
      reportedDamage(folder, generation) ?? compareWithRetries(generationPath(folder, generation))
    )
  } catch (error) {
    return damageIn(error, 'control.sqlite') ?? String((error as Error).message)
  }
}

/** The file of the serving generation is missing. */
class GoneError extends Error {}

interface ControlRead {
  readonly generation: number
  /** Also if the writer that started the rebuild has died, until the next one begins. */
  readonly rebuilding: boolean
}

const NO_CONTROL: ControlRead = { generation: 0, rebuilding: false }

function readControl(folder: string): ControlRead {
  const path = join(folder, 'control.sqlite')
  if (!existsSync(path)) return NO_CONTROL
  using db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
  if (!hasControlTable(db)) return NO_CONTROL
  const row = readControlRow(db)
  return { generation: Number(row['generation']), rebuilding: row['rebuilding'] === 1 }
}
