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
  readonly place: Place
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
 * seconds. So those who come go before those who wait, and who asks for the server's health passes by the line.
 */
export function createDoor(
  shedder: Pick<Shedder, 'isFull' | 'refused'>,
  serve: Serve,
  refuse: Serve,
): Door {
  const line: Waiting[] = []
  const waiting = { live: 0, mcp: 0, file: 0, other: 0 }
  let head = 0
  /** Whether somebody came or was turned away since the last turn. */
  let isCrowded = false
  let passed = 0

  function turn(): void {
    if (isCrowded && passed < CROWD) passed++
    else letIn()
    isCrowded = false
    if (line.length > 0) setImmediate(turn)
  }

  function letIn(): void {
    passed = 0
    const { incoming, outgoing, place } = line[head++]!
    waiting[place]--
    if (head === line.length) {
      line.length = 0
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
      const kind = kindOf(url)
      const place = isMcp(url) ? 'mcp' : kind
      const isFull = place === 'other' && shedder.isFull(waiting.other)
      if (isFull || waiting[place] >= MAX_WAITING[place]) {
        isCrowded = true
        shedder.refused(kind)
        refuse(incoming, outgoing)
        return
      }
      if (line.length === 0) setImmediate(turn)
      waiting[place]++
      line.push({ incoming, outgoing, place })
    },
  }
}

function isHealth(url: string): boolean {
  return url === '/healthz' || url === '/readyz'
}

function isMcp(url: string): boolean {
  return /^\/mcp\/?(?:\?|$)/.test(url)
}
