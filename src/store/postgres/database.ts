import { hostname } from 'node:os'
import { systemClock } from '../../model/clock.ts'
import { readAddress, type PostgresAddress } from './address.ts'
import { openConnection, type Answer, type Connection, type Value } from './connection.ts'
import { createPool, type Pool } from './pool.ts'
import {
  explainError,
  isConflict,
  isInFailedTransaction,
  isTransactionConflict,
} from './postgres-errors.ts'

export type { Value } from './connection.ts'

/**
 * Runs hand-written SQL: each statement on its own connection, or on that of a transaction, where statements that are not
 * awaited one by one share a round trip. A statement whose values are all empty lists concerns no row, and is not sent.
 */
export interface Queries {
  all<Row>(sql: string, ...values: readonly Value[]): Promise<Row[]>
  /** The same for a text that depends on what a caller asks: of any other, the server keeps a plan while the connection lasts. */
  once<Row>(sql: string, ...values: readonly Value[]): Promise<Row[]>
  get<Row>(sql: string, ...values: readonly Value[]): Promise<Row | undefined>
  /** Resolves to how many rows were written. */
  run(sql: string, ...values: readonly Value[]): Promise<number>
  /** Several statements without values. */
  script(sql: string): Promise<void>
}

export interface Database extends Queries {
  /** `host:port/database`, for people. */
  readonly place: string
  readonly schema: string
  /** For long walks: statements may take longer, and others do not have to wait for them. */
  readonly slow: Queries
  /** For callers' requests that take a while: few run at a time, so that others get their turn. */
  readonly heavy: Queries
  /** For pings and leases, on a connection of their own: they never wait for other work. */
  readonly reserved: Queries
  /** Retried from its beginning when it conflicts with another transaction. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /** A transaction without a time limit; it is not retried. */
  longTransaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  close(): Promise<void>
  /** Aborts everything under way without waiting for the server. */
  destroy(): void
}

/**
 * The argument that statements pass to `clock_ms`. Null, so that the database's own clock decides for all processes, whatever
 * their hosts' clocks say; a time when a test supplies its own clock.
 */
export type Now = () => number | null

export interface DatabaseOptions extends PostgresAddress {
  /** The schema of the tables; those that a restore never replaces are in `<schema>_ledger`. */
  readonly schema: string
  readonly connections?: number | undefined
  /** Called for each statement sent; used for counting. */
  readonly onStatement?: ((sql: string) => void) | undefined
}

const STATEMENT_MS = 5_000
const SLOW_STATEMENT_MS = 30_000
/** After this long beyond a statement's own timeout, the server is taken not to answer at all. */
const GRACE_MS = 5_000
const TRANSACTION_MS = 30_000
/** How long to wait for a connection; after that the caller has given up. */
const WAIT_MS = 10_000
const CONNECTIONS = 10
const SLOW_CONNECTIONS = 2
const HEAVY_CONNECTIONS = 3
const ATTEMPTS = 6
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,49}$/

export function openDatabase(options: DatabaseOptions): Database {
  const { schema, onStatement, connections = CONNECTIONS } = options
  const address = readAddress(options)
  const { place } = address
  if (!SCHEMA_NAME.test(schema))
    throw new Error('the name of a schema is made of a to z, digits and _, 50 characters at most')
  const poolOf = (max: number, statementMs: number) => {
    const limits = {
      statement_timeout: statementMs,
      lock_timeout: 2_000,
      idle_in_transaction_session_timeout: 10_000,
    }
    const parameters = { ...parametersOf(schema), ...limits }
    return createPool(() => openConnection(address, { parameters, onStatement }), max)
  }
  const fast = poolOf(connections, STATEMENT_MS)
  const slow = poolOf(SLOW_CONNECTIONS, SLOW_STATEMENT_MS)
  const heavy = poolOf(Math.min(connections, HEAVY_CONNECTIONS), STATEMENT_MS)
  const reserved = poolOf(1, STATEMENT_MS)
  const pools = [fast, slow, heavy, reserved]
  const explained = explaining(place)
  const queriesOn = (pool: Pool, statementMs: number) => {
    const limits = { waitMs: Math.max(WAIT_MS, statementMs), limitMs: statementMs + GRACE_MS }
    const send: Send = (...asked) => pool.use(limits, (connection) => connection.send(...asked))
    return queriesOf((...asked) => explained(withRetries(() => send(...asked), isConflict)))
  }
  const inTurn = { waitMs: WAIT_MS, limitMs: TRANSACTION_MS }
  const unlimited = { waitMs: null, limitMs: null }
  return {
    place,
    schema,
    ...queriesOn(fast, STATEMENT_MS),
    slow: queriesOn(slow, SLOW_STATEMENT_MS),
    heavy: queriesOn(heavy, STATEMENT_MS),
    reserved: queriesOn(reserved, STATEMENT_MS),
    transaction: (work) =>
      explained(
        withRetries(
          () => fast.use(inTurn, (connection) => inTransaction(connection, work)),
          canRetryTransaction,
        ),
      ),
    longTransaction: (work) =>
      explained(slow.use(unlimited, (connection) => inTransaction(connection, work))),
    async close() {
      await Promise.all(pools.map((pool) => pool.close()))
    },
    destroy() {
      for (const pool of pools) pool.destroy()
    },
  }
}

/** Session names: the prefix shared by all processes on a schema, and this process's own. `pg_stat_activity` shows them. */
export const sessionPrefix = (schema: string) => `telegrep ${schema.slice(0, 40)} `
const sessionName = (schema: string) =>
  `${sessionPrefix(schema)}${process.pid}@${hostname()}`.slice(0, 63)

function parametersOf(schema: string) {
  return {
    application_name: sessionName(schema),
    search_path: `"${schema}", "${schema}_ledger"`,
    // Statements are planned once per connection: planning most of them costs more than running them.
    plan_cache_mode: 'force_generic_plan',
    // Such a plan knows no values and takes every range for a short one, which it would collect and sort instead of reading a
    // page of it in the order of its index.
    enable_bitmapscan: 'off',
    // Overrides any setting of the role or database: after waiting for a lock, a statement has to see what its holder wrote.
    default_transaction_isolation: 'read committed',
    array_nulls: 'on',
    // The pool closes idle connections itself: if the server did, a statement sent at that moment would fail.
    idle_session_timeout: 0,
  }
}

function explaining(place: string) {
  return async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw explainError(error, place)
    }
  }
}

/** The rows that were read are inconsistent, because others wrote meanwhile: the transaction is retried. */
export class StaleReadError extends Error {
  override name = 'StaleReadError'
}

async function inTransaction<T>(
  connection: Connection,
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  // Not awaited: if it fails, the statements after it fail, too.
  const begun = connection.send('begin', [])
  begun.catch(() => {})
  const sent: Promise<unknown>[] = []
  const queries = queriesOf((...asked) => {
    const answer = connection.send(...asked)
    sent.push(answer)
    return answer
  })
  try {
    const result = await work(queries)
    await Promise.all([begun, ...sent])
    await connection.send('commit', [])
    return result
  } catch (error) {
    // Wait for all answers: nothing of this transaction may reach the next user of the connection.
    const answers = await Promise.allSettled([begun, ...sent])
    await connection.send('rollback', []).catch(() => connection.destroy())
    // Statements sent after the one that failed only say that the transaction is aborted, and may be awaited first.
    const cause = answers.find((answer) => answer.status === 'rejected')
    throw cause && isInFailedTransaction(error) ? cause.reason : error
  }
}

type Send = Connection['send']

function queriesOf(send: Send): Queries {
  const ask = async (sql: string, values: readonly Value[]) =>
    areAllEmpty(values) ? NONE : send(sql, values)
  return {
    all: async (sql, ...values) => [...(await ask(sql, values))] as never,
    once: async (sql, ...values) => [...(await send(sql, values, { isKept: false }))] as never,
    get: async (sql, ...values) => (await ask(sql, values))[0] as never,
    run: async (sql, ...values) => (await ask(sql, values)).count,
    async script(sql) {
      await send(sql)
    },
  }
}

const NONE: Answer = Object.assign([], { count: 0 })

export function areAllEmpty(values: readonly Value[]): boolean {
  return values.length > 0 && values.every((value) => Array.isArray(value) && value.length === 0)
}

function canRetryTransaction(error: unknown): boolean {
  return isTransactionConflict(error) || error instanceof StaleReadError
}

async function withRetries<T>(
  work: () => Promise<T>,
  isRetryable: (error: unknown) => boolean,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isRetryable(error) || attempt === ATTEMPTS) throw error
      await systemClock.sleep(Math.random() * 10 * attempt)
    }
  }
}
