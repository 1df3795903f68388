/** Work that one process does for all of them: a lease by name. */
export interface Roles {
  /**
   * Takes a role that nobody holds, by the store's clock. Undefined while another owner holds it; an owner who asks again is
   * given a new lease, and the earlier one is lost.
   */
  acquire(name: string, owner: string, ttlMs: number): Promise<RoleLease | undefined>
  /** Holds it until `ttlMs` from now; undefined when it was lost. One that ran out is still good while nobody else took it. */
  renew(lease: RoleLease, ttlMs: number): Promise<RoleLease | undefined>
  /** Lets it go; one that was lost is let be. */
  release(lease: RoleLease): Promise<void>
}

export interface RoleLease {
  readonly name: string
  readonly owner: string
  /** Grows with every acquisition, so that what an earlier holder still writes can be told. */
  readonly token: number
  readonly until: number
}

/** Sweeping, pruning and what else is done once for all. */
export const KEEPER = 'keeper'

/** Having the store to oneself. */
export const ALONE = 'alone'

/** Reading the log of events for all watches. */
export const TELLER = 'teller'

/** Feeding the index of one consumer of changes. */
export function indexerRole(consumer: string): string {
  return `indexer/${consumer}`
}
