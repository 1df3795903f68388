import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import type { ConnectionOptions } from './address.ts'

/** The only file that knows the client library. */

export type Value = string | number | boolean | null | readonly (string | number | boolean | null)[]
export type Answer = readonly unknown[] & { readonly count: number }

/**
 * One connection, opened when it is first used and never used again once it is lost: the client library may crash the process
 * or wait for ever when it is asked to continue on a connection that was cut.
 */
export interface Connection {
  /**
   * Statements that are not awaited one by one share a round trip. Without values, one text may hold several statements. With
   * values, the statement is prepared, and kept so for as long as the connection lasts unless `isKept` is false.
   */
  send(
    sql: string,
    values?: readonly Value[],
    options?: { readonly isKept: boolean },
  ): Promise<Answer>
  isLost(): boolean
  /** Aborts everything under way without waiting for the server. */
  destroy(): void
  /** Waits for what is under way, for a limited time. */
  close(): Promise<void>
}

interface ConnectionSettings {
  /** Session parameters, sent when the connection is opened. */
  readonly parameters: Readonly<Record<string, string | number>>
  readonly onStatement?: ((sql: string) => void) | undefined
}

const CONNECT_S = 5
const CLOSE_S = 5

export function openConnection(
  options: ConnectionOptions,
  settings: ConnectionSettings,
): Connection {
  const { place: _place, ...address } = options
  let socket: Socket | undefined
  let isLost = false
  /** Why the connection is lost, as the server itself says where it does. */
  let reason = failure('CONNECTION_CLOSED')
  const waiting = new Set<(error: Error) => void>()
  /** Rejects all waiting statements itself, since the client library forgets those in its queue. */
  const lose = (why: Error) => {
    isLost = true
    for (const reject of waiting) reject(why)
    waiting.clear()
  }
  const sql = postgres({
    ...address,
    max: 1,
    connect_timeout: CONNECT_S,
    idle_timeout: 0,
    max_lifetime: 0,
    fetch_types: false,
    onnotice: () => {},
    onclose: () => lose(reason),
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
    // As strings: the client library omits a number 0, and then the role's own limit would apply instead of none.
    connection: Object.fromEntries(
      Object.entries(settings.parameters).map(([name, value]) => [name, String(value)]),
    ),
    async socket() {
      if (socket || isLost) throw failure('CONNECTION_CLOSED')
      socket = connect({ host: options.host, port: options.port })
      await connected(socket, options.host)
      if (typeof options.ssl === 'object') expectTls(socket, () => lose(failure('NO_TLS')))
      return socket
    },
  } as postgres.Options<Record<string, postgres.PostgresType>>)
  return {
    send: (text, values, { isKept } = { isKept: true }) =>
      new Promise((resolve, reject) => {
        if (isLost) throw reason
        settings.onStatement?.(text)
        waiting.add(reject)
        const given = values?.map(encoded)
        const query = given
          ? sql.unsafe(text, given, { prepare: isKept })
          : sql.unsafe(text).simple()
        query.then(
          (answer) => {
            waiting.delete(reject)
            resolve(answer)
          },
          (error: Error) => {
            waiting.delete(reject)
            reject(error)
            if (!(error instanceof postgres.PostgresError)) lose(error)
            else if (error.severity === 'FATAL') reason = error
          },
        )
      }),
    isLost: () => isLost,
    destroy() {
      lose(failure('CONNECTION_CLOSED'))
      socket?.destroy()
      sql.end({ timeout: 0 }).catch(() => {})
    },
    async close() {
      await sql.end({ timeout: CLOSE_S })
      // A server that hangs never closes the connection, and the process would wait for it.
      socket?.destroy()
    },
  }
}

export function failure(code: string): Error {
  return Object.assign(new Error(code), { code })
}

function connected(socket: Socket, host: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(failure('CONNECT_TIMEOUT')), CONNECT_S * 1000)
    socket.once('error', reject)
    socket.once('close', () => clearTimeout(timer))
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.off('error', reject)
      // With TLS, the client library checks the certificate against this name.
      resolve(Object.assign(socket, { host }))
    })
  })
}

/** The client library would begin TLS whatever the server answered, and then only see the connection being cut. */
function expectTls(socket: Socket, refused: () => void): void {
  socket.once('data', (answer: Buffer) => {
    if (answer.toString('latin1', 0, 1) === 'S') return
    refused()
    socket.destroy()
  })
}

/** Lists as PostgreSQL array literals. U+0000, which no text can hold, becomes U+FFFD, so that it matches nothing. */
function encoded(value: Value): string | number | boolean | null {
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd')
  if (value === null || typeof value !== 'object') return value
  return `{${value.map(element).join(',')}}`
}

function element(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? 'NULL' : String(value)
  return `"${value.replaceAll('\0', '\ufffd').replace(/["\\]/g, '\\$&')}"`
}
