import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Serve = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/** More than any program that pipelines on purpose sends before it has read an answer. */
export const MAX_UNANSWERED = 64

/**
 * Answers of a connection go out in the order of its requests, and all requests that arrive in one piece are read in one turn
 * of the event loop: thousands of them would hold it for as long as it takes to refuse each. So the first one too many is
 * refused as the connection's last, and those behind it are not looked at.
 */
export function limitPipelined(serve: Serve, refuse: Serve): Serve {
  const unanswered = new WeakMap<Socket, number>()
  return (incoming, outgoing) => {
    const { socket } = incoming
    const count = (unanswered.get(socket) ?? 0) + 1
    unanswered.set(socket, count)
    if (count > MAX_UNANSWERED + 1) return
    outgoing.once('close', () => {
      const left = unanswered.get(socket)!
      // Past the bound nothing is counted back: the connection ends.
      if (left <= MAX_UNANSWERED) unanswered.set(socket, left - 1)
    })
    if (count <= MAX_UNANSWERED) serve(incoming, outgoing)
    else refuse(incoming, outgoing)
  }
}
