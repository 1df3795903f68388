/** A visit that ended, for logs and metrics. */
export interface VisitFinished {
  readonly channel: string
  /** `page`; the failure met instead of one; or `opted_out`, `other_channel` or `stale`. */
  readonly outcome: string
  readonly requests: number
  readonly added: number
  readonly changed: number
  readonly deleted: number
  readonly tookMs: number
  /** How late the visit began. */
  readonly lateMs: number
  /** The age of each new post when it was found; empty for a first visit. */
  readonly delaysMs: readonly number[]
  readonly openGaps: number
}
