import type { IncomingMessage, ServerResponse } from 'node:http'
import { kindOf, MAX_FILES, type Shedder } from './shed.ts'

/**
 * So many wait for their turn. Live reads mostly wait for the platform afterwards, and many ask for the same at once. Over MCP
 * a message that finds no room is told so in the protocol's own way, for which it has to be let in.
 */
const MAX_WAITING = { live: 2048, mcp: 64, file: MAX_FILES, other: 32 }
/** So many turns that brought news pass before one is let in: work for him keeps everybody else at the door. */
const CROWD = 4

type Serve = (incoming: IncomingMessage, outgoing: ServerResponse) => void
type Place = keyof typeof MAX_WAITING

interface Waiting {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

interface Door {
  /** A connection was taken. */
  arrive(): void
  /** A request was read. */
  readonly ask: Serve
}

/**
 * Lets requests in one at a turn of the event loop, and turns away those for whom there is no room. The loop takes one new
 * connection a turn: were all requests that are ready served in one, a flood would keep new connections waiting for
 * seconds. So those who come go before those who wait, and who asks for the server's health passes by. Those who wait stand
 * in lines by what they want, from which one is let in by turns: a flood of pictures does not stand before a search.
 */
export function createDoor(
  shedder: Pick<Shedder, 'isFull' | 'refused'>,
  serve: Serve,
  refuse: Serve,
): Door {
  /** In the order of their turns; where nobody waits there is no line. */
  const lines = new Map<Place, Waiting[]>()
  /** Whether somebody came or was turned away since the last turn. */
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
