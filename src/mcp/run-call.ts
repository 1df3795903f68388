import { randomUUID } from 'node:crypto'
import type { ToolCall } from './answer.ts'
import { publicError } from './refusal.ts'
import type { CallSource, Shared } from './server.ts'

/** One tool call, or another request that takes as long. */
interface Call {
  readonly name: string
  readonly kind: 'live' | 'other'
  readonly requestId?: string
  /** Aborted when the client goes away. */
  readonly gone: AbortSignal
}

export type RunCall = <T>(call: Call, work: (call: ToolCall) => Promise<T>) => Promise<T>

/** Runs calls within limits: admitted if there is room, and ended by a deadline. They throw only AppErrors. */
export function createRunCall({ ctx, events }: Shared, asked: CallSource): RunCall {
  const paid = asked.refund ? (['burst'] as const) : []

  function enter(kind: Call['kind']): (() => void) | undefined {
    try {
      return asked.enter?.(kind)
    } catch (error) {
      asked.refund?.()
      throw error
    }
  }

  return async ({ name, kind, gone, ...call }, work) => {
    const requestId = call.requestId ?? asked.requestId ?? randomUUID()
    const leave = enter(kind)
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
