import type { IncomingMessage, ServerResponse } from 'node:http'

/** So many wait for their turn; live reads mostly wait for the platform afterwards, and many ask for the same at once. */
const MAX_WAITING = { live: 2048, other: 64 }
/** In a crowd one is let in for so many turned away: work for those let in keeps everybody else at the door. */
const CROWD = 32

type Serve = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/**
 * Lets requests in one at a turn of the event loop, and turns away those that find the line full. The loop takes one new
 * connection a turn: were all requests that are ready served in one, a flood would keep new connections waiting for
 * seconds. Who asks for the server's health passes by those who wait.
 */
export function createDoor(serve: Serve, refuse: Serve): Serve {
  const waiting: [IncomingMessage, ServerResponse][] = []
  let head = 0
  let refused = 0
  let refusedBefore = 0

  function turn(): void {
    const isCrowd = refused > refusedBefore && refused < CROWD
    refusedBefore = refused
    if (!isCrowd) letIn()
    if (waiting.length > 0) setImmediate(turn)
  }

  function letIn(): void {
    refused = 0
    refusedBefore = 0
    const [incoming, outgoing] = waiting[head++]!
    if (head === waiting.length) {
      waiting.length = 0
      head = 0
    }
    if (!outgoing.destroyed) serve(incoming, outgoing)
  }

  return (incoming, outgoing) => {
    const url = incoming.url ?? ''
    if (isHealth(url)) {
      serve(incoming, outgoing)
      return
    }
    if (waiting.length - head >= MAX_WAITING[kindOf(url)]) {
      refused++
      refuse(incoming, outgoing)
      return
    }
    if (waiting.length === 0) setImmediate(turn)
    waiting.push([incoming, outgoing])
  }
}

function isHealth(url: string): boolean {
  return url === '/healthz' || url === '/readyz'
}

function kindOf(url: string): 'live' | 'other' {
  return /\/live\/?(?:\?|$)/.test(url) ? 'live' : 'other'
}
