/** What the server tells whoever watches it. Never a query, a key or an address. */
export interface HttpEvents {
  requestServed(event: RequestServed): void
  /** A bug or a broken part: the caller got a 500 that says nothing of it. */
  requestFailed(
    error: unknown,
    event: { readonly requestId: string; readonly operation: string },
  ): void
  /** Turned away under load. */
  requestShed(): void
}

export interface RequestServed {
  readonly requestId: string
  /** The operation's name, or `none` where the path names none. */
  readonly operation: string
  readonly status: number
  readonly ms: number
  readonly tier: string | null
  readonly format: string | null
}

export const silentEvents: HttpEvents = {
  requestServed() {},
  requestFailed() {},
  requestShed() {},
}
