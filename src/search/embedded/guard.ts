import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../model/clock.ts'
import { IndexDamagedError } from '../search-index.ts'
import { reportDamage, reportedDamage } from './damage.ts'
import { openChecksums } from './checksums.ts'
import { readLog } from './write-ahead-log.ts'

/** Guards the file that a writer fills, and checkpoints its log: only then do pages and their checksums change. */
export interface Guard {
  /** Called after a transaction was committed; `seq` is its last batch. */
  committed(seq: number): void
  /** Throws if a part of the files is not as it was left. Each call checks a little, most calls nothing. */
  check(): void
  /** Also closes the database. */
  close(): void
}

/** How often the files are checked for being deleted, replaced or cut short. */
const LOOK_MS = 1_000
/**
 * How often, and how many, pages are compared with their checksums: 32 MB in some 25 ms of the indexer's thread, a
 * gigabyte in three minutes.
 */
const COMPARE_MS = 5_000
const COMPARE_PAGES = 8_192
/** The log is checkpointed when it has grown by this much, or after this long without a checkpoint. */
const LOG_BYTES = 16_000_000
const LOG_MS = 30_000

interface Guarded {
  readonly path: string
  readonly generation: number
  readonly db: DatabaseSync
  readonly clock: Clock
}

export function createGuard({ path, generation, db, clock }: Guarded): Guard {
  const folder = dirname(path)
  const control = join(folder, 'control.sqlite')
  const watched = [path, `${path}-wal`, `${path}-shm`, control, `${control}-wal`]
  // Only `moveLog` checkpoints the log: see openForWriting.
  db.exec('pragma journal_size_limit = 0')
  const sums = openChecksums(path, 'write')!
  const identities = new Map(watched.filter(existsSync).map((file) => [file, statSync(file).ino]))
  let logBytes = 0
  let movedBytes = 0
  /** Frames in the log at the last checkpoint; 0 once something was written since. */
  let frames = 0
  let isMoved = false
  let movedSince = clock.elapsed()
  let lookedSince = clock.elapsed()
  let comparedSince = clock.elapsed()
  let next = 0

  function damaged(why: string): never {
    reportDamage(folder, { generation, why })
    throw new IndexDamagedError(why)
  }

  function moveLog(): void {
    const log = readLog(path)
    sums.forget(log.pages, log.count)
    const row = db.prepare('pragma wal_checkpoint(passive)').get()
    frames = Number(row?.['log'])
    if (frames > log.sound) damaged(`the log of ${basename(path)} is not as it was written`)
    sums.learn(log.pages)
    movedBytes = logBytes
    isMoved = true
    movedSince = clock.elapsed()
  }

  /** Checks that each file is still the same one, and that none is shorter. */
  function look(): void {
    const reported = reportedDamage(folder, generation)
    if (reported !== undefined) throw new IndexDamagedError(reported)
    for (const file of watched) {
      const { ino = 0, size = 0 } = existsSync(file) ? statSync(file) : {}
      const known = identities.get(file) ?? ino
      identities.set(file, ino)
      if (ino === 0 || ino !== known) damaged(`${basename(file)} was deleted or replaced`)
      if (file.endsWith('-wal') && file.startsWith(path) && size < logBytes) {
        damaged(`${basename(file)} was cut short`)
      }
    }
  }

  function compare(): void {
    if (next === 0 && readLog(path).sound < frames) {
      damaged(`the log of ${basename(path)} is not as it was written`)
    }
    const { wrong, next: following } = sums.compare(next, COMPARE_PAGES)
    next = following
    if (wrong !== undefined) damaged(wrong)
  }

  return {
    committed(seq) {
      sums.note(seq)
      isMoved = false
      frames = 0
      logBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
      // The log starts again from the beginning, and so is shorter, once no reader needs what was checkpointed.
      const grown = logBytes < movedBytes ? logBytes : logBytes - movedBytes
      if (grown > LOG_BYTES) moveLog()
    },
    check() {
      const elapsed = clock.elapsed()
      if (elapsed - lookedSince < LOOK_MS) return
      lookedSince = elapsed
      look()
      if (!isMoved && elapsed - movedSince >= LOG_MS) moveLog()
      if (elapsed - comparedSince < COMPARE_MS) return
      comparedSince = elapsed
      compare()
    },
    close() {
      let pages: Iterable<number> = []
      try {
        moveLog()
        const log = readLog(path)
        sums.forget(log.pages, log.count)
        pages = log.pages
      } catch {
        // Deleted or damaged meanwhile: whoever opens it next will find out.
      }
      // Checkpoints the rest of the log, unless another process has the file open.
      db.close()
      sums.learn(pages)
      sums[Symbol.dispose]()
    },
  }
}
