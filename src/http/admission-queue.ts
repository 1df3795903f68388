import type { IncomingMessage, ServerResponse } from 'node:http'
import { kindOf, MAX_FILES, type Shedder } from './shed.ts'

/**
 * How many requests of each kind may wait. Live reads mostly wait for the platform later on, and many ask for the same thing
 * at once. An MCP message that finds no room is told so in the protocol's own way, so it has to be admitted first.
 */
const MAX_WAITING = { live: 2048, mcp: 64, file: MAX_FILES, other: 32 }
/** How many turns with new arrivals may pass before a waiting request is admitted: serving it keeps everybody else outside. */
const MAX_CROWDED_TURNS = 4

type Serve = (incoming: IncomingMessage, outgoing: ServerResponse) => void
type QueueName = keyof typeof MAX_WAITING

interface Waiting {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

interface AdmissionQueue {
  /** A connection was accepted. */
  arrive(): void
  /** A request was read. */
  readonly enqueue: Serve
}

/**
 * Admits requests, one per turn of the event loop, and refuses those for which there is no room. The loop accepts one new
 * connection per turn; if all ready requests were served in one turn, a flood would keep new connections waiting for
 * seconds. So arrivals go before those who wait, and health checks skip the queue. Requests wait in one queue per kind and
 * are admitted from each in turn, so that a flood of pictures does not delay a search.
 */
export function createAdmissionQueue(
  shedder: Pick<Shedder, 'isFull' | 'refused'>,
  serve: Serve,
  refuse: Serve,
): AdmissionQueue {
  /** In the order of their turns; a queue that is empty is removed. */
  const queues = new Map<QueueName, Waiting[]>()
  /** Whether a connection arrived or a request was refused since the last turn. */
  let isCrowded = false
  let passed = 0

  function turn(): void {
    if (isCrowded && passed < MAX_CROWDED_TURNS) passed++
    else admit()
    isCrowded = false
    if (queues.size > 0) setImmediate(turn)
  }

  function admit(): void {
    passed = 0
    const [name, queue] = queues.entries().next().value!
    const { incoming, outgoing } = queue.shift()!
    queues.delete(name)
    if (queue.length > 0) queues.set(name, queue)
    if (!outgoing.destroyed) serve(incoming, outgoing)
  }

  return {
    arrive() {
      isCrowded = true
    },
    enqueue(incoming, outgoing) {
      const url = incoming.url ?? ''
      if (isHealth(url)) {
        serve(incoming, outgoing)
        return
      }
      const kind = kindOf(url)
      const name = isMcp(url) ? 'mcp' : kind
      const queue = queues.get(name) ?? []
      const isFull = name === 'other' && shedder.isFull(queue.length)
      if (isFull || queue.length >= MAX_WAITING[name]) {
        isCrowded = true
        shedder.refused(kind)
        refuse(incoming, outgoing)
        return
      }
      if (queues.size === 0) setImmediate(turn)
      queue.push({ incoming, outgoing })
      queues.set(name, queue)
    },
  }
}

function isHealth(url: string): boolean {
  return url === '/healthz' || url === '/readyz'
}

function isMcp(url: string): boolean {
  return /^\/mcp\/?(?:\?|$)/.test(url)
}
