import type { CallToolResult } from '@modelcontextprotocol/server'
import type { PolicyName } from '../access/tiers.ts'
import { cutText } from '../model/cut-text.ts'
import { AppError, errorOf, type ErrorItem } from '../model/errors.ts'
import type { Hint } from '../model/hint.ts'
import {
  freeCall,
  nextPageOf,
  type Call,
  type Operation,
  type Prepared,
  type Reply,
} from '../operations/operation.ts'
import { compactObject } from '../operations/render/compact.ts'
import { renderMarkdown } from '../operations/render/render.ts'
import type { Context } from '../operations/context.ts'
import { perform } from '../operations/perform.ts'
import { DEFAULT_LIMIT } from './tool-schema.ts'
import { toolWords } from './tool-words.ts'
import { REPLY_TOKENS, estimateTokens } from './tokens.ts'

export interface ToolCall {
  readonly ctx: Context
  readonly caller: Call['caller']
  readonly requestId: string
  readonly signal: AbortSignal
  /** Policies that the message has been charged for already. */
  readonly paid: readonly PolicyName[]
}

const FORMATTED = errorOf({
  parameter: 'format',
  code: 'unknown_parameter',
  detail:
    'unknown parameter `format`: over MCP every reply is text and structured content, leave it out',
})

type Input = Readonly<Record<string, unknown>>

/** Runs an operation under the same quotas as over HTTP; the reply fits a model's context window. */
export async function answer(
  operation: Operation,
  input: Input,
  call: ToolCall,
): Promise<CallToolResult> {
  const hasLimit = 'limit' in operation.input.shape
  const asked =
    hasLimit && input['limit'] === undefined ? { ...input, limit: DEFAULT_LIMIT } : input
  const problem = 'format' in input ? FORMATTED : undefined
  return perform(operation, asked, { ...call, problem }, (reply) =>
    fit(operation, asked, forTools(reply), call),
  )
}

function forTools(reply: Reply): Reply {
  const warnings = reply.warnings.map(inToolWords)
  return { ...reply, warnings }
}

/** A warning or a problem whose message can be followed with tools alone. */
function inToolWords<Message extends { readonly detail: string; readonly hint?: Hint }>({
  hint,
  ...message
}: Message): Omit<Message, 'hint'> {
  return { ...message, detail: toolWords({ ...message, ...(hint && { hint }) }) }
}

/** A reply that is too long gets fewer items; if it is still too long, its texts are cut. */
async function fit(
  operation: Operation,
  input: Input,
  first: Reply,
  call: ToolCall,
): Promise<CallToolResult> {
  let reply = first
  let result = resultOf(operation, reply)
  let count = await itemCount(operation, reply)
  while (sizeOf(result) > REPLY_TOKENS && count > 1) {
    const fair = Math.floor((count * REPLY_TOKENS * 0.9) / sizeOf(result))
    count = Math.max(1, Math.min(count - 1, fair))
    // A list with a cursor is queried again, so that its cursor stays right; a live read is cut, not fetched again.
    reply =
      'cursor' in operation.input.shape
        ? forTools(await again(operation.prepare({ ...input, limit: count }), call))
        : { ...reply, data: operation.truncate(reply.data, count) }
    reply = noted(
      reply,
      `only ${count} of the items fit into one reply; ${await howToGoOn(operation, reply)}`,
    )
    result = resultOf(operation, reply)
  }
  for (let max = 4000; sizeOf(result) > REPLY_TOKENS && max >= 60; max = Math.floor(max / 2)) {
    const short = { ...reply, data: shorten(reply.data, max, Math.max(5, Math.floor(max / 20))) }
    result = resultOf(
      operation,
      noted(short, 'long texts were cut to fit into one reply; the HTTP API has them in full'),
    )
  }
  return result
}

async function howToGoOn(operation: Operation, { data, meta }: Reply): Promise<string> {
  if ('next_cursor' in meta) return 'go on with next_cursor'
  const last = (await operation.items(data)).at(-1)
  if (last === undefined) return 'go on with next_cursor'
  return 'before' in operation.input.shape
    ? `go on with before=${last.slug}`
    : 'the HTTP API has all of them'
}

/** The call has been charged; querying again for a smaller reply costs nothing. */
function again(prepared: Prepared, call: ToolCall): Promise<Reply> {
  return prepared.run(call.ctx, freeCall(call))
}

function noted(reply: Reply, detail: string): Reply {
  const code = 'reply_shortened'
  return {
    ...reply,
    warnings: [...reply.warnings.filter((w) => w.code !== code), { code, detail }],
  }
}

async function itemCount(operation: Operation, { data }: Reply): Promise<number> {
  return Array.isArray(data) ? data.length : (await operation.items(data)).length
}

function resultOf(operation: Operation, reply: Reply): CallToolResult {
  return {
    content: [{ type: 'text', text: textOf(operation, reply) }],
    structuredContent: {
      data: operation.compact(reply.data),
      meta: compactMeta(reply),
      warnings: reply.warnings,
    } as never,
  }
}

/** `next_cursor` is kept even if null, because it tells the end of a list, as over HTTP. */
function compactMeta({ meta }: Reply): object {
  return 'next_cursor' in meta
    ? { ...compactObject(meta), next_cursor: meta.next_cursor }
    : compactObject(meta)
}

function textOf(operation: Operation, reply: Reply): string {
  const next = nextPageOf(reply)
  const step =
    next === null
      ? ''
      : `\nMore: call ${operation.name} again with the same arguments and cursor "${next}".\n`
  return `${renderMarkdown({ operation, reply, next: null })}${step}`
}

function sizeOf(result: CallToolResult): number {
  const [first] = result.content
  const text = first?.type === 'text' ? first.text : ''
  return estimateTokens(text) + estimateTokens(JSON.stringify(result.structuredContent))
}

/** Each problem once: a single one on one line with its code, several below each other; then when to try again. */
function sentencesOf(error: AppError): string[] {
  const { retryAfterS } = error
  const again = retryAfterS === undefined ? [] : [`Try again in ${retryAfterS} s.`]
  return [...wrongs(error), ...again]
}

function wrongs({ code, detail, errors, hint }: AppError): string[] {
  const told = toolWords({ detail, ...(hint && { hint }) })
  const [item] = errors
  if (item === undefined) return [`${code}: ${told}`]
  if (errors.length === 1) return [`${code}: ${sentenceOf(item, told)}`]
  return [
    `${code}: ${errors.length} things are wrong`,
    ...errors.map((each) => sentenceOf(each, toolWords(each))),
  ]
}

/** Adds the parameter, the position and the suggestion, unless `said` already contains them. */
function sentenceOf({ parameter, position, suggestion }: ErrorItem, said: string): string {
  const isNamed = parameter === undefined || said.includes(`\`${parameter}\``)
  const isTold =
    suggestion === undefined ||
    said.endsWith(`try: ${suggestion}`) ||
    said.endsWith(`\`${suggestion}\`?`)
  return [
    isNamed ? '' : `\`${parameter}\`: `,
    said,
    position === undefined ? '' : ` (position ${position})`,
    isTold ? '' : `; try: ${suggestion}`,
  ].join('')
}

/** An error that a model can act on, with the same code as everywhere. */
export function failure(error: AppError, requestId: string): CallToolResult {
  const problem = {
    code: error.code,
    status: error.status,
    detail: toolWords({ detail: error.detail, ...(error.hint && { hint: error.hint }) }),
    request_id: requestId,
    // Over HTTP a header says so.
    ...(error.retryAfterS === undefined ? {} : { retry_after_s: error.retryAfterS }),
    errors: error.errors.map(inToolWords),
    ...error.extra,
  }
  return {
    isError: true,
    content: [{ type: 'text', text: sentencesOf(error).join('\n') }],
    structuredContent: { problem } as never,
  }
}

/** Cuts long strings and lists inside a value, keeping its shape. Returns the same value when nothing was cut. */
function shorten(value: unknown, maxString: number, maxList: number): unknown {
  if (typeof value === 'string') return cutText(value, maxString)
  if (Array.isArray(value)) {
    const made = value.slice(0, maxList).map((item) => shorten(item, maxString, maxList))
    return made.length === value.length && made.every((item, i) => item === value[i]) ? value : made
  }
  if (typeof value !== 'object' || value === null) return value
  let isCut = false
  const made = Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const cut = shorten(item, maxString, maxList)
      isCut ||= cut !== item
      return [key, cut]
    }),
  )
  return isCut ? made : value
}
