import type { SinkKind, Watch } from '../model/watch.ts'
import type { Delivery, DeadLetter, WatchEvent } from './deliveries.ts'
import { EVENT_KINDS } from './events.ts'
import type { NewWatch } from './watches.ts'

/** Converts watches and deliveries to rows and back, for every database. */

export interface WatchRow {
  readonly id: number
  readonly revision: number
  /** Null when the watch was removed. */
  readonly name: string | null
  readonly body: string
}

export function packWatch(watch: NewWatch & Pick<Watch, 'stopped'>): string {
  const { query, sinks, options, createdAt, since, stopped } = watch
  return JSON.stringify({ query, sinks, options, createdAt, since, stopped })
}

export function unpackWatch({ id, name, body }: WatchRow): Watch | null {
  if (name === null) return null
  return { id, name, ...(JSON.parse(body) as Omit<Watch, 'id' | 'name'>) }
}

/** Packed as an array of numbers, since a digest may hold a hundred events. */
export function packEvent({ kind, channelId, number, seq, at }: WatchEvent): string {
  return JSON.stringify([EVENT_KINDS.indexOf(kind), channelId, number, seq, at])
}

function unpackEvents(events: string): WatchEvent[] {
  return (JSON.parse(`[${events}]`) as [number, number, number, number, number][]).map(
    ([kind, channelId, number, seq, at]) => ({
      kind: EVENT_KINDS[kind]!,
      channelId,
      number,
      seq,
      at,
    }),
  )
}

export interface DeliveryRow {
  readonly id: number
  readonly watch_id: number
  readonly sink: string
  readonly events: string
  readonly created_at: number
  readonly attempts: number
  readonly tried_since: number | null
  readonly died_at: number | null
  readonly error: string
}

export function unpackDelivery(
  row: DeliveryRow,
  sink: Pick<Delivery, 'failingSince' | 'heldUntil'>,
): Delivery {
  return { ...shared(row), attempt: row.attempts, triedSince: row.tried_since!, ...sink }
}

export function unpackLetter(row: DeliveryRow): DeadLetter {
  return { ...shared(row), attempts: row.attempts, diedAt: row.died_at!, error: row.error }
}

function shared(row: DeliveryRow) {
  return {
    id: row.id,
    watchId: row.watch_id,
    sink: row.sink as SinkKind,
    events: unpackEvents(row.events),
    createdAt: row.created_at,
  }
}
