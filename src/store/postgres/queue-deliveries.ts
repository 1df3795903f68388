import { MAX_TOGETHER, type Queued } from '../deliveries.ts'
import { packEvent } from '../watch-codec.ts'
import type { Queries } from './database.ts'
import { rowSet } from './row-set.ts'

/** Events that go into one delivery. */
interface Parcel {
  /** The waiting delivery that they join; null when they become a new one. */
  readonly id: number | null
  /** How many more it takes. */
  room: number
  readonly items: Queued[]
}

/** Queues what is to be sent, as sets: one post may match any number of watches. */
export async function queueDeliveries(tx: Queries, queued: readonly Queued[]): Promise<void> {
  const parcels = pack(queued, await openParcels(tx, queued))
  const joining = parcels.filter(({ id, items }) => id !== null && items.length > 0)
  const joined = await tx.all<{ id: number }>(JOIN, ...JOINED.values(joining.map(joinedRow)))
  const done = new Set<number | null>(joined.map(({ id }) => id))
  // A waiting delivery may have been leased meanwhile: what should have joined it becomes a new one.
  const added = parcels.filter(({ id, items }) => items.length > 0 && !done.has(id))
  await tx.run(QUEUE, ...ADDED.values(added.map(addedRow)))
}

/** The deliveries that wait for the same sinks and moments and are not done. */
async function openParcels(tx: Queries, queued: readonly Queued[]): Promise<Map<string, Parcel>> {
  const joining = queued.filter(({ together }) => together)
  const rows = await tx.all<OpenRow>(OPEN, ...PLACES.values(joining))
  return new Map(
    rows.map((row) => {
      const room = MAX_TOGETHER - row.event_count
      return [placeOf(row.watch_id, row.sink, row.due_at), { id: row.id, room, items: [] }]
    }),
  )
}

function pack(queued: readonly Queued[], open: Map<string, Parcel>): Parcel[] {
  const parcels = [...open.values()]
  for (const one of queued) {
    const place = placeOf(one.watchId, one.sink, one.dueAt)
    let parcel = one.together ? open.get(place) : undefined
    if (!parcel || parcel.room === 0) {
      parcel = { id: null, room: MAX_TOGETHER, items: [] }
      parcels.push(parcel)
      if (one.together) open.set(place, parcel)
    }
    parcel.items.push(one)
    parcel.room--
  }
  return parcels
}

function placeOf(watchId: number, sink: string, dueAt: number): string {
  return `${watchId} ${sink} ${dueAt}`
}

function joinedRow({ id, items }: Parcel) {
  return { id, events: eventsOf(items), eventCount: items.length }
}

function addedRow({ items }: Parcel, n: number) {
  const [first] = items as [Queued]
  return { n, ...first, events: eventsOf(items), eventCount: items.length, createdAt: first.at }
}

function eventsOf(items: readonly Queued[]): string {
  return items.map(({ event }) => packEvent(event)).join(',')
}

interface OpenRow {
  readonly watch_id: number
  readonly sink: string
  readonly due_at: number
  readonly id: number
  readonly event_count: number
}

const PLACES = rowSet('watch_id int, sink text, due_at bigint', ['watch_id', 'sink', 'due_at'])
const JOINED = rowSet('id bigint, events text, event_count int', ['id'])
const ADDED =
  rowSet(`n int, watch_id int, sink text, events text, event_count int, together boolean, created_at bigint,
  due_at bigint`)
const OPEN = `select r.watch_id, r.sink, r.due_at, d.id, d.event_count from ${PLACES.from()}
  cross join lateral (select id, attempts, event_count from deliveries
    where watch_id = r.watch_id and sink = r.sink and due_at = r.due_at and together and died_at is null
    order by id desc limit 1) d
  where d.attempts = 0 and d.event_count < ${MAX_TOGETHER}`
const JOIN = `update deliveries d set events = d.events || ',' || r.events,
    event_count = d.event_count + r.event_count
  from ${JOINED.from()} where d.id = r.id and d.attempts = 0 and d.died_at is null returning d.id`
const QUEUE = `with added as (
    insert into deliveries (watch_id, sink, events, event_count, together, created_at, due_at)
    select r.watch_id, r.sink, r.events, r.event_count, r.together, r.created_at, r.due_at
    from ${ADDED.from()} join watches w on w.id = r.watch_id and w.name is not null order by r.n
    returning watch_id, sink, due_at)
  insert into delivery_queues as q (watch_id, sink, due_at)
  select watch_id, sink, min(due_at) from added group by watch_id, sink order by watch_id, sink
  on conflict (watch_id, sink) do update set due_at = least(q.due_at, excluded.due_at)`
