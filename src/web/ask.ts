import type { Context as HonoContext } from 'hono'
import { isUnavailable, type AppError } from '../model/errors.ts'
import type { Context } from '../operations/context.ts'
import { freeCall, type Operation, type Reply } from '../operations/operation.ts'
import { perform } from '../operations/perform.ts'

/** What the server hands to a page beside the request. */
export interface WebEnv {
  Variables: {
    exchange: {
      readonly requestId: string
      readonly address: string
      readonly abort: AbortController
      operation: string
      /** What a page is not to be made for; it is told as a page. */
      readonly refusal?: AppError | undefined
    }
  }
}
export type PageContext = HonoContext<WebEnv>

/** Asks operations for a page, as an anonymous caller; pages know of nothing else. */
export interface Ask {
  /** The question a page is made for, which pays for it. */
  <Data, Meta extends object>(
    operation: Operation<Data, Meta>,
    input: Record<string, unknown>,
  ): Promise<Reply<Data, Meta>>
  /** What else stands on the page. */
  also<Data, Meta extends object>(
    operation: Operation<Data, Meta>,
    input: Record<string, unknown>,
  ): Promise<Reply<Data, Meta>>
}

export function createAsk(ctx: Context, { exchange }: PageContext['var']): Ask {
  const { requestId, address } = exchange
  const { signal } = exchange.abort
  const ask: Ask = async (operation, input) => {
    exchange.operation = `web_${operation.name}`
    const caller = await ctx.access.identify({ key: undefined, address })
    const { reply } = await perform(operation, input, { ctx, caller, requestId, signal })
    return reply
  }
  ask.also = (operation, input) => {
    const caller = ctx.access.anonymous(address)
    return operation.invoke(ctx, input, freeCall({ caller, requestId, signal }))
  }
  return ask
}

/** A page can be shown without what only the index knows while that is built anew. */
export function unlessUnavailable(error: unknown): undefined {
  if (isUnavailable(error)) return undefined
  throw error
}
