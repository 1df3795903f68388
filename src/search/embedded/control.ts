import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../model/clock.ts'
import { isAlive } from '../../model/process-alive.ts'
import { FencedOffError, IndexLockedError } from '../search-index.ts'
import { endTransaction, orClose } from './schema.ts'

/**
 * Which generation serves, and who writes. A small database of its own beside the generations' files, so that it can
 * change while a generation is replaced.
 */
export interface Control {
  generation(): number
  isRebuilding(): boolean
  /** Becomes the writer; throws while another one lives. The token fences off whoever wrote before. */
  lock(): number
  /** The number of a generation to be built, which no other writer is given. Throws when fenced off. */
  startGeneration(): number
  /** Makes a generation the one that serves. Throws when fenced off. */
  serve(generation: number): void
  /** Ends a rebuild without a swap. Nothing happens when fenced off: the writer of now has ended it. */
  abandon(): void
  /** Deletes the files of every generation but the one that serves; nothing happens when fenced off. */
  removeOthers(): void
  /** Shows that the writer lives, unless it did a moment ago. */
  beat(): void
  unlock(): void
  close(): void
}

/** A writer that has been silent so long is taken for dead. */
const LOCK_MS = 15_000
/** A beat is a write that the disk is waited for, and many batches may come in a second. */
const BEAT_AGAIN_MS = 1_000
/** As SQLite says of a file that is no database. */
const NOT_ONE = 26

export function generationPath(folder: string, generation: number): string {
  return join(folder, `generation-${generation}.sqlite`)
}

export function openControl(folder: string, clock: Clock): Control {
  mkdirSync(folder, { recursive: true })
  const db = new DatabaseSync(join(folder, 'control.sqlite'), { timeout: 5_000 })
  orClose(db, () => {
    const foreign = db.prepare(`select name from sqlite_schema where name <> 'control'`).get()
    if (foreign) throw notOne('holds another database')
    db.exec('pragma journal_mode = wal; pragma synchronous = full')
    if (!isMade(db)) db.exec(MAKE)
    // Flipped bytes may leave a database that can be read, with a row that nobody could have written.
    const { quick_check: found } = db.prepare('pragma quick_check(1)').get()!
    if (found !== 'ok') throw notOne(String(found))
    readControlRow(db)
  })
  const owner = `${processPlace()}/${randomUUID()}`
  let token = 0
  let beatSince = -Infinity
  const field = (name: string) => Number(readControlRow(db)[name])

  /** Undefined when another process has become the writer since. */
  function update(assignment: string, ...values: number[]): Record<string, unknown> | undefined {
    return db
      .prepare(
        `update control set ${assignment} where id = 1 and token = ${token} returning last_generation`,
      )
      .get(...values)
  }

  return {
    generation: () => field('generation'),
    isRebuilding: () => field('rebuilding') === 1,
    startGeneration() {
      // A file that a lost control file knew may still be there, and read.
      const known = Math.max(0, ...generationsIn(folder))
      const row = update('last_generation = max(last_generation, ?) + 1, rebuilding = 1', known)
      if (!row) throw new FencedOffError()
      return Number(row['last_generation'])
    },
    serve(generation) {
      if (!update('generation = ?, rebuilding = 0', generation)) throw new FencedOffError()
    },
    abandon() {
      update('rebuilding = 0')
    },
    removeOthers() {
      // In a transaction, so that nobody becomes the writer and starts a generation meanwhile.
      db.exec('begin immediate')
      try {
        if (field('token') === token) removeOtherGenerations(folder, field('generation'))
      } finally {
        endTransaction(db)
      }
    },
    lock() {
      db.exec('begin immediate')
      try {
        const row = readControlRow(db)
        if (row['owner'] !== owner && isWritten(row, clock.now())) {
          throw new IndexLockedError(
            `the index in ${folder} is being written by process ${String(row['pid'])}` +
              (isOwnedHere(row) ? '' : ' of another host or container'),
          )
        }
        token = Number(row['token']) + 1
        db.prepare('update control set owner = ?, pid = ?, beat_at = ?, token = ?').run(
          owner,
          process.pid,
          clock.now(),
          token,
        )
        return token
      } finally {
        endTransaction(db)
      }
    },
    beat() {
      if (clock.elapsed() - beatSince < BEAT_AGAIN_MS) return
      beatSince = clock.elapsed()
      db.prepare('update control set beat_at = ? where id = 1 and owner = ?').run(
        clock.now(),
        owner,
      )
    },
    unlock() {
      db.prepare('update control set owner = null where id = 1 and owner = ?').run(owner)
    },
    close() {
      db.close()
    },
  }
}

const MAKE = `begin immediate;
  create table if not exists control (
    id integer primary key check (id = 1), generation integer not null, last_generation integer not null,
    rebuilding integer not null, owner text, pid integer not null, beat_at integer not null, token integer not null);
  insert or ignore into control values (1, 0, 0, 0, null, 0, 0, 0);
  commit`

/** Whoever makes the file may not have come to its table yet. */
export function isMade(db: DatabaseSync): boolean {
  return db.prepare(`select 1 from sqlite_schema where name = 'control'`).get() !== undefined
}

/** The one row, which is made together with its table; throws as SQLite does of a damaged file where it is not there. */
export function readControlRow(db: DatabaseSync): Record<string, unknown> {
  const rows = db.prepare('select * from control limit 2').all()
  const [row] = rows
  const isWhole = row?.['id'] === 1 && Number.isInteger(row['generation'])
  if (rows.length !== 1 || !isWhole) throw notOne('holds no state of an index')
  return row
}

/** Whether the writer that a row names lives. */
export function isWritten(row: Record<string, unknown>, now: number): boolean {
  if (row['owner'] === null) return false
  // A beat far in the future was left by a clock that has been set back since.
  if (Math.abs(now - Number(row['beat_at'])) >= LOCK_MS) return false
  // Of a process elsewhere only its silence tells that it is dead.
  return !isOwnedHere(row) || isAlive(Number(row['pid']))
}

function isOwnedHere(row: Record<string, unknown>): boolean {
  return String(row['owner']).startsWith(`${processPlace()}/`)
}

function notOne(why: string): Error {
  return Object.assign(new Error(why), { errcode: NOT_ONE })
}

function generationsIn(folder: string): number[] {
  return readdirSync(folder).flatMap((name) => {
    const found = /generation-(\d{1,12})\.sqlite/.exec(name)
    return found ? [Number(found[1])] : []
  })
}

/** Readers that still have a deleted file open keep it until they let go. */
function removeOtherGenerations(folder: string, kept: number): void {
  for (const name of readdirSync(folder)) {
    const found = /^generation-(\d+)\.sqlite/.exec(name)
    if (!found || Number(found[1]) === kept) continue
    rmSync(join(folder, name), { recursive: true, force: true })
  }
}

/** Within it a process number names one process: this host since its start, and in a container that container. */
function processPlace(): string {
  const parts = [hostname()]
  try {
    parts.push(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
    parts.push(readlinkSync('/proc/self/ns/pid'))
  } catch {
    // Not Linux: there are no containers that share a host's name.
  }
  return parts.join(' ')
}
