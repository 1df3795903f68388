/** A request or MCP call that was answered, for logs and metrics: without its query, key or address. */
export interface RequestServed {
  readonly requestId: string
  /** The operation's name, or `none` where the path names none. */
  readonly operation: string
  readonly status: number
  readonly ms: number
  readonly tier: string | null
  readonly format: string | null
}
