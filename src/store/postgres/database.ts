import { hostname } from 'node:os'
import { systemClock } from '../../model/clock.ts'
import { readAddress, type PostgresAddress } from './address.ts'
import { openLink, type Answer, type Link, type Value } from './link.ts'
import { createPool, type Pool } from './pool.ts'
import { explained, isCrossed, isInVain, isLocked, isTaken } from './trouble.ts'

export type { Value } from './link.ts'

/**
 * Runs hand-written SQL: each statement on its own connection, or on that of a transaction, where statements that are not
 * awaited one by one share a round trip. A statement whose values are all empty lists concerns no row, and is not sent.
 */
export interface Queries {
  all<Row>(sql: string, ...values: readonly Value[]): Promise<Row[]>
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
  readonly wide: Queries
  /** For pings and leases, on a connection of their own: they never wait for other work. */
  readonly pulse: Queries
  /** Retried from its beginning when it conflicts with another transaction. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /** A transaction without a time limit; it is not retried. */
  longTransaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  close(): Promise<void>
  /** Aborts everything under way without waiting for the server. */
  cut(): void
}

export interface DatabaseOptions extends PostgresAddress {
  /** The schema of the tables; those that a restore never replaces are in `<schema>_ledger`. */
  readonly schema: string
  readonly connections?: number | undefined
  /** Opens a read-only snapshot, taken at the first read, on one connection. */
  readonly isSnapshot?: boolean | undefined
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
const WIDE_CONNECTIONS = 3
const ATTEMPTS = 6
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,49}$/

export function openDatabase(options: DatabaseOptions): Database {
  const { schema, onStatement, connections = CONNECTIONS } = options
  const connection = readAddress(options)
  const { place } = connection
  if (!SCHEMA_NAME.test(schema))
    throw new Error('the name of a schema is made of a to z, digits and _, 50 characters at most')
  if (options.isSnapshot === true) return openSnapshot(options)
  const poolOf = (max: number, statementMs: number) => {
    const limits = {
      statement_timeout: statementMs,
      lock_timeout: 2_000,
      idle_in_transaction_session_timeout: 10_000,
    }
    const parameters = { ...parametersOf(schema), ...limits }
    return createPool(() => openLink(connection, { parameters, onStatement }), max)
  }
  const fast = poolOf(connections, STATEMENT_MS)
  const slow = poolOf(SLOW_CONNECTIONS, SLOW_STATEMENT_MS)
  const wide = poolOf(Math.min(connections, WIDE_CONNECTIONS), STATEMENT_MS)
  const pulse = poolOf(1, STATEMENT_MS)
  const pools = [fast, slow, wide, pulse]
  const told = teller(place)
  const alone = (pool: Pool, statementMs: number) => {
    const limits = { waitMs: Math.max(WAIT_MS, statementMs), limitMs: statementMs + GRACE_MS }
    const send = (sql: string, values?: readonly Value[]) =>
      pool.use(limits, (link) => link.send(sql, values))
    return queriesOf((sql, values) => told(patiently(() => send(sql, values), isCrossed)))
  }
  const inTurn = { waitMs: WAIT_MS, limitMs: TRANSACTION_MS }
  const unlimited = { waitMs: null, limitMs: null }
  return {
    place,
    schema,
    ...alone(fast, STATEMENT_MS),
    slow: alone(slow, SLOW_STATEMENT_MS),
    wide: alone(wide, STATEMENT_MS),
    pulse: alone(pulse, STATEMENT_MS),
    transaction: (work) =>
      told(patiently(() => fast.use(inTurn, (link) => inTransaction(link, work)), isInTheWay)),
    longTransaction: (work) => told(slow.use(unlimited, (link) => inTransaction(link, work))),
    async close() {
      await Promise.all(pools.map((pool) => pool.close()))
    },
    cut() {
      for (const pool of pools) pool.cut()
    },
  }
}

/** Nothing changes in a snapshot, so nothing has to be locked. When its connection is lost, the snapshot is lost. */
function openSnapshot(options: DatabaseOptions): Database {
  const { schema, onStatement } = options
  const connection = readAddress(options)
  const unlimited = { statement_timeout: 0, idle_in_transaction_session_timeout: 0 }
  const parameters = { ...parametersOf(schema), ...unlimited }
  const told = teller(connection.place)
  const link = openLink(connection, { parameters, onStatement })
  link.send('begin isolation level repeatable read read only', []).catch(() => {})
  const queries = queriesOf((sql, values) =>
    told(link.send(sql.replace(/ for (update|share)$/, ''), values)),
  )
  const inIt = <T>(work: (queries: Queries) => Promise<T>) => work(queries)
  return {
    ...queries,
    place: connection.place,
    schema,
    slow: queries,
    wide: queries,
    pulse: queries,
    transaction: inIt,
    longTransaction: inIt,
    close: () => link.close(),
    cut: () => link.cut(),
  }
}

/** Session names: the prefix shared by all processes on a schema, and this process's own. `pg_stat_activity` shows them. */
export const sessionPrefix = (schema: string) => `telegrep ${schema.slice(0, 40)} `
export const sessionName = (schema: string) =>
  `${sessionPrefix(schema)}${process.pid}@${hostname()}`.slice(0, 63)

function parametersOf(schema: string) {
  return {
    application_name: sessionName(schema),
    search_path: `"${schema}", "${schema}_ledger"`,
    // Statements are planned once per connection: planning them over all partitions costs more than running them.
    plan_cache_mode: 'force_generic_plan',
    // Overrides any setting of the role or database: after waiting for a lock, a statement has to see what its holder wrote.
    default_transaction_isolation: 'read committed',
    array_nulls: 'on',
    // The pool closes idle connections itself: if the server did, a statement sent at that moment would fail.
    idle_session_timeout: 0,
  }
}

function teller(place: string) {
  return async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw explained(error, place)
    }
  }
}

/** The rows that were read are inconsistent, because others wrote meanwhile: the transaction is retried. */
export class MovedError extends Error {
  override name = 'MovedError'
}

async function inTransaction<T>(link: Link, work: (queries: Queries) => Promise<T>): Promise<T> {
  // Not awaited: if it fails, the statements after it fail, too.
  const begun = link.send('begin', [])
  begun.catch(() => {})
  const sent: Promise<unknown>[] = []
  const queries = queriesOf((sql, values) => {
    const answer = link.send(sql, values)
    sent.push(answer)
    return answer
  })
  try {
    const result = await work(queries)
    await Promise.all([begun, ...sent])
    await link.send('commit', [])
    return result
  } catch (error) {
    // Wait for all answers: nothing of this transaction may reach the next user of the connection.
    const answers = await Promise.allSettled([begun, ...sent])
    await link.send('rollback', []).catch(() => link.cut())
    // Statements sent after the one that failed only say that the transaction is aborted, and may be awaited first.
    const cause = answers.find((answer) => answer.status === 'rejected')
    throw cause && isInVain(error) ? cause.reason : error
  }
}

function queriesOf(send: (sql: string, values?: readonly Value[]) => Promise<Answer>): Queries {
  const ask = async (sql: string, values: readonly Value[]) =>
    isOfNoRow(values) ? NONE : send(sql, values)
  return {
    all: async (sql, ...values) => [...(await ask(sql, values))] as never,
    get: async (sql, ...values) => (await ask(sql, values))[0] as never,
    run: async (sql, ...values) => (await ask(sql, values)).count,
    async script(sql) {
      await send(sql)
    },
  }
}

const NONE: Answer = Object.assign([], { count: 0 })

export function isOfNoRow(values: readonly Value[]): boolean {
  return values.length > 0 && values.every((value) => Array.isArray(value) && value.length === 0)
}

function isInTheWay(error: unknown): boolean {
  return isCrossed(error) || isLocked(error) || isTaken(error) || error instanceof MovedError
}

async function patiently<T>(
  work: () => Promise<T>,
  isWorthIt: (error: unknown) => boolean,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isWorthIt(error) || attempt === ATTEMPTS) throw error
      await systemClock.sleep(Math.random() * 10 * attempt)
    }
  }
}
