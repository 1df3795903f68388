import { basename } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { systemClock } from '../../model/clock.ts'
import { AppError } from '../../model/errors.ts'
import { turn } from '../../model/turns.ts'
import { StoreDamagedError } from '../store.ts'
import { ensureSchema } from './schema.ts'

/**
 * One connection to one file. Transactions are synchronous and short, and begin when the event loop has a turn for them.
 * Waiting for another process's transaction is asynchronous, by retrying, so that the event loop stays free.
 */
export interface Database {
  readonly path: string
  readonly connection: DatabaseSync
  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[]
  /** Returns the number of rows changed. */
  run(sql: string, ...values: SQLInputValue[]): number
  /** Runs a transaction. When it resolves, its writes are as durable as `synchronous`, or else the file's setting, says. */
  write<T>(work: () => T, synchronous?: Synchronous): Promise<T>
  /**
   * The same, if a read finds something first; undefined otherwise. For work that is mostly in vain: nobody waits for the
   * write lock, nor for whoever holds it.
   */
  writeIf<T>(find: () => unknown, work: () => T): Promise<T | undefined>
  /** What `work` reads is of one moment, whatever other processes write meanwhile. */
  read<T>(work: () => T): Promise<T>
  /** A pragma that cannot be run in a transaction. */
  pragma<Row>(name: string): Promise<Row | undefined>
  close(): void
}

/** With `normal`, a power cut may lose the last transactions. */
type Synchronous = 'full' | 'normal'

export interface DatabaseOptions {
  readonly path: string
  readonly synchronous: Synchronous
  /** Makes the tables of a new file. */
  readonly schema: string
  readonly cacheKib: number
  /** After this many pages the WAL is written back into the file and starts over. */
  readonly logPages?: number
}

const SQL_ERROR = 1
const BUSY = 5
const LOCKED = 6
/** Conditions that the operator has to fix; they are no bugs. */
const UNWRITABLE = new Map([
  [13, 'the disk is full'],
  [8, 'the disk is read-only'],
  [10, 'the disk gave an error'],
  [14, 'the file cannot be opened'],
])
/** The file is corrupt, or is not a database. */
const DAMAGED = new Set([11, 26])
/** SQLite's own busy timeout blocks the thread, so it is short; after it, `withRetries` retries. */
const BLOCKING_MS = 2
const PATIENCE_MS = 30_000
const MAX_STATEMENTS = 500

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const connection = new DatabaseSync(options.path, { timeout: 2_000 })
  // Listings compose their SQL from what callers ask for, so the cache is bounded, however many combinations there are.
  const statements = new Map<string, StatementSync>()
  const prepared = (sql: string): StatementSync => {
    let statement = statements.get(sql)
    if (!statement) {
      if (statements.size === MAX_STATEMENTS) statements.clear()
      statements.set(sql, (statement = connection.prepare(sql)))
    }
    return statement
  }
  try {
    await withRetries(options.path, () => {
      connection.exec(`
        pragma journal_mode = wal;
        pragma synchronous = ${options.synchronous};
        pragma secure_delete = on;
        pragma cache_size = -${options.cacheKib};
        pragma wal_autocheckpoint = ${options.logPages ?? 4_000};
        pragma journal_size_limit = 67108864;
        pragma temp_store = memory;
      `)
      ensureSchema(connection, options.schema)
      connection.exec(`pragma busy_timeout = ${BLOCKING_MS}`)
    })
  } catch (error) {
    connection.close()
    throw unreadable(options.path, error)
  }

  function inTransaction<T>(begin: string, work: () => T): T {
    // What could not begin is not rolled back.
    prepared(begin).run()
    try {
      const result = work()
      prepared('commit').run()
      return result
    } catch (error) {
      if (connection.isTransaction) prepared('rollback').run()
      throw error
    }
  }

  const read = <T>(work: () => T) => withRetries(options.path, () => inTransaction('begin', work))
  const write = <T>(work: () => T, synchronous?: Synchronous) =>
    withRetries(options.path, () => {
      if (synchronous) connection.exec(`pragma synchronous = ${synchronous}`)
      try {
        return inTransaction('begin immediate', work)
      } finally {
        if (synchronous) connection.exec(`pragma synchronous = ${options.synchronous}`)
      }
    })

  return {
    path: options.path,
    connection,
    get: (sql, ...values) => prepared(sql).get(...values) as never,
    all: (sql, ...values) => prepared(sql).all(...values) as never,
    run: (sql, ...values) => Number(prepared(sql).run(...values).changes),
    read,
    write,
    writeIf: async (find, work) => ((await read(find)) ? write(work) : undefined),
    pragma: (name) =>
      withRetries(options.path, () => connection.prepare(`pragma ${name}`).get() as never),
    close() {
      if (connection.isOpen) connection.close()
    },
  }
}

async function withRetries<T>(path: string, work: () => T): Promise<T> {
  // Every loop over transactions gives other work its turn.
  await turn()
  const since = systemClock.elapsed()
  for (let attempt = 0; ; attempt++) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error)) throw explainError(error, path)
      if (systemClock.elapsed() - since > PATIENCE_MS)
        throw unavailable('another process holds it', error)
      await systemClock.sleep(Math.random() * Math.min(20, 1 + attempt))
    }
  }
}

/** Another connection holds a lock; a retry may succeed. */
export function isBusy(error: unknown): boolean {
  return [BUSY, LOCKED].includes(primaryCode(error))
}

function explainError(error: unknown, path: string): unknown {
  if (DAMAGED.has(primaryCode(error))) {
    const damage = `${basename(path)} is damaged (${(error as Error).message})`
    return new StoreDamagedError(`the store could not be used: ${damage}`, { cause: error })
  }
  const why = UNWRITABLE.get(primaryCode(error))
  return why === undefined ? error : unavailable(why, error)
}

function unavailable(why: string, cause: unknown): AppError {
  return new AppError('unavailable', `the store could not be used: ${why}`, { cause })
}

/** Whatever keeps a file from being opened is for the operator to fix, so the message names the file. */
function unreadable(path: string, cause: unknown): AppError {
  const why = (cause as Error).message
  if (cause instanceof StoreDamagedError)
    return new StoreDamagedError(`${path}: ${cause.damage}`, { cause })
  // An SQL error: the file holds the tables of another program, or is another file of ours.
  if (primaryCode(cause) === SQL_ERROR)
    return new StoreDamagedError(`${path} cannot be read as a store: ${why}`, { cause })
  const code = cause instanceof AppError ? cause.code : 'unavailable'
  return new AppError(code, `${path}: ${why}`, { cause })
}

function primaryCode(error: unknown): number {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? code & 0xff : -1
}
