import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../model/clock.ts'
import { isAlive, processPlace } from '../../model/processes.ts'
import { FencedOffError, IndexLockedError } from '../search-index.ts'
import { endTransaction, closeOnError } from './schema.ts'

/**
 * Which generation serves, and who writes. It is a small database of its own beside the generations' files, so that it
 * can change while a generation is replaced.
 */
export interface Control {
  generation(): number
  isRebuilding(): boolean
  /** Becomes the writer; throws while another one is alive. The returned token fences off any earlier writer. */
  lock(): number
  /** Reserves the number of a generation to be built; no other writer gets the same. Throws when fenced off. */
  startGeneration(): number
  /** Makes a generation the serving one. Throws when fenced off. */
  serve(generation: number): void
  /** Ends a rebuild without a swap. Does nothing when fenced off: the new writer has ended the rebuild already. */
  abandon(): void
  /** Deletes the files of every generation but the serving one; does nothing when fenced off. */
  removeOthers(): void
  /** Records a heartbeat, unless one was recorded a moment ago. */
  beat(): void
  unlock(): void
  close(): void
}

/** A writer without a heartbeat for this long counts as dead. */
const LOCK_MS = 15_000
/** A heartbeat is a write that waits for the disk, and there may be many batches a second. */
const BEAT_AGAIN_MS = 1_000
/** SQLITE_NOTADB: the file is not a database. */
const NOT_ONE = 26

export function generationPath(folder: string, generation: number): string {
  return join(folder, `generation-${generation}.sqlite`)
}

export function openControl(folder: string, clock: Clock): Control {
  mkdirSync(folder, { recursive: true })
  const db = new DatabaseSync(join(folder, 'control.sqlite'), { timeout: 5_000 })
  closeOnError(db, () => {
    const foreign = db.prepare(`select name from sqlite_schema where name <> 'control'`).get()
    if (foreign) throw notOne('holds another database')
    db.exec('pragma journal_mode = wal; pragma synchronous = full')
    if (!hasControlTable(db)) db.exec(MAKE)
    // Flipped bytes may leave a readable database with a row that nobody could have written.
    const { quick_check: found } = db.prepare('pragma quick_check(1)').get()!
    if (found !== 'ok') throw notOne(String(found))
    readControlRow(db)
  })
  const owner = `${processPlace()}/${randomUUID()}`
  let token = 0
  let beatSince = -Infinity
  const field = (name: string) => Number(readControlRow(db)[name])

  /** Undefined if another process has become the writer since. */
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
      // A generation's file may have outlived a lost control file, and may still be read.
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
      // In a transaction, so that nobody else can become the writer and start a generation meanwhile.
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
        if (row['owner'] !== owner && isWriterAlive(row, clock.now())) {
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

/** False if the process that creates the file has not created its table yet. */
export function hasControlTable(db: DatabaseSync): boolean {
  return db.prepare(`select 1 from sqlite_schema where name = 'control'`).get() !== undefined
}

/** The single row, which is created together with its table. If it is missing, throws as SQLite does for a damaged file. */
export function readControlRow(db: DatabaseSync): Record<string, unknown> {
  const rows = db.prepare('select * from control limit 2').all()
  const [row] = rows
  const isWhole = row?.['id'] === 1 && Number.isInteger(row['generation'])
  if (rows.length !== 1 || !isWhole) throw notOne('holds no state of an index')
  return row
}

/** Whether the writer named by the row is alive. */
export function isWriterAlive(row: Record<string, unknown>, now: number): boolean {
  if (row['owner'] === null) return false
  // A heartbeat far in the future was left by a clock that has since been set back.
  if (Math.abs(now - Number(row['beat_at'])) >= LOCK_MS) return false
  // A process elsewhere can only be known to be dead by its missing heartbeats.
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

/** A reader that still has a deleted file open keeps it until it closes it. */
function removeOtherGenerations(folder: string, kept: number): void {
  for (const name of readdirSync(folder)) {
    const found = /^generation-(\d+)\.sqlite/.exec(name)
    if (!found || Number(found[1]) === kept) continue
    rmSync(join(folder, name), { recursive: true, force: true })
  }
}
