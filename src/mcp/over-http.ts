import {
  SERVER_INFO_META_KEY,
  createMcpHandler,
  isJsonContentType,
  readRequestBody,
} from '@modelcontextprotocol/server'
import type { Caller } from '../access/caller.ts'
import { AppError, asAppError } from '../model/errors.ts'
import { found } from '../model/found.ts'
import { parseJson } from '../model/parse-json.ts'
import type { Context } from '../operations/context.ts'
import { failure } from './answer.ts'
import { LIST, createPreparedList } from './prepared-list.ts'
import type { CallSource, Enter, McpEvents } from './run-call.ts'
import { createServer, describeServer, createShared } from './server.ts'
import { dropNullArguments, errorReply, eraOf, jsonReply, resultOf, type Message } from './wire.ts'

const MAX_BODY_BYTES = 256 * 1024
/** How much of a body is read when the quota is used up: enough for a refusal in the protocol's own way. */
const MAX_REFUSED_BYTES = 16 * 1024
const MAX_BATCH = 10
/** The request is valid, but cannot be served. */
const REFUSED = -32000
const INVALID_REQUEST = -32600
const PARSE_ERROR = -32700

export interface McpHttp {
  /** Throws `quota_exceeded` and `overloaded`, except for a tool call, which gets them as its result. */
  fetch(request: Request, from: From): Promise<Response>
  close(): Promise<void>
}

/** Where a request comes from. */
export interface From {
  readonly caller: Caller
  readonly requestId: string
}

/**
 * MCP over HTTP, for the revision with self-contained requests and for clients that send `initialize`. Each request
 * identifies its caller.
 */
export async function createMcpHttp(
  ctx: Context,
  events: McpEvents,
  enter: Enter,
): Promise<McpHttp> {
  const shared = await createShared(ctx, events)
  const askers = new WeakMap<object, CallSource>()
  const handler = createMcpHandler(
    ({ authInfo }) => createServer(shared, askers.get(authInfo ?? {}) as CallSource),
    { maxRequestBodySize: MAX_BODY_BYTES },
  )
  const list = createPreparedList((request) => pass(request, undefined, NOBODY))

  function pass(request: Request, parsedBody: unknown, asked: CallSource): Promise<Response> {
    const authInfo = { token: '', clientId: asked.caller.id, scopes: [] }
    askers.set(authInfo, asked)
    return handler.fetch(request, { authInfo, parsedBody })
  }

  /** The reply to a request that asks for nothing but the list of tools; undefined for any other. */
  async function listed(
    request: Request,
    body: unknown,
    messages: readonly Message[],
  ): Promise<Response | undefined> {
    const results: string[] = []
    for (const message of messages) {
      const isPlain = message.method === LIST && !message.params?.cursor
      const era = isPlain ? eraOf(request, message) : undefined
      if (!era || (Array.isArray(body) && era !== 'handshake')) return undefined
      results.push(resultOf(message.id, await list(era)))
    }
    if (results.length === 0) return undefined
    return jsonReply(200, Array.isArray(body) ? `[${results.join(',')}]` : results[0]!)
  }

  async function serve(
    request: Request,
    body: unknown,
    messages: readonly Message[],
    asked: CallSource,
  ): Promise<Response> {
    const isCalls = messages.every(({ method }) => method === 'tools/call')
    // A call takes its own place for as long as it runs; everything else ends with the reply.
    const leave = isCalls ? undefined : await enter('other')
    try {
      return (await listed(request, body, messages)) ?? (await pass(request, body, asked))
    } finally {
      leave?.()
    }
  }

  /** A model can act on a tool's result, so calls are refused in one; any other message is refused as a whole. */
  function refuse(
    request: Request,
    messages: readonly Message[],
    refusal: AppError,
    requestId: string,
  ): Response {
    const [only] = messages
    const era = messages.length === 1 && only ? eraOf(request, only) : undefined
    if (!era || only?.method !== 'tools/call') throw refusal
    const told = failure(refusal, requestId)
    if (era === 'handshake') return jsonReply(200, resultOf(only.id, JSON.stringify(told)))
    const _meta = { [SERVER_INFO_META_KEY]: describeServer(ctx) }
    const result = JSON.stringify({ ...told, resultType: 'complete', _meta })
    return jsonReply(200, resultOf(only.id, result))
  }

  return {
    async fetch(request, from) {
      const { caller, requestId } = from
      if (request.method !== 'POST') return pass(request, undefined, { caller, requestId, enter })
      // Every message costs 1 of the burst; the first is charged before the body is read.
      const paid = await ctx.access.admit(caller, ['burst']).catch(asAppError)
      if (!isJsonContentType(request.headers.get('content-type'))) {
        return errorReply(415, REFUSED, 'expected Content-Type: application/json')
      }
      const coding = request.headers.get('content-encoding')
      if (coding !== null && coding.trim().toLowerCase() !== 'identity') {
        const told = `expected a body without a Content-Encoding, found ${found(coding)}`
        return errorReply(415, REFUSED, told)
      }
      const isSpent = paid instanceof AppError
      const read = await readRequestBody(request, isSpent ? MAX_REFUSED_BYTES : MAX_BODY_BYTES)
      if (read.tooLarge) {
        if (isSpent) throw paid
        return errorReply(413, REFUSED, `expected a body of at most ${MAX_BODY_BYTES} bytes`)
      }
      const body = parseJson(read.text)
      if (body === undefined) return errorReply(400, PARSE_ERROR, 'the body is not JSON')
      const messages = messagesOf(body)
      if (messages.length > MAX_BATCH) {
        const told = `a batch holds at most ${MAX_BATCH} messages, found ${messages.length}`
        return errorReply(400, INVALID_REQUEST, told)
      }
      for (const message of messages) dropNullArguments(message)
      if (isSpent) return refuse(request, messages, paid, requestId)
      const permits = [paid]
      const refundAll = () => {
        for (const permit of permits) permit.refund('burst')
      }
      try {
        for (let i = 1; i < messages.length; i++) {
          permits.push(await ctx.access.admit(caller, ['burst']))
        }
      } catch (error) {
        // A batch for which too little is left is refused as a whole.
        refundAll()
        throw error
      }
      const refund = () => permits.pop()?.refund('burst')
      try {
        return await serve(request, body, messages, { ...from, enter, refund })
      } catch (error) {
        // A refusal for overload costs nothing, as over HTTP.
        if (error instanceof AppError && error.code === 'overloaded') refundAll()
        throw error
      }
    },
    close: () => handler.close(),
  }
}

/** The caller for which the shared list is made. */
const NOBODY: CallSource = {
  caller: { id: 'nobody', tier: { name: 'none', policies: {} }, key: null },
}

function messagesOf(body: unknown): readonly Message[] {
  const all: unknown[] = Array.isArray(body) ? body : [body]
  return all.map((one) => (typeof one === 'object' && one !== null ? one : {}))
}
