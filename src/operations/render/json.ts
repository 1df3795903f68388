import type { Reply } from '../operation.ts'

/** A reply serialised once: hashed for its ETag and sent with what is this request's alone. */
export interface StableJson {
  readonly data: string
  /** Without its braces. */
  readonly meta: string
  readonly warnings: string
}

export function stableJson(reply: Reply): StableJson {
  return {
    data: JSON.stringify(reply.data),
    meta: JSON.stringify(reply.meta).slice(1, -1),
    warnings: JSON.stringify(reply.warnings),
  }
}

export function jsonBody(stable: StableJson, requestId: string, tookMs: number): string {
  const rest = stable.meta === '' ? '' : `,${stable.meta}`
  // A request id is `[A-Za-z0-9._-]` and needs no escaping.
  return `{"data":${stable.data},"meta":{"request_id":"${requestId}","took_ms":${Math.round(tookMs * 10) / 10}${rest}},"warnings":${stable.warnings}}`
}
