import type { SinkKind, Watch } from '../model/watch.ts'

/** Searches that the operator saved. */
export interface Watches {
  /** Adds a watch, or changes the one of that name: it keeps its id, and what it told stays told. */
  put(watch: NewWatch): Promise<Watch>
  /** With what waits to be sent for it, and what it told. False when there is none of that name. */
  remove(name: string): Promise<boolean>
  get(name: string): Promise<Watch | undefined>
  byId(id: number): Promise<Watch | undefined>
  /** In the order of their names, those after one. */
  list(after: string | null, limit: number): Promise<readonly Watch[]>
  count(): Promise<number>
  /** Tells a sink nothing more, until the watch is put again; what waits for it is dead. */
  stop(id: number, sink: SinkKind, reason: string): Promise<void>
  /** Grows with everything that is put, stopped or removed. */
  revision(): Promise<number>
  /**
   * What was put, stopped or removed after a revision, in that order, for whoever keeps watches in memory. 0 is before all of
   * them.
   */
  changesSince(revision: number, limit: number): Promise<readonly WatchChange[]>
}

export type NewWatch = Omit<Watch, 'id' | 'stopped'>

export interface WatchChange {
  readonly revision: number
  readonly id: number
  /** Null: it was removed. */
  readonly watch: Watch | null
}
