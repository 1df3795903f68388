import { AppError } from '../model/errors.ts'
import type { Archive } from './archive.ts'
import type { Budget } from './budget.ts'
import type { Changes } from './changes.ts'
import type { Deliveries } from './deliveries.ts'
import type { EventLog } from './events.ts'
import type { Edits } from './edits.ts'
import type { FileStore, Progress } from './file-store.ts'
import type { Frontier } from './frontier.ts'
import type { Groups } from './groups.ts'
import type { Ledger } from './ledger.ts'
import type { RunPlan } from './plan/draft.ts'
import type { Pictures } from './pictures.ts'
import type { Removals } from './removals.ts'
import type { Retention } from './retention.ts'
import type { Roles } from './roles.ts'
import type { Watches } from './watches.ts'

export { keptSince, type Retention } from './retention.ts'

/** Everything we keep: the source of truth. Any number of processes may have a store open at the same time. */
export interface Store extends AsyncDisposable {
  readonly archive: Archive
  readonly changes: Changes
  readonly edits: Edits
  readonly groups: Groups
  readonly events: EventLog
  readonly frontier: Frontier
  readonly ledger: Ledger
  readonly budget: Budget
  readonly removals: Removals
  readonly roles: Roles
  readonly watches: Watches
  readonly deliveries: Deliveries
  readonly pictures: Pictures
  readonly retention: Retention
  /** Runs a plan in one transaction; used to move rows from one store to another. */
  readonly run: RunPlan
  /** Resolves to the store's time; cheap, since it counts nothing. Rejects with `StoreGoneError` when its files are gone. */
  ping(): Promise<number>
  /** Its kind and schema, for `status` and `doctor`. */
  describe(): Promise<StoreDescription>
  /** Periodic maintenance of a store that many processes write to; one process does it for all. */
  tidy?(): Promise<void>
  /** Checks the stored data for consistency, thoroughly rather than fast. An empty list means sound. */
  verify(progress?: Progress): Promise<readonly string[]>
  /** Undefined when the store is not in files. */
  readonly files?: FileStore
}

/** An open file is no longer at its path: whatever is written into it is lost, so the process has to end. */
export class StoreGoneError extends AppError {
  constructor(path: string) {
    const why = 'was moved, deleted or replaced while this process had it open'
    super('unavailable', `${path} ${why}: put it back, or what was read since is lost`)
  }
}

/** `damage` is the problem without the advice to restore a backup, for the case that the backup itself is damaged. */
export class StoreDamagedError extends AppError {
  readonly damage: string

  constructor(damage: string, { instead = '', cause }: { instead?: string; cause?: unknown } = {}) {
    super('unavailable', `${damage}; restore it from a backup${instead}`, { cause })
    this.damage = damage
  }
}

export interface StoreDescription {
  readonly kind: string
  /** The version of the database engine. */
  readonly version: string
  readonly schemaVersion: number
  readonly location: string
}
