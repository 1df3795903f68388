import postgres from 'postgres'
import { systemClock } from '../../model/clock.ts'
import { readAddress, type Connection, type PostgresAddress } from './address.ts'
import { explained, isAgain, isTaken } from './trouble.ts'

/** The only file that knows the client: hand-written SQL in, rows out. */

export type Value = string | number | boolean | null | readonly (string | number | boolean | null)[]

/** Statements on a connection of the pool, or on that of a transaction, where those not awaited share a round trip. */
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
  /** For walks over much: their statements may take longer, and others do not wait behind them. */
  readonly slow: Queries
  /** From its beginning again where another transaction was in the way. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /** A transaction that takes what time it needs; once. */
  longTransaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface DatabaseOptions extends PostgresAddress {
  /** Tables are in this schema; what a restore never replaces is in `<schema>_ledger`. */
  readonly schema: string
  readonly connections?: number | undefined
  /** Told of each statement sent; for counting. */
  readonly onStatement?: ((sql: string) => void) | undefined
}

const STATEMENT_MS = 5_000
const SLOW_STATEMENT_MS = 30_000
/** Beyond a statement's own limit: the server does not answer at all. */
const GRACE_MS = 5_000
const TRANSACTION_MS = 30_000
const CONNECT_S = 5
const CLOSE_S = 5
const CONNECTIONS = 10
const SLOW_CONNECTIONS = 2
const ATTEMPTS = 6
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,49}$/

type Send = (sql: string, values?: readonly Value[]) => Promise<Answer>
type Answer = readonly unknown[] & { readonly count: number }

export function openDatabase(options: DatabaseOptions): Database {
  const { place, ...connection } = readAddress(options)
  if (!SCHEMA_NAME.test(options.schema))
    throw new Error('the name of a schema is made of a to z, digits and _, 50 characters at most')
  const fast = poolOf(connection, options, STATEMENT_MS)
  const slow = poolOf(connection, { ...options, connections: SLOW_CONNECTIONS }, SLOW_STATEMENT_MS)
  const told = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw explained(error, place)
    }
  }
  const sender =
    (sql: postgres.ISql): Send =>
    (text, values) => {
      options.onStatement?.(text)
      const given = values?.map(encoded)
      return given ? sql.unsafe(text, given, { prepare: true }) : sql.unsafe(text).simple()
    }
  const alone = (pool: postgres.Sql, limitMs: number) => {
    const send = sender(pool)
    return queriesOf((text, values) => told(within(send(text, values), limitMs)))
  }
  const begin = <T>(pool: postgres.Sql, work: (queries: Queries) => Promise<T>) =>
    pool.begin((sql) => work(queriesOf(sender(sql)))) as Promise<T>
  return {
    place,
    schema: options.schema,
    ...alone(fast, STATEMENT_MS + GRACE_MS),
    slow: alone(slow, SLOW_STATEMENT_MS + GRACE_MS),
    transaction: (work) => told(patiently(() => within(begin(fast, work), TRANSACTION_MS))),
    longTransaction: (work) => told(begin(slow, work)),
    async close() {
      await Promise.all([fast.end({ timeout: CLOSE_S }), slow.end({ timeout: CLOSE_S })])
    },
  }
}

/** What was read no longer fits together, since others wrote meanwhile: the transaction begins again. */
export class MovedError extends Error {
  override name = 'MovedError'
}

function poolOf(
  connection: Omit<Connection, 'place'>,
  { schema, connections = CONNECTIONS }: DatabaseOptions,
  statementMs: number,
): postgres.Sql {
  return postgres({
    ...connection,
    max: connections,
    connect_timeout: CONNECT_S,
    idle_timeout: 60,
    fetch_types: false,
    onnotice: () => {},
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
    connection: {
      application_name: 'telegrep',
      search_path: `"${schema}", "${schema}_ledger"`,
      statement_timeout: statementMs,
      lock_timeout: 2_000,
      idle_in_transaction_session_timeout: 10_000,
      // Statements are planned once a connection: planning them over all partitions costs more than running them.
      plan_cache_mode: 'force_generic_plan',
    } as Record<string, string | number>,
  }) as unknown as postgres.Sql
}

function queriesOf(send: Send): Queries {
  return {
    all: async (sql, ...values) => [...(await send(sql, values))] as never,
    get: async (sql, ...values) => (await send(sql, values))[0] as never,
    run: async (sql, ...values) => (await send(sql, values)).count,
    async script(sql) {
      await send(sql)
    },
  }
}

async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isWorthIt = isAgain(error) || isTaken(error) || error instanceof MovedError
      if (!isWorthIt || attempt === ATTEMPTS) throw error
      await systemClock.sleep(Math.random() * 10 * attempt)
    }
  }
}

/** The server ends what takes too long; a host that is cut off cannot even say so. */
async function within<T>(work: PromiseLike<T>, limitMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const why = Object.assign(new Error('no answer'), { code: 'NO_ANSWER' })
  const timer = setTimeout(() => reject(why), limitMs)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Lists as PostgreSQL writes arrays. What no text can hold becomes the sign for it, so that nothing is found by it. */
function encoded(value: Value): string | number | boolean | null {
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd')
  if (value === null || typeof value !== 'object') return value
  return `{${value.map(element).join(',')}}`
}

function element(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? 'NULL' : String(value)
  return `"${value.replaceAll('\0', '\ufffd').replace(/["\\]/g, '\\$&')}"`
}
