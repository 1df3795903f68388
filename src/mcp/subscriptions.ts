import type { McpServer, Transport } from '@modelcontextprotocol/server'
import type { Caller } from '../access/caller.ts'
import { AppError } from '../model/errors.ts'
import type { Context } from '../operations/context.ts'
import { watchNews } from './news-resource.ts'
import type { Message } from './wire.ts'

const INVALID_PARAMS = -32602
const INTERNAL = -32603

/** What a client at the other end of a connection asked to be told of. */
export interface Subscriptions extends Disposable {
  /** Replaces what was asked for under that name. Throws as `/v1/stream` does. */
  add(name: string, uris: readonly unknown[]): Promise<void>
  remove(name: string): void
}

export function createSubscriptions(
  ctx: Context,
  caller: Caller,
  notify: (uri: string) => void,
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
        throw error
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
export function hearSubscriptions(transport: Transport, subscriptions: Subscriptions): Transport {
  const send = transport.send.bind(transport)
  // One after the other: what ends a subscription must not overtake what begins it.
  let last: Promise<void> = Promise.resolve()
  const heard: Transport = {
    start: async () => {
      transport.onclose = () => heard.onclose?.()
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

  async function hear({ id, method, params }: Message): Promise<boolean> {
    if (method === 'notifications/cancelled' && isId(params?.requestId))
      subscriptions.remove(`listen ${params.requestId}`)
    if (method !== 'subscriptions/listen') return true
    const uris = params?.notifications?.resourceSubscriptions
    if (!Array.isArray(uris) || !isId(id)) return true
    try {
      await subscriptions.add(`listen ${id}`, uris)
      return true
    } catch (error) {
      const told =
        error instanceof AppError
          ? { code: INVALID_PARAMS, message: error.message }
          : { code: INTERNAL, message: 'something went wrong on our side' }
      await send({ jsonrpc: '2.0', id, error: told }).catch(() => {})
      return false
    }
  }
  return heard
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number'
}
