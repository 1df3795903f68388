import { failure, type Connection } from './connection.ts'
import { isFull } from './postgres-errors.ts'

/** A pool of connections, each used by one at a time. Lost connections are replaced when one is needed. */
export interface Pool {
  /**
   * Rejects when no connection is free within `waitMs`. Work that takes longer than `limitMs` is aborted by destroying its
   * connection. Null means no limit. If the server has no room for another connection, the work is done on one of those that
   * there are.
   */
  use<T>(limits: PoolLimits, work: (connection: Connection) => Promise<T>): Promise<T>
  close(): Promise<void>
  /** Aborts everything under way, and hands out no more connections. */
  destroy(): void
}

interface PoolLimits {
  readonly waitMs: number | null
  readonly limitMs: number | null
}

const IDLE_MS = 60_000
/** How long no further connection is opened after the server had no room for one. */
const FULL_MS = 1_000

export function createPool(open: () => Connection, max: number): Pool {
  const connections = new Set<Connection>()
  /** A stack: the connection used last is used next, so that connections that are not needed stay idle and are closed. */
  const idle: { readonly connection: Connection; readonly since: number }[] = []
  const waiting: Waiter[] = []
  let isClosed = false
  let fullSince = -Infinity

  const openNew = () => {
    const connection = open()
    connections.add(connection)
    return connection
  }
  const drop = (connection: Connection) => {
    connections.delete(connection)
    connection.destroy()
  }
  const take = (): Connection | undefined => {
    for (let last = idle.pop(); last; last = idle.pop()) {
      if (!last.connection.isLost()) return last.connection
      drop(last.connection)
    }
    const isFull = connections.size > 0 && performance.now() - fullSince < FULL_MS
    return connections.size < max && !isFull ? openNew() : undefined
  }
  /** The server had no room for this connection. Throws if there is no other to wait for. */
  const doWithout = (connection: Connection, error: Error) => {
    drop(connection)
    fullSince = performance.now()
    if (connections.size > 0) return
    for (const { reject } of waiting.splice(0)) reject(error)
    throw error
  }
  const give = (connection: Connection) => {
    if (connection.isLost() || isClosed) drop(connection)
    const next = waiting.shift()
    if (next) next.resolve(connections.has(connection) ? connection : openNew())
    else if (connections.has(connection)) {
      idle.push({ connection, since: performance.now() })
      if (performance.now() - idle[0]!.since > IDLE_MS) drop(idle.shift()!.connection)
    }
  }
  const acquire = async (waitMs: number | null): Promise<Connection> => {
    if (isClosed) throw failure('CONNECTION_ENDED')
    return take() ?? (await inLine(waitMs))
  }
  const inLine = async (waitMs: number | null): Promise<Connection> => {
    const waiter = Promise.withResolvers<Connection>()
    waiting.push(waiter)
    const leave = () => {
      waiting.splice(waiting.indexOf(waiter), 1)
      waiter.reject(failure('ALL_IN_USE'))
    }
    const timer = waitMs === null ? undefined : setTimeout(leave, waitMs)
    try {
      return await waiter.promise
    } finally {
      clearTimeout(timer)
    }
  }

  const refuse = () => {
    isClosed = true
    for (const { reject } of waiting.splice(0)) reject(failure('CONNECTION_ENDED'))
  }

  return {
    async use({ waitMs, limitMs }, work) {
      const since = performance.now()
      for (;;) {
        const connection = await acquire(waitMs && waitMs - (performance.now() - since))
        try {
          return limitMs === null ? await work(connection) : await within(connection, limitMs, work)
        } catch (error) {
          if (!isFull(error)) throw error
          doWithout(connection, error)
        } finally {
          if (connections.has(connection)) give(connection)
        }
      }
    },
    async close() {
      refuse()
      await Promise.all([...connections].map((connection) => connection.close()))
    },
    destroy() {
      refuse()
      for (const connection of connections) drop(connection)
    },
  }
}

type Waiter = PromiseWithResolvers<Connection>

/** The server aborts slow statements itself; this limit is for a server that cannot be reached any more. */
async function within<T>(
  connection: Connection,
  limitMs: number,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(failure('NO_ANSWER'))
    connection.destroy()
  }, limitMs)
  try {
    return await Promise.race([work(connection), promise])
  } finally {
    clearTimeout(timer)
  }
}
