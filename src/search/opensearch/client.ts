import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher, Pool } from 'undici'
import { AppError } from '../../model/errors.ts'
import { whyFailed } from '../../model/network-reasons.ts'
import type { ClusterLocation } from '../index-location.ts'
import { IndexRefusedError } from '../search-index.ts'

/** How the nodes of a cluster are reached. */
type Nodes = Pick<ClusterLocation, 'nodes' | 'auth' | 'ca' | 'deadlineMs'>

interface Request {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'HEAD'
  readonly path: string
  /** A string is sent as newline-delimited JSON. */
  readonly body?: object | string
  /** When the answer must have arrived, on the clock of `performance.now()`; by default the client's deadline from now. */
  readonly deadline?: number
  readonly signal?: AbortSignal | undefined
  /** The request must not take effect twice: it is sent again only if it was refused for lack of room. */
  readonly once?: boolean
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

export interface Client extends AsyncDisposable {
  /**
   * Resolves to a node's response, even if that is an error. Rejects with an `IndexUnavailableError` if no node answers
   * in time or has room, and with the signal's reason when aborted.
   */
  request(request: Request): Promise<Answer>
  /** Number of requests sent so far. */
  readonly sent: number
  /** The default deadline of a request. */
  readonly deadlineMs: number
}

/** No node answers, or none has room. Callers are told to try again later, but not why: that may name any node. */
export class IndexUnavailableError extends AppError {
  override name = 'IndexUnavailableError'

  constructor(why: string, cause?: unknown) {
    super('unavailable', `the index cannot be reached: ${why}`, {
      detail: 'the index cannot be reached',
      retryAfterS: 5,
      extra: { reason: 'index_unavailable' },
      cause,
    })
  }
}

const DEADLINE_MS = 4_000
/** For this long a node that did not answer, or was too busy, is asked only if all others failed. */
const AVOID_MS = 5_000
/** How often a request is sent to nodes that are too busy for it, and the pause once all were asked. It doubles each time. */
const TRIES = 4
const PAUSE_MS = 100

interface Node {
  readonly origin: string
  readonly pool: Pool
  failedSince: number
}

const CONNECTIONS = 32

export async function openClient({
  nodes: origins,
  auth,
  ca,
  deadlineMs = DEADLINE_MS,
}: Nodes): Promise<Client> {
  // Loaded on demand: a process that searches in files loads none of it.
  const undici = await import('undici')
  const nodes: Node[] = origins.map((origin) => ({
    origin,
    pool: new undici.Pool(origin, {
      connections: CONNECTIONS,
      // While HTTP/2 is possible, all requests wait until one connection tells whether it is spoken, past their deadlines.
      allowH2: false,
      connect: { timeout: deadlineMs, ...(ca === undefined ? {} : { ca }) },
    }),
    failedSince: -Infinity,
  }))
  const headers = auth && {
    authorization: `Basic ${Buffer.from(`${auth.user}:${auth.password}`).toString('base64')}`,
  }
  let turn = 0
  let sent = 0

  /** Round robin; nodes that failed a moment ago, and the one that was just asked, come last. */
  function choose(but?: Node): Node {
    turn++
    const now = performance.now()
    const lateness = (node: Node) => (node === but ? 2 : now - node.failedSince < AVOID_MS ? 1 : 0)
    const [node] = nodes
      .map((_, i) => nodes[(turn + i) % nodes.length]!)
      .toSorted((a, b) => lateness(a) - lateness(b))
    // One request finds out whether it answers again.
    if (node!.failedSince > -Infinity) node!.failedSince = now
    return node!
  }

  async function send(node: Node, request: Request, signal: AbortSignal): Promise<Answer> {
    const { method, path, body } = request
    sent++
    const response = await node.pool.request({
      method,
      path,
      headers: { ...headers, ...(body !== undefined && { 'content-type': typeOf(body) }) },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    return { status: response.statusCode, body: await read(response) }
  }

  async function attempt(node: Node, request: Request, deadline: number): Promise<Outcome> {
    const { signal } = request
    const leftMs = deadline - performance.now()
    const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(leftMs)))
    try {
      const answer = await send(
        node,
        request,
        signal ? AbortSignal.any([signal, timeout]) : timeout,
      )
      if (!isRefusal(answer.status)) {
        node.failedSince = -Infinity
        return { answer }
      }
      node.failedSince = performance.now()
      const { status } = answer
      return {
        why: `${node.origin} answers ${refusalOf(answer)}`,
        isBusy: true,
        isUndone: status === 429,
      }
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      node.failedSince = performance.now()
      const why = timeout.aborted ? 'does not answer in time' : messageOf(error)
      return { why: `${node.origin}: ${why}`, isBusy: false, isUndone: false, cause: error }
    }
  }

  return {
    deadlineMs,
    get sent() {
      return sent
    },
    async request(request) {
      request.signal?.throwIfAborted()
      const { once = false, signal } = request
      const begun = performance.now()
      const deadline = request.deadline ?? begun + deadlineMs
      if (deadline <= begun) throw new IndexUnavailableError('no time is left to ask it')
      const mayTurn = nodes.length > 1 && !once
      let node: Node | undefined
      for (let tries = 1; ; tries++) {
        node = choose(node)
        // If another node could answer, one that hangs gets only half of the time.
        const until = mayTurn && tries === 1 ? (begun + deadline) / 2 : deadline
        const outcome = await attempt(node, request, until)
        if ('answer' in outcome) return outcome.answer
        const { why, isBusy, isUndone, cause } = outcome
        // A kept-alive connection may just have been closed by the other side, so even a single node is asked again.
        const isLast = tries >= (isBusy ? Math.max(TRIES, nodes.length) : Math.max(2, nodes.length))
        const pauseMs = isBusy && tries >= nodes.length ? PAUSE_MS * 2 ** (tries - nodes.length) : 0
        if ((once && !isUndone) || isLast || deadline - performance.now() <= pauseMs)
          throw new IndexUnavailableError(why, cause)
        if (pauseMs > 0)
          await sleep(pauseMs, undefined, { signal }).catch(() => signal?.throwIfAborted())
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(nodes.map(({ pool }) => pool.destroy()))
    },
  }
}

type Outcome =
  | { readonly answer: Answer }
  | {
      readonly why: string
      readonly isBusy: boolean
      /** Whether it is known that the request took no effect. */
      readonly isUndone: boolean
      readonly cause?: unknown
    }

/** The node is overloaded, or a node behind it does not answer. */
export function isRefusal(status: number): boolean {
  return status === 429 || status >= 502
}

async function read(response: Dispatcher.ResponseData): Promise<unknown> {
  const text = await response.body.text()
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

function typeOf(body: object | string): string {
  return typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
}

function messageOf(error: unknown): string {
  // A host name with several addresses fails with an error for each and an empty message.
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0])
  const { code } = error as NodeJS.ErrnoException
  if (typeof code === 'string') return whyFailed(code)
  return error instanceof Error ? error.message || error.name : String(error)
}

interface Told {
  readonly type?: string
  readonly reason?: string
}

/** What the node says is wrong, in one line. */
export function reasonOf({ status, body }: Answer): string {
  const { error } = (body ?? {}) as { error?: unknown }
  if (typeof error === 'string') return error
  const told = (error ?? {}) as Told & { readonly root_cause?: readonly Told[] }
  // Of a search that failed, the rest says only that all shards did.
  const { type, reason } = told.root_cause?.[0] ?? told
  return type === undefined ? `status ${status}` : `${type}: ${reason ?? ''}`
}

const REASON_CHARS = 300

/** The status and, where the node gives one, the reason, such as a full disk. */
function refusalOf(answer: Answer): string {
  const reason = reasonOf(answer)
  const isGiven = reason !== `status ${answer.status}`
  return isGiven ? `${answer.status}: ${reason.slice(0, REASON_CHARS)}` : String(answer.status)
}

/** True if an operator or a full disk closed or blocked the index, or keeps new ones from being made; that can be undone. */
export function isClosedOrBlocked(status: number, type: string | undefined): boolean {
  if (type === 'index_closed_exception') return true
  return status === 403 && (type === 'cluster_block_exception' || type === CREATE_BLOCK)
}

const CREATE_BLOCK = 'index_create_block_exception'

/** How a node refuses the user: as unknown, or something that the user has no right to do. Undefined for other answers. */
export function refusalOfUser(answer: Answer): string | undefined {
  const reason = reasonOf(answer)
  const isGiven = answer.status === 403 && reason !== `status ${answer.status}`
  if (isGiven) return `does not let the user do this: ${reason.slice(0, REASON_CHARS)}`
  return [401, 403].includes(answer.status) ? 'refuses the user or the password' : undefined
}

/** The body of a response that must be a success. */
export function expectOk<T>(answer: Answer): T {
  if (answer.status < 300) return answer.body as T
  const { error } = (answer.body ?? {}) as { error?: { type?: string } }
  const why = `OpenSearch refuses: ${reasonOf(answer)}`
  if (isClosedOrBlocked(answer.status, error?.type)) throw new IndexUnavailableError(why)
  const refusal = refusalOfUser(answer)
  if (refusal !== undefined) throw new IndexUnavailableError(`OpenSearch ${refusal}`)
  throw new IndexRefusedError(why)
}
