/** API keys and their usage, in a database of its own so that a crawler's transaction never delays a request. */

export interface KeyRecord {
  /** The public part of the key, by which it is found. */
  readonly id: string
  readonly name: string | null
  readonly tier: string
  readonly createdAt: number
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
  /** HMACs of the secrets that are valid for it: one, or two during a rotation. Secrets themselves are never stored. */
  readonly secretHashes: readonly string[]
}

/** For adapters: adds a secret. Of two existing ones, the older is dropped. */
export function withSecret(hashes: readonly string[], added: string): string[] {
  return [...hashes, added].slice(-2)
}

export interface Usage {
  /** When the window began. */
  readonly startedAt: number
  readonly used: number
}

export interface Ledger {
  addKey(
    key: Pick<KeyRecord, 'id' | 'name' | 'tier' | 'createdAt'> & { readonly secretHash: string },
  ): Promise<void>
  key(id: string): Promise<KeyRecord | undefined>
  keys(): Promise<readonly KeyRecord[]>
  /** Adds a second secret; when there are two already, the older is dropped. False when the key is unknown or revoked. */
  addSecret(id: string, secretHash: string): Promise<boolean>
  /** False when there is no such key. Repeating it keeps the time of the first revocation. */
  revokeKey(id: string, at: number): Promise<boolean>
  touchKey(id: string, at: number): Promise<void>

  /**
   * Takes up to `amount` of a limit in one atomic step across all processes, by the store's clock. A window starts with the
   * first charge (`first`) or at a multiple of its length in UTC (`clock`). A window that has run out, or that starts further
   * in the future than its own length, is replaced. `granted` may be less than asked for, down to 0.
   */
  charge(request: {
    readonly caller: string
    readonly policy: string
    readonly limit: number
    readonly windowMs: number
    readonly starts: 'first' | 'clock'
    readonly amount: number
  }): Promise<Usage & { readonly granted: number }>
  /** Gives back what was charged but not spent; ignored when that window is over. */
  refund(request: {
    readonly caller: string
    readonly policy: string
    readonly startedAt: number
    readonly amount: number
  }): Promise<void>
  /** The usage of the running window; undefined when none is running. */
  usage(caller: string, policy: string, windowMs: number): Promise<Usage | undefined>
  /** Forgets windows that are over. */
  sweep(): Promise<void>
}
