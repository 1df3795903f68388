import type { IncomingMessage, ServerResponse } from 'node:http'
import { kindOf, MAX_FILES, type Shedder } from './shed.ts'

/**
 * How many requests of each kind may wait. Live reads mostly wait for the platform later on, and many ask for the same thing
 * at once. An MCP message that finds no room is told so in the protocol's own way, so it has to be let in first.
 */
const MAX_WAITING = { live: 2048, mcp: 64, file: MAX_FILES, other: 32 }
/** How many turns with new arrivals may pass before a waiting request is let in: serving it keeps everybody else outside. */
const CROWD = 4

type Serve = (incoming: IncomingMessage, outgoing: ServerResponse) => void
type Place = keyof typeof MAX_WAITING

interface Waiting {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

interface Door {
  /** A connection was accepted. */
  arrive(): void
  /** A request was read. */
  readonly ask: Serve
}

/**
 * Lets requests in one per turn of the event loop, and refuses those for which there is no room. The loop accepts one new
 * connection per turn; if all ready requests were served in one turn, a flood would keep new connections waiting for
 * seconds. So arrivals go before those who wait, and health checks skip the queue. Requests wait in one queue per kind and
 * are let in from each in turn, so that a flood of pictures does not delay a search.
 */
export function createDoor(
  shedder: Pick<Shedder, 'isFull' | 'refused'>,
  serve: Serve,
  refuse: Serve,
): Door {
  /** In the order of their turns; a queue that is empty is removed. */
  const lines = new Map<Place, Waiting[]>()
  /** Whether a connection arrived or a request was refused since the last turn. */
  let isCrowded = false
  let passed = 0

  function turn(): void {
    if (isCrowded && passed < CROWD) passed++
    else letIn()
    isCrowded = false
    if (lines.size > 0) setImmediate(turn)
  }

  function letIn(): void {
    passed = 0
    const [place, line] = lines.entries().next().value!
    const { incoming, outgoing } = line.shift()!
    lines.delete(place)
    if (line.length > 0) lines.set(place, line)
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
      const kind = kindOf(url)
      const place = isMcp(url) ? 'mcp' : kind
      const line = lines.get(place) ?? []
      const isFull = place === 'other' && shedder.isFull(line.length)
      if (isFull || line.length >= MAX_WAITING[place]) {
        isCrowded = true
        shedder.refused(kind)
        refuse(incoming, outgoing)
        return
      }
      if (lines.size === 0) setImmediate(turn)
      line.push({ incoming, outgoing })
      lines.set(place, line)
    },
  }
}

function isHealth(url: string): boolean {
  return url === '/healthz' || url === '/readyz'
}

function isMcp(url: string): boolean {
  return /^\/mcp\/?(?:\?|$)/.test(url)
}
