import type { McpServer, ProtocolError, Transport } from '@modelcontextprotocol/server'
import type { Caller } from '../access/caller.ts'
import type { Context } from '../operations/context.ts'
import { watchNews } from './news-resource.ts'
import { protocolError, publicError } from './refusal.ts'
import { dropNullArguments, type Message } from './wire.ts'

/** What the client of a connection has subscribed to. */
export interface Subscriptions extends Disposable {
  /** Replaces the subscription of that name. Throws what `/v1/stream` throws, as errors of the protocol. */
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
    /** A bug; the client was given no details. */
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
        throw protocolError(publicError(error, failed))
      }
    },
    remove,
    [Symbol.dispose]() {
      for (const name of open.keys()) remove(name)
    },
  }
}

/** The requests by which clients of the older revisions subscribe. */
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
 * The protocol's library answers `subscriptions/listen` by itself and informs nobody. So messages are inspected before the
 * library gets them: searches are followed first, and those that cannot be are refused in the words of `/v1/stream`.
 */
export function interceptSubscriptions(
  transport: Transport,
  subscriptions: Subscriptions,
  closed: () => void = () => {},
): Transport {
  const send = transport.send.bind(transport)
  // One after the other: ending a subscription must not overtake its start.
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
          // A failure does not keep later messages from being heard.
          .catch((error: unknown) => heard.onerror?.(error as Error))
      }
      await transport.start()
    },
    send,
    close: () => transport.close(),
  }

  async function hear(message: Message): Promise<boolean> {
    dropNullArguments(message)
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
