import type { Socket } from 'node:net'
import type { Serve } from './admission-queue.ts'

/** More than any program that pipelines on purpose sends before reading a reply. */
export const MAX_UNANSWERED = 64

/**
 * Replies of a connection are sent in the order of its requests, and all requests that arrive in one packet are parsed in
 * one turn of the event loop: refusing thousands of them one by one would block it. So the first request over the limit is
 * refused as the connection's last, and those after it are ignored.
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
      // Over the limit nothing is counted down any more, because the connection ends.
      if (left <= MAX_UNANSWERED) unanswered.set(socket, left - 1)
    })
    if (count <= MAX_UNANSWERED) serve(incoming, outgoing)
    else refuse(incoming, outgoing)
  }
}
