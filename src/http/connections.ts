import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** More than the streams that a process serves, and less than the files that most systems let it open. */
const MAX_CONNECTIONS = 16_384
/** More than any program that pipelines on purpose sends before it reads a reply. */
const MAX_UNANSWERED = 64

/** The connections of a server, and how many requests of each are being answered. */
export interface Connections {
  readonly all: Iterable<Socket>
  isIdle(socket: Socket): boolean
  /** A request has arrived. Returns false, and ends the connection, if it sent too many before it read an answer. */
  begin(socket: Socket, outgoing: ServerResponse): boolean
}

/** Holds at most so many connections: for one more, the longest idle one goes, or else the newcomer. */
export function holdConnections(server: Server, max = MAX_CONNECTIONS): Connections {
  /** Requests under way. The longest idle connection is the first without any. */
  const busy = new Map<Socket, number>()
  const idle = new Set<Socket>()

  server.on('connection', (socket: Socket) => {
    if (busy.size + idle.size >= max) {
      const [longest = socket] = idle
      longest.destroy()
      if (longest === socket) return
    }
    idle.add(socket)
    socket.once('close', () => {
      idle.delete(socket)
      busy.delete(socket)
    })
  })

  function end(socket: Socket): void {
    const left = (busy.get(socket) ?? 0) - 1
    if (left > 0) busy.set(socket, left)
    else if (busy.delete(socket) && !socket.destroyed) idle.add(socket)
  }

  return {
    get all() {
      return [...idle, ...busy.keys()]
    },
    isIdle: (socket) => idle.has(socket),
    begin(socket, outgoing) {
      const count = (busy.get(socket) ?? 0) + 1
      if (count > MAX_UNANSWERED) socket.destroy()
      // What came with it in one packet is still handed over after the end of the connection.
      if (socket.destroyed) return false
      idle.delete(socket)
      busy.set(socket, count)
      outgoing.once('close', () => end(socket))
      return true
    },
  }
}
