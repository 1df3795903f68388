import { isDeepStrictEqual } from 'node:util'
import type { SinkKind, Watch } from '../model/watch.ts'

/** The operator's saved searches. */
export interface Watches {
  /** Adds a watch, or changes the one with that name, which keeps its id and the record of what it told. */
  put(watch: NewWatch): Promise<Watch>
  /** Removes a watch with its waiting deliveries and the record of what it told. False when there is none with that name. */
  remove(name: string): Promise<boolean>
  get(name: string): Promise<Watch | undefined>
  byId(id: number): Promise<Watch | undefined>
  /** Ordered by name, from the one after `after`. */
  list(after: string | null, limit: number): Promise<readonly Watch[]>
  count(): Promise<number>
  /**
   * Stops sending to a sink until the watch is put again; what waits for that sink becomes dead letters. False, with nothing
   * changed, when the watch no longer has the sink as given: it was removed or put with another one meanwhile.
   */
  stop(watch: Pick<Watch, 'id' | 'sinks'>, sink: SinkKind, reason: string): Promise<boolean>
  /** Grows each time a watch is put, stopped or removed. */
  revision(): Promise<number>
  /**
   * The watches put, stopped or removed after a revision, in that order, for whoever keeps watches in memory. Revision 0 is
   * before all of them.
   */
  changesSince(revision: number, limit: number): Promise<readonly WatchChange[]>
}

/** For adapters: the watch with a sink stopped; undefined when it no longer has that sink as it was. */
export function stopSink(
  watch: Watch | undefined,
  { sinks }: Pick<Watch, 'sinks'>,
  { sink, reason }: { readonly sink: SinkKind; readonly reason: string },
): Watch | undefined {
  if (!watch || !isDeepStrictEqual(watch.sinks[sink], sinks[sink])) return undefined
  return { ...watch, stopped: { ...watch.stopped, [sink]: reason } }
}

export type NewWatch = Omit<Watch, 'id' | 'stopped'>

export interface WatchChange {
  readonly revision: number
  readonly id: number
  /** Null when the watch was removed. */
  readonly watch: Watch | null
}
