import type { ServerResponse } from 'node:http'
import type { Clock } from '../model/clock.ts'
import { startDeadline } from '../model/deadline.ts'

interface UnreadLimits {
  /** How many bytes may wait for readers in total; beyond that the longest-waiting reply is dropped. */
  readonly maxBytes: number
  /** A reply that is not read within this time is dropped. */
  readonly maxMs: number
}

const LIMITS: UnreadLimits = { maxBytes: 64 * 1024 * 1024, maxMs: 30_000 }

/** Keeps slow readers from holding memory: unread replies are bounded in bytes and in time. */
interface UnreadReplies {
  watch(outgoing: ServerResponse): void
  readonly bytes: number
}

export function createUnreadReplies(clock: Clock, limits: UnreadLimits = LIMITS): UnreadReplies {
  const waiting = new Map<ServerResponse, number>()
  let bytes = 0

  function letGo(outgoing: ServerResponse): void {
    bytes -= waiting.get(outgoing) ?? 0
    waiting.delete(outgoing)
  }

  function hold(outgoing: ServerResponse, unread: number): void {
    const late = startDeadline(clock, limits.maxMs)
    late.signal.addEventListener('abort', () => outgoing.destroy())
    waiting.set(outgoing, unread)
    bytes += unread
    outgoing.once('close', () => {
      late[Symbol.dispose]()
      letGo(outgoing)
    })
    for (const oldest of waiting.keys()) {
      if (bytes <= limits.maxBytes) break
      letGo(oldest)
      oldest.destroy()
    }
  }

  return {
    watch(outgoing) {
      const end = outgoing.end.bind(outgoing) as (...args: unknown[]) => ServerResponse
      outgoing.end = ((...args: unknown[]) => {
        const result = end(...args)
        // What the kernel has accepted no longer takes our memory.
        const unread = outgoing.writableLength
        if (unread > 0 && !outgoing.destroyed) hold(outgoing, unread)
        return result
      }) as typeof outgoing.end
    },
    get bytes() {
      return bytes
    },
  }
}
