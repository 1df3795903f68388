import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import type { Connection } from './address.ts'

/** The only file that knows the client. */

export type Value = string | number | boolean | null | readonly (string | number | boolean | null)[]
export type Answer = readonly unknown[] & { readonly count: number }

/**
 * One connection, made when it is first used and never used again once it is lost: the client of today may crash the process
 * or wait for ever when it is asked to go on with a connection that was cut.
 */
export interface Link {
  /** Statements not awaited share a round trip. Without values there may be several in one text. */
  send(sql: string, values?: readonly Value[]): Promise<Answer>
  isLost(): boolean
  /** Ends what is under way; the server is not waited for. */
  cut(): void
  /** Waits for what is under way, though not for ever. */
  close(): Promise<void>
}

interface LinkSettings {
  /** What a session of the server is started with. */
  readonly parameters: Readonly<Record<string, string | number>>
  readonly onStatement?: ((sql: string) => void) | undefined
}

const CONNECT_S = 5
const CLOSE_S = 5

export function openLink(connection: Connection, settings: LinkSettings): Link {
  const { place: _place, ...address } = connection
  let socket: Socket | undefined
  let isLost = false
  const waiting = new Set<(error: Error) => void>()
  /** Whoever waits learns of it from us: the client forgets those that stand in its queue. */
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
    onclose: () => lose(failure('CONNECTION_CLOSED')),
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
    // As text: the client leaves a plain 0 out, and the role's own limit would hold in place of none.
    connection: Object.fromEntries(
      Object.entries(settings.parameters).map(([name, value]) => [name, String(value)]),
    ),
    async socket() {
      if (socket || isLost) throw failure('CONNECTION_CLOSED')
      socket = connect({ host: connection.host, port: connection.port })
      return connected(socket, connection.host)
    },
  } as postgres.Options<Record<string, postgres.PostgresType>>)
  return {
    send: (text, values) =>
      new Promise((resolve, reject) => {
        if (isLost) throw failure('CONNECTION_CLOSED')
        settings.onStatement?.(text)
        waiting.add(reject)
        const given = values?.map(encoded)
        const query = given ? sql.unsafe(text, given, { prepare: true }) : sql.unsafe(text).simple()
        query.then(
          (answer) => {
            waiting.delete(reject)
            resolve(answer)
          },
          (error: Error) => {
            waiting.delete(reject)
            reject(error)
            if (!(error instanceof postgres.PostgresError)) lose(error)
          },
        )
      }),
    isLost: () => isLost,
    cut() {
      lose(failure('CONNECTION_CLOSED'))
      socket?.destroy()
      sql.end({ timeout: 0 }).catch(() => {})
    },
    async close() {
      await sql.end({ timeout: CLOSE_S })
      // A server that stands still never hangs up, and the process would not end before it does.
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
      // Where TLS is spoken the client asks for the certificate of this name.
      resolve(Object.assign(socket, { host }))
    })
  })
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
