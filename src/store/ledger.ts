/** Keys and what was used. In a database of its own, so that a crawler's transaction never delays a request. */

export interface KeyRecord {
  /** The public part of the key, by which it is found. */
  readonly id: string
  readonly name: string | null
  readonly tier: string
  readonly createdAt: number
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
  /** HMACs of the secrets that open it: one, or two while it is rotated. Secrets themselves are never stored. */
  readonly secretHashes: readonly string[]
}

/** For adapters: with a further secret; the oldest goes where there are two. */
export function withSecret(hashes: readonly string[], added: string): string[] {
  return [...hashes, added].slice(-2)
}

export interface Usage {
  /** When the window began. */
  readonly startedAt: number
  readonly used: number
}

export interface Ledger {
  addKey(key: {
    readonly id: string
    readonly name: string | null
    readonly tier: string
    readonly createdAt: number
    readonly secretHash: string
  }): Promise<void>
  key(id: string): Promise<KeyRecord | undefined>
  keys(): Promise<readonly KeyRecord[]>
  /** Adds a second secret; when there are two already the older goes. False when the key is unknown or revoked. */
  addSecret(id: string, secretHash: string): Promise<boolean>
  /** False when there is no such key; repeating it keeps the first time. */
  revokeKey(id: string, at: number): Promise<boolean>
  touchKey(id: string, at: number): Promise<void>

  /**
   * Takes up to `amount` of a limit in one atomic step, over all processes, by the store's clock. A window starts with the
   * first charge, or by the clock of UTC at a multiple of its length; one that has run out, or lies further ahead than it
   * is long, is replaced. `granted` may be less than asked, or 0.
   */
  charge(request: {
    readonly caller: string
    readonly policy: string
    readonly limit: number
    readonly windowMs: number
    readonly starts: 'first' | 'clock'
    readonly amount: number
  }): Promise<Usage & { readonly granted: number }>
  /** Gives back what was charged and not spent; ignored when that window is over. */
  refund(request: {
    readonly caller: string
    readonly policy: string
    readonly startedAt: number
    readonly amount: number
  }): Promise<void>
  /** What is used of the running window; undefined when none runs. */
  usage(caller: string, policy: string, windowMs: number): Promise<Usage | undefined>
  /** Forgets windows that are over. */
  sweep(): Promise<void>
}
