import type { Hint } from './hint.ts'

/**
 * Every error a caller may be told of. `http/problem.ts`, the MCP face, the command line and `docs/errors.md` are drawn
 * from this table; `test/api/documents.test.ts` keeps the document equal to it.
 */
export const ERRORS = {
  invalid_parameter: { status: 400, title: 'A parameter has a value that is not accepted' },
  unknown_parameter: { status: 400, title: 'The operation has no parameter of that name' },
  missing_parameter: { status: 400, title: 'A required parameter is missing' },
  invalid_query: { status: 400, title: 'The query could not be read' },
  invalid_username: { status: 400, title: 'That is not the name of a channel' },
  invalid_cursor: { status: 400, title: 'The cursor was not made by this service' },
  cursor_expired: { status: 400, title: 'The cursor is too old' },
  cursor_mismatch: { status: 400, title: 'The cursor belongs to another query' },
  key_in_url: { status: 400, title: 'Keys are not accepted in the URL' },
  invalid_request: { status: 400, title: 'The request could not be read' },
  invalid_key: { status: 401, title: 'The key is unknown or revoked' },
  key_required: { status: 401, title: 'This service needs a key' },
  origin_not_allowed: { status: 403, title: 'Pages of other sites may not use this service' },
  not_found: { status: 404, title: 'There is nothing at this address' },
  channel_not_found: { status: 404, title: 'Nobody on the platform has that name' },
  channel_not_indexed: { status: 404, title: 'The channel is not indexed here' },
  post_not_found: { status: 404, title: 'The channel has no such post' },
  method_not_allowed: { status: 405, title: 'The method is not served here' },
  not_acceptable: { status: 406, title: 'None of the accepted formats is available' },
  channel_removed: { status: 410, title: 'The channel was removed on request' },
  post_deleted: { status: 410, title: 'The post was deleted on the platform' },
  post_removed: { status: 410, title: 'The post was removed on request' },
  uri_too_long: { status: 414, title: 'The address is too long' },
  host_not_allowed: { status: 421, title: 'The service does not answer under this name' },
  channel_unavailable: { status: 422, title: 'The channel exists but cannot be read' },
  quota_exceeded: { status: 429, title: 'A quota is used up' },
  header_fields_too_large: { status: 431, title: 'The request’s headers are too large' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  upstream_failed: { status: 502, title: 'The platform gave no usable answer' },
  overloaded: { status: 503, title: 'The service is busy' },
  upstream_throttled: { status: 503, title: 'The platform asks us to slow down' },
  unavailable: { status: 503, title: 'The service cannot answer just now' },
  upstream_timeout: { status: 504, title: 'The platform did not answer in time' },
} as const

export type ErrorCode = keyof typeof ERRORS

/** One thing wrong with a request. */
export interface ErrorItem {
  readonly parameter?: string
  readonly code: ErrorCode
  readonly detail: string
  /** Zero-based UTF-16 offset into the parameter's value. */
  readonly position?: number
  readonly suggestion?: string | undefined
  readonly hint?: Hint
}

interface AppErrorOptions {
  /** Told at the end of the message. */
  readonly hint?: Hint
  readonly errors?: readonly ErrorItem[]
  readonly retryAfterS?: number
  /** What callers are told instead of the message, where that names a part of the installation such as a server's address. */
  readonly detail?: string
  /** Further top-level members of the problem document, such as `reason`, `links`, `evidence`. */
  readonly extra?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/**
 * An error a caller may be told of. The message is lower case, says what was expected and found, and has no final period. It
 * is for logs and the command line; whoever asks over a network is told the `detail`, which is the same as a rule.
 */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly detail: string
  readonly errors: readonly ErrorItem[]
  readonly retryAfterS: number | undefined
  readonly hint: Hint | undefined
  readonly extra: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.detail = options.detail ?? message
    this.hint = options.hint
    this.errors = options.errors ?? []
    this.retryAfterS = options.retryAfterS
    this.extra = options.extra ?? {}
  }

  get status(): number {
    return ERRORS[this.code].status
  }
}

/**
 * True when something that is needed is down and may come back by itself. Recognised by its code, because an error that
 * comes from another thread has lost its class.
 */
export function isUnavailable(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'unavailable'
}

/** One error for everything that is wrong with a request; its code is that of the first item. */
export function errorOf(first: ErrorItem, ...others: readonly ErrorItem[]): AppError {
  const errors = [first, ...others]
  const hint = errors.at(-1)?.hint
  return new AppError(first.code, errors.map(sentenceOf).join('; '), {
    errors,
    ...(hint === undefined ? {} : { hint }),
  })
}

/** The top-level message stands alone in logs and on screens, so it has to name the parameter. */
function sentenceOf({ parameter, code, detail }: ErrorItem): string {
  return code === 'invalid_parameter' ? `\`${parameter}\`: ${detail}` : detail
}

/** Turns a thrown `AppError` into a value; rethrows anything else, which is a bug. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  throw error
}

/** What `work` returns, or the `AppError` that it threw. */
export function attempt<T>(work: () => T): T | AppError {
  try {
    return work()
  } catch (error) {
    return asAppError(error)
  }
}
