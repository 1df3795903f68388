import { CURSOR_LIFETIME_MS } from '../../model/cursor.ts'
import type { Reply } from '../operation.ts'

/** A reply serialised once, to be hashed for its ETag and then sent together with what belongs to the single request. */
interface StableJson {
  readonly data: string
  /** Without its braces. */
  readonly meta: string
  readonly warnings: string
  /** The input of the ETag: the reply without what changes by itself. */
  readonly lasting: string
}

export function stableJson(reply: Reply, now: number): StableJson {
  const data = JSON.stringify(reply.data)
  const warnings = JSON.stringify(reply.warnings)
  return {
    data,
    meta: JSON.stringify(reply.meta).slice(1, -1),
    warnings,
    lasting: data + JSON.stringify(lastingMeta(reply.meta, now)) + warnings,
  }
}

interface Moving {
  readonly next_cursor?: unknown
  readonly window?: unknown
  readonly coverage?: {
    readonly complete: boolean
    readonly reason: unknown
    readonly not_indexed: unknown
  }
}

/** A reply that a client has kept for longer may hold a cursor that has expired, so it is another one then. */
const FRESH_MS = CURSOR_LIFETIME_MS / 2

/** Cursors are dated, the window ends now and the index grows; none of that makes it another reply. */
function lastingMeta(meta: object, now: number): object {
  const { next_cursor: cursor, window: _window, coverage, ...rest } = meta as Moving
  return {
    ...rest,
    hasNext: typeof cursor === 'string' && Math.floor(now / FRESH_MS),
    coverage: coverage && [coverage.complete, coverage.reason, coverage.not_indexed],
  }
}

export function jsonBody(stable: StableJson, requestId: string, tookMs: number): string {
  const rest = stable.meta === '' ? '' : `,${stable.meta}`
  // A request id is `[A-Za-z0-9._-]` and needs no escaping.
  return `{"data":${stable.data},"meta":{"request_id":"${requestId}","took_ms":${Math.round(tookMs * 10) / 10}${rest}},"warnings":${stable.warnings}}`
}
