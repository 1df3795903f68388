import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../model/clock.ts'
import { IndexLockedError } from '../search-index.ts'

/**
 * Which generation serves, and who writes. A small database of its own beside the generations' files, so that it can
 * change while a generation is replaced.
 */
export interface Control {
  generation(): number
  nextGeneration(): number
  isRebuilding(): boolean
  setRebuilding(is: boolean): void
  serve(generation: number): void
  /** Becomes the writer; throws while another one lives. The token fences off whoever wrote before. */
  lock(): number
  beat(): void
  unlock(): void
  close(): void
}

/** A writer that has been silent so long is taken for dead. */
const LOCK_MS = 15_000

export function generationPath(folder: string, generation: number): string {
  return join(folder, `generation-${generation}.sqlite`)
}

export function openControl(folder: string, clock: Clock): Control {
  mkdirSync(folder, { recursive: true })
  const db = new DatabaseSync(join(folder, 'control.sqlite'), { timeout: 5_000 })
  db.exec(`pragma journal_mode = wal; pragma synchronous = full;
    create table if not exists control (
      id integer primary key check (id = 1), generation integer not null, last_generation integer not null,
      rebuilding integer not null, owner text, pid integer not null, beat_at integer not null, token integer not null);
    insert or ignore into control values (1, 0, 0, 0, null, 0, 0, 0)`)
  const owner = randomUUID()
  const read = db.prepare('select * from control where id = 1')
  const field = (name: string) => Number(read.get()?.[name])
  const update = (assignment: string) => db.prepare(`update control set ${assignment} where id = 1`)

  return {
    generation: () => field('generation'),
    nextGeneration: () => field('last_generation') + 1,
    isRebuilding: () => field('rebuilding') === 1,
    setRebuilding(is) {
      update('rebuilding = ?').run(is ? 1 : 0)
    },
    serve(generation) {
      update('generation = ?1, last_generation = max(last_generation, ?1), rebuilding = 0').run(
        generation,
      )
    },
    lock() {
      db.exec('begin immediate')
      try {
        const row = read.get()!
        const isHeld = row['owner'] !== null && row['owner'] !== owner
        const isFresh = clock.now() - Number(row['beat_at']) < LOCK_MS
        if (isHeld && isFresh && isAlive(Number(row['pid']))) {
          throw new IndexLockedError(
            `the index in ${folder} is being written by process ${String(row['pid'])}`,
          )
        }
        const token = Number(row['token']) + 1
        update('owner = ?, pid = ?, beat_at = ?, token = ?').run(
          owner,
          process.pid,
          clock.now(),
          token,
        )
        return token
      } finally {
        db.exec('commit')
      }
    },
    beat() {
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

/** Deletes the files of every other generation; readers that still have one open keep it until they let go. */
export function removeOtherGenerations(folder: string, keep: readonly number[]): void {
  for (const name of readdirSync(folder)) {
    const found = /^generation-(\d+)\.sqlite/.exec(name)
    if (found && !keep.includes(Number(found[1]))) rmSync(join(folder, name), { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
