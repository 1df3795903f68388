import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

interface Asked {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  isLast: boolean
}

/** The last request of each connection. */
interface LastAsked {
  note(incoming: IncomingMessage, outgoing: ServerResponse): void
  /**
   * Whether a piece that could not be read follows a whole request whose answer is still to come, or under way: a refusal
   * would be taken for that answer, or stand in the middle of it. The connection then ends behind it.
   */
  isAnsweredFirst(socket: Socket, error: NodeJS.ErrnoException): boolean
}

export function createLastAsked(): LastAsked {
  const last = new WeakMap<Socket, Asked>()
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
