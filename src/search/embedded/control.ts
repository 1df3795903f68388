import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { FencedOffError } from '../search-index.ts'
import { endTransaction, closeOnError } from './schema.ts'

/**
 * Which generation serves, and who writes. It is a small database of its own beside the generations' files, so that it
 * can change while a generation is replaced.
 */
export interface Control {
  generation(): number
  isRebuilding(): boolean
  /** Becomes the writer. The returned token fences off any earlier one. */
  takeOver(): number
  /** Reserves the number of a generation to be built; no other writer gets the same. Throws when fenced off. */
  startGeneration(): number
  /** Makes a generation the serving one. Throws when fenced off. */
  serve(generation: number): void
  /** Ends a rebuild without a swap. Does nothing when fenced off: the new writer has ended the rebuild already. */
  abandon(): void
  /** Deletes the files of every generation but the serving one; does nothing when fenced off. */
  removeOthers(): void
  close(): void
}

/** SQLITE_NOTADB: the file is not a database. */
const NOT_ONE = 26

export function generationPath(folder: string, generation: number): string {
  return join(folder, `generation-${generation}.sqlite`)
}

export function openControl(folder: string): Control {
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
  let token = 0
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
    takeOver() {
      const row = db
        .prepare('update control set token = token + 1 where id = 1 returning token')
        .get()
      return (token = Number(row!['token']))
    },
    close() {
      db.close()
    },
  }
}

const MAKE = `begin immediate;
  create table if not exists control (
    id integer primary key check (id = 1), generation integer not null, last_generation integer not null,
    rebuilding integer not null, token integer not null);
  insert or ignore into control values (1, 0, 0, 0, 0);
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
