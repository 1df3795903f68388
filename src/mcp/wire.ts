import {
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import { SELF_CONTAINED } from './protocol-versions.ts'

/** The parts of a JSON-RPC message that are inspected before the protocol's library reads it. */
export interface Message {
  readonly jsonrpc?: unknown
  readonly method?: unknown
  readonly id?: unknown
  readonly params?: {
    readonly cursor?: unknown
    /** The arguments of a tool call. */
    arguments?: unknown
    readonly _meta?: Readonly<Record<string, unknown>>
  }
}

/** Some clients send null when a call has no arguments, which the library refuses. */
export function dropNullArguments({ params }: Message): void {
  if (params?.arguments === null) delete params.arguments
}

/** Either each request states its protocol version, or a handshake did once; the two shape their results differently. */
export type Era = 'self-contained' | 'handshake'

/** Undefined when a request is not clearly one or the other; the library then reports what is wrong. */
export function eraOf({ headers }: Request, message: Message): Era | undefined {
  if (!isRequest(message)) return undefined
  if (!accepts(headers, 'application/json') || !accepts(headers, 'text/event-stream')) {
    return undefined
  }
  const version = headers.get('mcp-protocol-version')
  const claimed = message.params?._meta?.[PROTOCOL_VERSION_META_KEY]
  if (claimed === undefined) {
    return version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)
      ? 'handshake'
      : undefined
  }
  const isPlain = claimed === SELF_CONTAINED && version === claimed
  return isPlain && headers.get('mcp-method') === message.method ? 'self-contained' : undefined
}

function isRequest({ jsonrpc, id, params = {} }: Message): boolean {
  const isKnownById = typeof id === 'string' || Number.isSafeInteger(id)
  return jsonrpc === '2.0' && isKnownById && params?.constructor === Object
}

function accepts(headers: Request['headers'], type: string): boolean {
  return headers.get('accept')?.includes(type) ?? false
}

/** `result` is already JSON. */
export function resultOf(id: unknown, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
}

export function errorReply(status: number, code: number, message: string): Response {
  return jsonReply(status, JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }))
}

export function jsonReply(status: number, body: string): Response {
  return new Response(body, { status, headers: { 'Content-Type': 'application/json' } })
}
