import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

interface LastRequest {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  isLast: boolean
}

/** Remembers the last request of each connection. */
interface LastRequests {
  note(incoming: IncomingMessage, outgoing: ServerResponse): void
  /**
   * Whether unreadable input follows a complete request whose reply is still pending or being sent. A refusal would then be
   * taken for that reply, or end up in the middle of it; so the connection is closed after the reply instead.
   */
  isAnsweredFirst(socket: Socket, error: NodeJS.ErrnoException): boolean
}

export function createLastRequests(): LastRequests {
  const last = new WeakMap<Socket, LastRequest>()
  return {
    note(incoming, outgoing) {
      last.set(incoming.socket, { incoming, outgoing, isLast: false })
    },
    isAnsweredFirst(socket, { code }) {
      const asked = last.get(socket)
      if (!asked || !code?.startsWith('HPE_')) return false
      const { incoming, outgoing, isLast } = asked
      if (outgoing.closed || !(incoming.complete || outgoing.headersSent)) return false
      if (!isLast) outgoing.once('close', () => socket.destroySoon())
      asked.isLast = true
      return true
    },
  }
}
