import type { IncomingMessage, ServerResponse } from 'node:http'

/** So many wait for their turn; live reads mostly wait for the platform afterwards, and many ask for the same at once. */
const MAX_WAITING = { live: 2048, other: 64 }
/** So many turns that brought news pass before one is let in: work for him keeps everybody else at the door. */
const CROWD = 16

type Serve = (incoming: IncomingMessage, outgoing: ServerResponse) => void

interface Door {
  /** A connection was taken. */
  arrive(): void
  /** A request was read. */
  readonly ask: Serve
}

/**
 * Lets requests in one at a turn of the event loop, and turns away those that find the line full. The loop takes one new
 * connection a turn: were all requests that are ready served in one, a flood would keep new connections waiting for
 * seconds. So those who come go before those who wait, and who asks for the server's health passes by the line.
 */
export function createDoor(serve: Serve, refuse: Serve): Door {
  const waiting: [IncomingMessage, ServerResponse][] = []
  let head = 0
  /** Whether somebody came or was turned away since the last turn. */
  let isCrowded = false
  let passed = 0

  function turn(): void {
    if (isCrowded && passed < CROWD) passed++
    else letIn()
    isCrowded = false
    if (waiting.length > 0) setImmediate(turn)
  }

  function letIn(): void {
    passed = 0
    const [incoming, outgoing] = waiting[head++]!
    if (head === waiting.length) {
      waiting.length = 0
      head = 0
    }
    if (!outgoing.destroyed) serve(incoming, outgoing)
  }

  return {
    arrive() {
      isCrowded = true
    },
    ask(incoming, outgoing) {
      const url = incoming.url ?? ''
      if (isHealth(url)) {
        serve(incoming, outgoing)
        return
      }
      if (waiting.length - head >= MAX_WAITING[kindOf(url)]) {
        isCrowded = true
        refuse(incoming, outgoing)
        return
      }
      if (waiting.length === 0) setImmediate(turn)
      waiting.push([incoming, outgoing])
    },
  }
}

function isHealth(url: string): boolean {
  return url === '/healthz' || url === '/readyz'
}

function kindOf(url: string): 'live' | 'other' {
  return /\/live\/?(?:\?|$)/.test(url) ? 'live' : 'other'
}
