import type { Context as HonoContext } from 'hono'
import type { Permit } from '../access/access.ts'
import { isUnavailable, type AppError } from '../model/errors.ts'
import type { Context } from '../operations/context.ts'
import { freeCall, type Operation, type Reply } from '../operations/operation.ts'
import { perform, refundFailed } from '../operations/perform.ts'

/** What the server passes to a page besides the request. */
export interface WebEnv {
  Variables: {
    exchange: {
      readonly requestId: string
      readonly address: string
      readonly abort: AbortController
      operation: string
      /** An error found before the page was made; shown as a page. */
      readonly refusal?: AppError | undefined
    }
  }
}
export type PageContext = HonoContext<WebEnv>

/** Calls operations for a page, as an anonymous caller. Pages get their data only from here. */
export interface Ask {
  /** The page's main operation, whose cost the caller pays. */
  <Data, Meta extends object>(
    operation: Operation<Data, Meta>,
    input: Record<string, unknown>,
  ): Promise<Reply<Data, Meta>>
  /** Further operations for the same page; not charged. */
  also<Data, Meta extends object>(
    operation: Operation<Data, Meta>,
    input: Record<string, unknown>,
  ): Promise<Reply<Data, Meta>>
  /** The page could not be shown although its main operation succeeded: refunds it like any request that fails in this way. */
  failed(error: unknown): void
}

export function createAsk(ctx: Context, { exchange }: PageContext['var']): Ask {
  const { requestId, address } = exchange
  const { signal } = exchange.abort
  let paid: Permit | undefined
  const ask: Ask = async (operation, input) => {
    exchange.operation = `web_${operation.name}`
    const caller = await ctx.access.identify({ key: undefined, address })
    return perform(operation, input, { ctx, caller, requestId, signal }, (reply, permit) => {
      paid = permit
      return reply
    })
  }
  ask.also = async (operation, input) => {
    // Free, but not for those who may not ask at all.
    const caller = await ctx.access.identify({ key: undefined, address })
    return operation.invoke(ctx, input, freeCall({ caller, requestId, signal }))
  }
  ask.failed = (error) => {
    if (paid) refundFailed(paid, error, signal)
  }
  return ask
}

/** While the index is rebuilt, a page can be shown without the parts that only the index knows. */
export function unlessUnavailable(error: unknown): undefined {
  if (isUnavailable(error)) return undefined
  throw error
}
