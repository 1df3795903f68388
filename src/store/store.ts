import { DAY_MS } from '../model/time.ts'
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
import type { LivePages } from './live-pages.ts'
import type { RunPlan } from './plan/run-plan.ts'
import type { Pictures } from './pictures.ts'
import type { Removals } from './removals.ts'
import type { Roles } from './roles.ts'
import type { Watches } from './watches.ts'

/** What we keep: the source of truth. Any number of processes may hold one open at a time. */
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
  readonly livePages: LivePages
  readonly watches: Watches
  readonly deliveries: Deliveries
  readonly pictures: Pictures
  readonly retention: Retention
  /** Carries out a plan in one transaction: for moving rows from one store to another. */
  readonly run: RunPlan
  /** Resolves to the store's time when it answers; counts nothing. Rejects with `StoreGoneError` where files are gone. */
  ping(): Promise<number>
  /** Its kind and schema, for `status` and `doctor`. */
  describe(): Promise<StoreDescription>
  /** What a store has to do now and then that many write to at once; one process does it for all. */
  tidy?(): Promise<void>
  /** Holds what is kept against itself; slow on purpose. An empty list means sound. */
  verify(progress?: Progress): Promise<readonly string[]>
  /** Undefined where the store is not made of files. */
  readonly files?: FileStore
}

/** A file that is open is no longer at its place: whatever is written into it is lost, so the process has to end. */
export class StoreGoneError extends AppError {
  constructor(path: string) {
    const why = 'was moved, deleted or replaced while this process had it open'
    super('unavailable', `${path} ${why}: put it back, or what was read since is lost`)
  }
}

/** What is wrong stands apart from what helps: of a backup, only the first is told. */
export class StoreDamagedError extends AppError {
  readonly damage: string

  constructor(damage: string, { instead = '', cause }: { instead?: string; cause?: unknown } = {}) {
    super('unavailable', `${damage}; restore it from a backup${instead}`, { cause })
    this.damage = damage
  }
}

/** The archive of a server is gone and must not come back empty: those who run on it would answer as if nothing had ever been there. */
export class ArchiveLostError extends AppError {
  constructor(message: string) {
    super('unavailable', message)
  }
}

export interface StoreDescription {
  readonly kind: string
  /** Of the engine. */
  readonly version: string
  readonly schemaVersion: number
  readonly location: string
}

/** What the operator decided about what is kept. */
export interface Retention {
  /** `redact`: a deleted post loses its text. `keep`: it stays. */
  readonly deleted: 'redact' | 'keep'
  /** `hash`: earlier versions keep date and hash only. */
  readonly versions: 'keep' | 'hash'
  /** How many days after its publication a post is kept; null or absent: for ever. */
  readonly days?: number | null
  /** The pictures of posts are wanted from now on. */
  readonly pictures?: boolean
}

/** Posts published before this are not taken in, and `Archive.prune` may erase them. */
export function keptSince({ days }: Retention, now: number): number {
  return days == null ? -Infinity : now - days * DAY_MS
}
