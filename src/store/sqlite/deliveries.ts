import type { Clock } from '../../model/clock.ts'
import {
  FARTHEST_DELIVERY_MS,
  MAX_TOGETHER,
  type Deliveries,
  type DeliveryOverview,
  type Queued,
} from '../deliveries.ts'
import { packEvent, unpackDelivery, unpackLetter, type DeliveryRow } from '../watch-codec.ts'
import type { Database } from './database.ts'

/** Rows deleted in one transaction. */
const ROWS_A_STEP = 500

export function createDeliveries(db: Database, clock: Clock): Deliveries {
  const place = () => db.get<PlaceRow>('select * from watch_position')!

  function queue({ watchId, sink, event, at, dueAt, together }: Queued): void {
    const packed = packEvent(event)
    if (together && db.run(JOIN, `,${packed}`, watchId, sink, dueAt) > 0) return
    if (db.run(QUEUE, watchId, sink, packed, Number(together), at, dueAt, watchId) > 0)
      db.run(MAKE_DUE, watchId, sink, dueAt)
  }

  return {
    position: () => db.read(() => place().seq),
    advance: ({ from, to, revision, told, queued }) =>
      db.write(() => {
        const found = place()
        if (found.seq !== from || found.revision !== revision) return false
        db.run('update watch_position set seq = ?', to)
        for (const { watchId, channelId, number, story, at } of told)
          db.run(TOLD, watchId, channelId, number, story, at, watchId)
        for (const one of queued) queue(one)
        return true
      }),
    toldBy: (posts) =>
      db.read(() =>
        plain(db.all(TOLD_BY, JSON.stringify(posts.map((p) => [p.channelId, p.number])))),
      ),
    toldStories: (pairs) =>
      db.read(() =>
        plain(db.all(TOLD_STORIES, JSON.stringify(pairs.map((p) => [p.watchId, p.story])))),
      ),
    lastTold: (watchId, limit) => db.read(() => plain(db.all(LAST_TOLD, watchId, limit))),

    async lease(ttlMs) {
      const next = () => db.get<QueueRow>(NEXT, clock.now())
      return db.writeIf(next, () => {
        const found = next()
        const now = clock.now()
        if (!found) return undefined
        const heldUntil = now + ttlMs
        db.run(HOLD, heldUntil, found.watch_id, found.sink)
        const { failing_since: failingSince } = found
        const leased = db.get<DeliveryRow>(LEASE, now, found.watch_id, found.sink, failingSince)
        return leased && unpackDelivery(leased, { failingSince, heldUntil })
      })
    },
    settle: ({ id, attempt, heldUntil }, outcome) =>
      db.write(() => {
        const row = db.get<HeldRow>(HELD, id, attempt)
        if (!row) return false
        if (outcome.kind === 'sent') db.run('delete from deliveries where id = ?', id)
        else if (outcome.kind === 'dead') db.run(DIE, clock.now(), outcome.error, id)
        else if (outcome.kind === 'again') db.run(AGAIN, outcome.dueAt, outcome.error, id)
        const { watch_id, sink, failing_since: before } = row
        const failed = outcome.kind === 'back' ? before : (before ?? clock.now())
        const failingSince = outcome.kind === 'sent' ? null : failed
        db.run('delete from delivery_queues where watch_id = ? and sink = ?', watch_id, sink)
        const rest = outcome.kind === 'again' ? outcome.restUntil : 0
        const isOwn = row.held_until === heldUntil
        const until = isOwn ? rest : Math.max(row.held_until, rest)
        db.run(REOPEN, until, failingSince, watch_id, sink)
        return true
      }),

    overview: () => db.read(() => ({ ...db.get<DeliveryOverview>(OVERVIEW)! })),
    dead: (limit) => db.read(() => db.all<DeliveryRow>(DEAD, limit).map(unpackLetter)),
    resend: (watchId) =>
      db.write(() => {
        const count = db.run(RESEND, clock.now(), watchId)
        db.run(REQUEUE)
        return count
      }),
    async expire(before) {
      const inSteps = async (sql: string, ...values: readonly number[]) => {
        while ((await db.write(() => db.run(sql, ...values, ROWS_A_STEP))) === ROWS_A_STEP);
      }
      for (let watch = -1; ;) {
        const after = watch
        const next = await db.read(() => db.get<{ id: number | null }>(NEXT_TOLD, after)!.id)
        if (next === null) break
        await inSteps(EXPIRE_TOLD, next, before)
        watch = next
      }
      await inSteps(EXPIRE_DEAD, before)
      await db.write(() => db.run('delete from watches where removed_at < ?', before))
    },
  }
}

/** Rows from SQLite have no prototype; these copies do, so that they compare equal to plain objects. */
function plain<Row extends object>(rows: readonly Row[]): Row[] {
  return rows.map((row) => ({ ...row }))
}

interface PlaceRow {
  readonly seq: number | null
  readonly revision: number
}

type QueueRow = Pick<DeliveryRow, 'watch_id' | 'sink'> & { readonly failing_since: number | null }
type HeldRow = QueueRow & { readonly held_until: number }

const LIVES = 'from watches where id = ? and name is not null'
const TOLD = `insert or ignore into told (watch_id, channel_id, number, story, at) select ?, ?, ?, ?, ? ${LIVES}`
const QUEUE = `insert into deliveries (watch_id, sink, events, event_count, together, created_at, due_at)
  select ?, ?, ?, 1, ?, ?, ? ${LIVES}`
const JOIN = `update deliveries set events = events || ?, event_count = event_count + 1
  where id = (select max(id) from deliveries
    where watch_id = ? and sink = ? and due_at = ? and together = 1 and died_at is null)
  and attempts = 0 and event_count < ${MAX_TOGETHER}`
const TOLD_BY = `select t.watch_id as watchId, t.channel_id as channelId, t.number
  from json_each(?) j join told t on t.channel_id = j.value ->> 0 and t.number = j.value ->> 1`
const TOLD_STORIES = `select distinct t.watch_id as watchId, t.story
  from json_each(?) j join told t on t.watch_id = j.value ->> 0 and t.story = j.value ->> 1`
const LAST_TOLD = `select channel_id as channelId, number, at from told where watch_id = ?
  order by at desc, channel_id desc, number desc limit ?`
const MAKE_DUE = `insert into delivery_queues (watch_id, sink, due_at) values (?, ?, ?)
  on conflict do update set due_at = min(due_at, excluded.due_at)`
const isReached = (at: string) => `(${at} <= ?1 or ${at} > ?1 + ${FARTHEST_DELIVERY_MS})`
const NEXT = `select watch_id, sink, failing_since from delivery_queues where ${isReached('due_at')} and ${isReached('held_until')}
  order by due_at, watch_id, sink limit 1`
const HOLD = 'update delivery_queues set held_until = ? where watch_id = ? and sink = ?'
const LEASE = `update deliveries set attempts = attempts + 1,
    tried_since = min(coalesce(tried_since, max(due_at, ?4), ?1), ?1)
  where id = (select id from deliveries where watch_id = ?2 and sink = ?3 and died_at is null
    order by due_at, id limit 1)
  returning *`
const HELD = `select watch_id, sink, coalesce(q.held_until, 0) as held_until, q.failing_since
  from deliveries d left join delivery_queues q using (watch_id, sink)
  where d.id = ? and d.attempts = ? and d.died_at is null`
const DIE = 'update deliveries set died_at = ?, error = ? where id = ?'
const AGAIN = 'update deliveries set due_at = ?, error = ? where id = ?'
const REOPEN = `insert into delivery_queues (watch_id, sink, due_at, held_until, failing_since)
  select watch_id, sink, min(due_at), ?, ? from deliveries
  where watch_id = ? and sink = ? and died_at is null group by watch_id, sink`
const REQUEUE = `insert into delivery_queues (watch_id, sink, due_at)
  select watch_id, sink, min(due_at) from deliveries where died_at is null group by watch_id, sink
  on conflict do update set due_at = excluded.due_at`
const OVERVIEW = `select (select count(*) from deliveries where died_at is null) as pending,
  (select count(*) from deliveries where died_at is not null) as dead`
const DEAD = 'select * from deliveries where died_at is not null order by died_at, id limit ?'
const RESEND = `update deliveries set died_at = null, due_at = ?1, tried_since = null
  where died_at is not null and watch_id = coalesce(?2, watch_id)`
const NEXT_TOLD = 'select min(watch_id) as id from told where watch_id > ?'
const EXPIRE_TOLD = `delete from told where (watch_id, channel_id, number) in
  (select watch_id, channel_id, number from told where watch_id = ? and at < ? order by at limit ?)`
const EXPIRE_DEAD = `delete from deliveries where id in
  (select id from deliveries where died_at is not null and died_at < ? order by died_at limit ?)`
