import { randomUUID } from 'node:crypto'
import type { Caller } from '../access/caller.ts'
import { AppError } from '../model/errors.ts'
import type { RequestServed } from '../model/request-served.ts'
import type { Context } from '../operations/context.ts'
import type { ToolCall } from './answer.ts'

export interface McpEvents {
  /** A call was answered, with the status that the same request would have over HTTP. */
  requestServed(event: RequestServed): void
  /** A bug; the model was given no details. */
  toolFailed(error: unknown, event: { readonly requestId: string; readonly tool: string }): void
  /** Something that is needed is down; the model was told without the place. */
  requestRefused(error: AppError): void
}

/** Lets a tool call in when its turn comes, or throws `overloaded`; the returned function ends it. */
export type Enter = (kind: 'elsewhere' | 'other') => Promise<() => void>

/** Who asks. A request over HTTP brings its id; on a connection each call gets its own. */
export interface CallSource {
  readonly caller: Caller
  readonly requestId?: string
  /** Set where many clients ask at once. A reply's stream opens long before its call ends, so each call takes its own place. */
  readonly enter?: Enter
  /** Set where each message was charged its burst beforehand: refunds it for a call that is refused. */
  readonly refund?: () => void
  /** Called with each running call. */
  readonly track?: (call: Promise<unknown>) => void
}

interface Call {
  readonly name: string
  readonly kind: 'live' | 'other'
  readonly requestId?: string
  /** Aborted when the client goes away. */
  readonly gone: AbortSignal
}

type RunCall = <T>(call: Call, work: (call: ToolCall) => Promise<T>) => Promise<T>

/** Runs calls within limits: admitted if there is room, and ended by a deadline. They throw only AppErrors. */
export function createRunCall(
  { ctx, events }: { readonly ctx: Context; readonly events: McpEvents },
  asked: CallSource,
): RunCall {
  const paid = asked.refund ? (['burst'] as const) : []

  async function enter({ kind, name }: Call): Promise<(() => void) | undefined> {
    const waits = kind === 'live' || name === 'get_evidence'
    try {
      return await asked.enter?.(waits ? 'elsewhere' : 'other')
    } catch (error) {
      asked.refund?.()
      throw error
    }
  }

  return async (call, work) => {
    const { name, kind, gone } = call
    const requestId = call.requestId ?? asked.requestId ?? randomUUID()
    const leave = await enter(call)
    const startedAt = performance.now()
    let status = 200
    // Whichever comes first gives the reason, which decides what the call costs: `AbortSignal.any` would take the first of its
    // list, and a reply that is over aborts `gone`, too.
    const ended = new AbortController()
    const hangUp = () => ended.abort(gone.reason)
    if (gone.aborted) hangUp()
    gone.addEventListener('abort', hangUp)
    try {
      const { signal } = ended
      const running = ctx.deadlines.hold(kind, ended, () =>
        work({ ctx, caller: asked.caller, requestId, signal, paid }),
      )
      asked.track?.(running)
      return await running
    } catch (error) {
      const told = publicError(error, (bug) => {
        // When the client has gone, nobody receives the reply, and what the work throws because of that is no bug.
        if (!gone.aborted) events.toolFailed(bug, { requestId, tool: name })
      })
      if (told.detail !== told.message) events.requestRefused(told)
      status = gone.aborted ? 499 : told.status
      throw told
    } finally {
      gone.removeEventListener('abort', hangUp)
      leave?.()
      const ms = performance.now() - startedAt
      const { name: tier } = asked.caller.tier
      events.requestServed({ requestId, operation: `mcp_${name}`, status, ms, tier, format: null })
    }
  }
}

/** The error as the caller may see it; a bug is reported and its details withheld. */
function publicError(error: unknown, report: (bug: unknown) => void): AppError {
  if (error instanceof AppError) return error
  report(error)
  return new AppError('internal', 'something went wrong on our side')
}
