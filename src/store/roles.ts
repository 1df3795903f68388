/** Leases by name, for work that one process does on behalf of all. */
export interface Roles {
  /**
   * Takes a role that nobody holds by the store's clock. Undefined while another owner holds it. An owner that asks again gets
   * a new lease and loses the earlier one.
   */
  acquire(name: string, owner: string, ttlMs: number): Promise<RoleLease | undefined>
  /** Extends a lease to `ttlMs` from now, even one that ran out. Undefined once another owner has taken the role. */
  renew(lease: RoleLease, ttlMs: number): Promise<RoleLease | undefined>
  /** Gives a lease back; does nothing when it was lost. */
  release(lease: RoleLease): Promise<void>
  /** Who took a role last and has not given it back, even if the lease has run out. */
  holder(name: string): Promise<string | undefined>
}

export interface RoleLease {
  readonly name: string
  readonly owner: string
  /** A fencing token: it grows with every acquisition, so that late writes of an earlier holder can be recognised. */
  readonly token: number
  readonly until: number
}

/** The role of sweeping, pruning and other maintenance done by one process for all. */
export const KEEPER = 'keeper'

/** The role of having the store to oneself; stores know it by its former name. */
export const EXCLUSIVE = 'alone'

/** The role of matching the event log against all watches; stores know it by its former name. */
export const WATCH_MATCHER = 'teller'

/** The role of copying another store into this one; given back only once the copy is whole. */
export const COPIER = 'copier'

/** The role of feeding the index of one consumer of changes. */
export function indexerRole(consumer: string): string {
  return `indexer/${consumer}`
}
