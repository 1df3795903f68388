import { AppError } from '../model/errors.ts'
import type { PostRef } from '../model/post.ts'
import type { SearchQuery } from '../model/query.ts'

/** A request to a search thread, the same for every engine. */
export type ThreadCall =
  | { readonly kind: 'search'; readonly query: SearchQuery }
  | { readonly kind: 'duplicates'; readonly ref: PostRef; readonly limit: number }
  | { readonly kind: 'state' }

/** A request with its id and the time of asking. */
export type ThreadRequest = ThreadCall & {
  readonly id: number
  readonly now: number
  readonly elapsed: number
}

/** Messages to a thread: a question, the cancellation of one, or the request to end. */
export type ThreadMessage =
  ThreadRequest | { readonly kind: 'abort'; readonly id: number } | { readonly kind: 'close' }

/** An `AppError` loses its class between threads: it is taken apart here, and put together again for the caller. */
export type Reply =
  | { readonly id: number; readonly value: unknown }
  | {
      readonly id: number
      readonly refused: Pick<
        AppError,
        'code' | 'message' | 'detail' | 'errors' | 'retryAfterS' | 'extra'
      >
    }
  | { readonly id: number; readonly failed: Error }

export interface Waiter {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

export function failureOf(id: number, error: unknown): Reply {
  if (!(error instanceof AppError)) return { id, failed: error as Error }
  const { code, message, detail, errors, retryAfterS, extra } = error
  return { id, refused: { code, message, detail, errors, retryAfterS, extra } }
}

export function settle(waiter: Waiter, reply: Reply): void {
  if ('value' in reply) waiter.resolve(reply.value)
  else if ('failed' in reply) waiter.reject(reply.failed)
  else {
    const { code, message, detail, errors, retryAfterS, extra } = reply.refused
    const again = retryAfterS === undefined ? {} : { retryAfterS }
    waiter.reject(new AppError(code, message, { detail, errors, extra, ...again }))
  }
}
