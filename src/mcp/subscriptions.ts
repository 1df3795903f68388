import type { McpServer, ProtocolError, Transport } from '@modelcontextprotocol/server'
import type { Caller } from '../access/caller.ts'
import type { Context } from '../operations/context.ts'
import { watchNews } from './news-resource.ts'
import { protocolError, toldOf } from './refusal.ts'
import { dropNoArguments, type Message } from './wire.ts'

/** What a client at the other end of a connection asked to be told of. */
export interface Subscriptions extends Disposable {
  /** Replaces what was asked for under that name. Throws what `/v1/stream` does, as errors of the protocol. */
  add(name: string, uris: readonly unknown[]): Promise<void>
  remove(name: string): void
}

export function createSubscriptions(
  ctx: Context,
  caller: Caller,
  {
    notify,
    failed,
  }: {
    readonly notify: (uri: string) => void
    /** A bug: the client was told nothing of it. */
    readonly failed: (bug: unknown) => void
  },
): Subscriptions {
  const open = new Map<string, AbortController>()

  function remove(name: string): void {
    open.get(name)?.abort(new Error('nobody listens any more'))
    open.delete(name)
  }

  return {
    async add(name, uris) {
      remove(name)
      const stop = new AbortController()
      open.set(name, stop)
      try {
        await watchNews(ctx, caller, { uris, signal: stop.signal, notify })
      } catch (error) {
        remove(name)
        throw protocolError(toldOf(error, failed))
      }
    },
    remove,
    [Symbol.dispose]() {
      for (const name of open.keys()) remove(name)
    },
  }
}

/** As clients of the older revisions ask for it. */
export function attachSubscriptions({ server }: McpServer, subscriptions: Subscriptions): void {
  server.setRequestHandler('resources/subscribe', async ({ params }) => {
    await subscriptions.add(params.uri, [params.uri])
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', async ({ params }) => {
    subscriptions.remove(params.uri)
    return {}
  })
}

/**
 * The protocol's library answers `subscriptions/listen` by itself and tells nobody. So its messages are seen before it gets
 * them: what is listened for is followed first, and what cannot be is refused in the words of `/v1/stream`.
 */
export function hearSubscriptions(
  transport: Transport,
  subscriptions: Subscriptions,
  closed: () => void = () => {},
): Transport {
  const send = transport.send.bind(transport)
  // One after the other: what ends a subscription must not overtake what begins it.
  let last: Promise<void> = Promise.resolve()
  const heard: Transport = {
    start: async () => {
      transport.onclose = () => {
        closed()
        heard.onclose?.()
      }
      transport.onerror = (error) => heard.onerror?.(error)
      transport.onmessage = (message, extra) => {
        last = last
          .then(async () => {
            if (await hear(message as Message)) heard.onmessage?.(message, extra)
          })
          // The next message is heard all the same.
          .catch((error: unknown) => heard.onerror?.(error as Error))
      }
      await transport.start()
    },
    send,
    close: () => transport.close(),
  }

  async function hear(message: Message): Promise<boolean> {
    dropNoArguments(message)
    const { id, method, params } = message
    if (method === 'notifications/cancelled' && isId(params?.requestId))
      subscriptions.remove(`listen ${params.requestId}`)
    if (method !== 'subscriptions/listen') return true
    const uris = params?.notifications?.resourceSubscriptions
    if (!Array.isArray(uris) || !isId(id)) return true
    try {
      await subscriptions.add(`listen ${id}`, uris)
      return true
    } catch (error) {
      const { code, message } = error as ProtocolError
      await send({ jsonrpc: '2.0', id, error: { code, message } }).catch(() => {})
      return false
    }
  }
  return heard
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number'
}
