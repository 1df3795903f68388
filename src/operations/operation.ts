import { z } from 'zod'
import type { Caller } from '../access/caller.ts'
import type { PolicyName } from '../access/tiers.ts'
import type { ErrorCode } from '../model/errors.ts'
import type { Context } from './context.ts'
import { inputError } from './input-error.ts'
import { shownOf } from './parameters.ts'
import type { Item } from './render/items.ts'
import { compact } from './render/compact.ts'
import type { Warning } from './warnings.ts'

/** Formats of a reply; each operation declares which ones it has. */
export type Format = 'json' | 'md' | 'ndjson' | 'csv' | 'excel' | 'rss' | 'jsonfeed' | 'zip'

/** What `run` returns; the face adds `request_id` and `took_ms` to `meta`. */
export interface Reply<Data = unknown, Meta = object> {
  readonly data: Data
  readonly meta: Meta
  readonly warnings: readonly Warning[]
  /** The file sent as `zip`, for an operation that has this format. */
  readonly file?: ReplyFile
}

/** Read in pieces, so that the sender never holds more of it than the reader has yet to take. */
export interface ReplyFile {
  readonly name: string
  readonly length: number
  pieces(): AsyncIterable<Uint8Array>
}

/** The cursor of the next page; null at the end of a list, and for a reply that is not a list. */
export function nextPageOf({ meta }: Pick<Reply, 'meta'>): string | null {
  return 'next_cursor' in meta && typeof meta.next_cursor === 'string' ? meta.next_cursor : null
}

/** One request as an operation sees it, whichever face it came through. */
export interface Call {
  readonly caller: Caller
  readonly requestId: string
  /** Aborted when the caller goes away or the deadline passes. */
  readonly signal: AbortSignal
  /** Charges 1 to a policy that only some answers cost; throws `quota_exceeded`. */
  charge(policy: 'live'): Promise<void>
  refund(policy: 'live'): void
}

/** A call that is not charged. */
export function freeCall(call: Omit<Call, 'charge' | 'refund'>): Call {
  return { ...call, charge: async () => {}, refund: () => {} }
}

export interface Example {
  readonly summary: string
  readonly input: Readonly<Record<string, string | number | boolean | readonly string[]>>
}

/** What every document tells of an operation, whether it replies once or streams. */
export interface Described {
  readonly name: string
  /** Below `/v1`; `{username}` and `{slug}` are filled from the input fields of that name. */
  readonly path: `/${string}`
  readonly summary: string
  readonly description: string
  readonly input: z.ZodObject
  /** Error codes besides COMMON_ERRORS. */
  readonly errors: readonly ErrorCode[]
  readonly policies: readonly PolicyName[]
  readonly examples: readonly Example[]
}

/** What documents also tell of an operation that replies once. `meta` lacks the fields that every reply has. */
interface Replying extends Described {
  readonly output: z.ZodType
  readonly meta: z.ZodObject
  readonly formats: readonly Format[]
}

interface Declaration<
  I extends z.ZodObject,
  D extends z.ZodType,
  M extends z.ZodObject,
> extends Replying {
  readonly input: I
  readonly output: D
  readonly meta: M
  /** Whether an accepted request costs nothing of `daily`. */
  readonly isFree?: (input: z.output<I>) => boolean
  readonly run: (
    ctx: Context,
    input: z.output<I>,
    call: Call,
  ) => Promise<Reply<z.output<D>, z.output<M>>>
  /** The reply as Markdown for language models. */
  readonly markdown: (reply: Reply<z.output<D>, z.output<M>>) => string
  /** `data` as the structured content beside that Markdown over MCP; by default all of it except what is null or empty. */
  readonly compact?: (data: z.output<D>) => unknown
  /** The posts of a reply that is a list of posts. */
  readonly items?: (data: z.output<D>) => readonly Item[] | Promise<readonly Item[]>
  /** The first `count` posts, for a list that has no cursor. */
  readonly truncate?: (data: z.output<D>, count: number) => z.output<D>
}

/** A declared operation without its specific types, so that different operations fit into one array. */
export interface Operation<Data = unknown, Meta extends object = object> extends Replying {
  markdown(reply: Reply<Data, Meta>): string
  compact(data: Data): unknown
  items(data: Data): Promise<readonly Item[]>
  truncate(data: Data, count: number): Data
  /**
   * Parses raw input (strings of a URL or JSON values); throws an AppError that names every problem. `ofFace` are parameters
   * that the face takes itself: not in the input, but possibly meant by an unknown name.
   */
  prepare(input: unknown, ofFace?: readonly string[]): Prepared<Data, Meta>
  /** `prepare` and `run` in one step. */
  invoke(ctx: Context, input: unknown, call: Call): Promise<Reply<Data, Meta>>
}

export interface Prepared<Data = unknown, Meta extends object = object> {
  /** Costs nothing of `daily`. */
  readonly free: boolean
  run(ctx: Context, call: Call): Promise<Reply<Data, Meta>>
}

/** The types of a declared operation, for the client. */
export interface TypedOperation<I, D, M extends object> extends Operation<D, M> {
  readonly types?: { readonly input: I; readonly data: D; readonly meta: M }
}

/** Any request can fail with these; operations list only what is theirs. */
export const COMMON_ERRORS = [
  'invalid_parameter',
  'unknown_parameter',
  'key_in_url',
  'invalid_request',
  'invalid_key',
  'key_required',
  'not_acceptable',
  'quota_exceeded',
  'internal',
  'overloaded',
  'unavailable',
] as const satisfies readonly ErrorCode[]

/** What is wrong with a cursor, for the operations that take one. */
export const CURSOR_ERRORS = ['invalid_cursor', 'cursor_expired', 'cursor_mismatch'] as const

export function defineOperation<I extends z.ZodObject, D extends z.ZodType, M extends z.ZodObject>(
  declaration: Declaration<I, D, M>,
): TypedOperation<z.input<I>, z.output<D>, z.output<M>> {
  const { run, isFree, ...described } = declaration

  function prepare(input: unknown, ofFace?: readonly string[]): Prepared<z.output<D>, z.output<M>> {
    const parsed = declaration.input.safeParse(input)
    if (!parsed.success) throw inputError(parsed.error, { ...declaration, ofFace })
    const value = parsed.data
    return {
      free: !declaration.policies.includes('daily') || (isFree?.(value) ?? false),
      run: (ctx, call) => run(ctx, value, call),
    }
  }

  return {
    ...described,
    compact: declaration.compact ?? compact,
    items: async (data) => declaration.items?.(data) ?? [],
    truncate: declaration.truncate ?? ((data) => data),
    prepare,
    // `async`, so that an error thrown by `prepare` becomes a rejection.
    invoke: async (ctx, input, call) => prepare(input).run(ctx, call),
  }
}

/** JSON Schema of an operation's input, for OpenAPI and MCP. */
export function inputJsonSchema(operation: Pick<Operation, 'input'>): Record<string, unknown> {
  return z.toJSONSchema(operation.input, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => void Object.assign(jsonSchema, shownOf(zodSchema)),
  }) as Record<string, unknown>
}
