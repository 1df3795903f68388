import type { ServerResponse } from 'node:http'

const MAX_BYTES = 64 * 1024 * 1024

/** Keeps slow readers from holding memory: what waits for readers is bounded in total. */
interface UnreadReplies {
  watch(outgoing: ServerResponse): void
  readonly bytes: number
}

/** Where more than so many bytes wait for their readers, the reply that has waited longest is broken off. */
export function createUnreadReplies(maxBytes = MAX_BYTES): UnreadReplies {
  /** In the order in which they began to wait. */
  const waiting = new Map<ServerResponse, number>()
  let bytes = 0

  function letGo(outgoing: ServerResponse): void {
    bytes -= waiting.get(outgoing) ?? 0
    waiting.delete(outgoing)
  }

  function hold(outgoing: ServerResponse): void {
    // What the kernel has accepted no longer takes our memory.
    const unread = outgoing.writableLength
    if (unread === 0 || outgoing.destroyed) return
    bytes += unread - (waiting.get(outgoing) ?? 0)
    waiting.set(outgoing, unread)
    for (const oldest of waiting.keys()) {
      if (bytes <= maxBytes) break
      letGo(oldest)
      oldest.destroy()
    }
  }

  return {
    watch(outgoing) {
      for (const name of ['write', 'end'] as const) {
        const send = outgoing[name].bind(outgoing) as (...args: unknown[]) => unknown
        outgoing[name] = ((...args: unknown[]) => {
          const result = send(...args)
          hold(outgoing)
          return result
        }) as never
      }
      outgoing.on('drain', () => letGo(outgoing))
      outgoing.once('close', () => letGo(outgoing))
    },
    get bytes() {
      return bytes
    },
  }
}
