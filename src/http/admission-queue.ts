import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { kindOf, MAX_FILES, type Shedder } from './shed.ts'

/**
 * How many requests of each kind may wait. Live reads mostly wait for the platform later on, and many ask for the same thing
 * at once. An MCP message that finds no room is told so in the protocol's own way, so it has to be admitted first.
 */
const MAX_WAITING = { live: 2048, mcp: 64, file: MAX_FILES, other: 32 }
/** While a flood of health checks lasts, each waits for about this many turns: the more wait, the more are served in each. */
const PROBE_TURNS = 64
/** How many turns with new arrivals may pass before a waiting request is admitted: serving it keeps everybody else outside. */
const MAX_CROWDED_TURNS = 4

export type Serve = (incoming: IncomingMessage, outgoing: ServerResponse) => void
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
 * seconds. So arrivals go before those who wait. Requests wait in one queue per kind and are admitted from each in turn, so
 * that a flood of pictures does not delay a search. Health checks skip these queues, one of each connection, but few are
 * served per turn: a flood of them would keep everybody else waiting.
 */
export function createAdmissionQueue(
  shedder: Pick<Shedder, 'isFull' | 'refused'>,
  serve: Serve,
  refuse: Serve,
): AdmissionQueue {
  /** In the order of their turns; a queue that is empty is removed. */
  const queues = new Map<QueueName, Waiting[]>()
  const probes = new Map<Socket, Waiting>()
  /** Whether a connection arrived or a request was refused since the last turn. */
  let isCrowded = false
  let passed = 0

  const isIdle = () => queues.size === 0 && probes.size === 0

  function turn(): void {
    for (let left = Math.ceil(probes.size / PROBE_TURNS); left > 0; left--) probe()
    if (isCrowded && passed < MAX_CROWDED_TURNS) passed++
    else if (queues.size > 0) admit()
    isCrowded = false
    if (!isIdle()) setImmediate(turn)
  }

  function probe(): void {
    const [socket, next] = probes.entries().next().value!
    probes.delete(socket)
    serveUnlessGone(next)
  }

  function admit(): void {
    passed = 0
    const [name, queue] = queues.entries().next().value!
    queues.delete(name)
    const next = queue.shift()!
    if (queue.length > 0) queues.set(name, queue)
    serveUnlessGone(next)
  }

  function serveUnlessGone({ incoming, outgoing }: Waiting): void {
    if (!outgoing.destroyed) serve(incoming, outgoing)
  }

  return {
    arrive() {
      isCrowded = true
    },
    enqueue(incoming, outgoing) {
      const url = incoming.url ?? ''
      if (isHealth(url) && !probes.has(incoming.socket)) {
        if (isIdle()) setImmediate(turn)
        probes.set(incoming.socket, { incoming, outgoing })
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
      if (isIdle()) setImmediate(turn)
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
