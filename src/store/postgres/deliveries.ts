import { FARTHEST_DELIVERY_MS, type Deliveries, type DeliveryOverview } from '../deliveries.ts'
import { unpackDelivery, unpackLetter, type DeliveryRow } from '../watch-codec.ts'
import type { Database, Now, Queries } from './database.ts'
import { queueDeliveries } from './queue-deliveries.ts'
import { rowSet } from './row-set.ts'

const FORGOTTEN_AT_ONCE = 5_000

export function createDeliveries(db: Database, now: Now): Deliveries {
  return {
    position: async () => (await db.get<PlaceRow>(POSITION))?.seq ?? null,
    advance: ({ from, to, revision, told, queued }) =>
      db.transaction(async (tx) => {
        const found = await holdPlace(tx)
        if (found.seq !== from || found.revision !== revision) return false
        await tx.run('update watch_position set seq = $1', to)
        await tx.run(TELL, ...TOLD.values(told))
        await queueDeliveries(tx, queued)
        return true
      }),
    toldBy: (posts) =>
      db.all(TOLD_BY, ...PAIRS.values(posts.map((p) => pair(p.channelId, p.number)))),
    toldStories: (pairs) =>
      db.all(TOLD_STORIES, ...PAIRS.values(pairs.map((p) => pair(p.watchId, p.story)))),
    lastTold: (watchId, limit) => db.all(LAST_TOLD, watchId, limit),

    async lease(ttlMs) {
      // Called several times a second, mostly in vain: a plain read first.
      if (!(await db.get<QueueRow>(NEXT, now()))) return undefined
      return db.transaction(async (tx) => {
        const found = await tx.get<QueueRow>(`${NEXT} for update skip locked`, now())
        if (!found) return undefined
        const { watch_id, sink, failing_since: failingSince } = found
        const [held, leased] = await Promise.all([
          tx.get<Held>(HOLD, watch_id, sink, ttlMs, now()),
          tx.get<DeliveryRow>(LEASE, watch_id, sink, now(), failingSince),
        ])
        return leased && unpackDelivery(leased, { failingSince, heldUntil: held!.until })
      })
    },
    settle: ({ id, attempt, heldUntil }, outcome) =>
      db.transaction(async (tx) => {
        const found = await tx.get<Pick<DeliveryRow, 'watch_id' | 'sink'>>(HELD, id, attempt)
        if (!found) return false
        if (outcome.kind === 'sent') await tx.run('delete from deliveries where id = $1', id)
        else if (outcome.kind === 'dead') await tx.run(DIE, id, outcome.error, now())
        else if (outcome.kind === 'again') await tx.run(AGAIN, id, outcome.dueAt, outcome.error)
        const { watch_id, sink } = found
        const rest = outcome.kind === 'again' ? outcome.restUntil : 0
        const closed = await tx.get<Held & Failing>(CLOSE, watch_id, sink)
        const until = closed?.until ?? 0
        const held = until === heldUntil ? rest : Math.max(until, rest)
        const before = closed?.failing_since ?? null
        await tx.run(REOPEN, watch_id, sink, held, outcome.kind, before, now())
        return true
      }),

    async overview() {
      return (await db.get<DeliveryOverview>(OVERVIEW))!
    },
    async dead(limit) {
      return (await db.all<DeliveryRow>(DEAD, limit)).map(unpackLetter)
    },
    resend: (watchId) =>
      db.transaction(async (tx) => {
        await holdPlace(tx)
        const count = await tx.run(RESEND, watchId, now())
        await tx.run(REQUEUE)
        return count
      }),
    async expire(before) {
      for (const forget of [FORGET_TOLD, FORGET_DEAD])
        while ((await db.run(forget, before, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE);
      await db.slow.run('delete from watches where removed_at < $1', before)
    },
  }
}

/** Locks the position until the end of the transaction: one at a time moves it or changes watches. */
export async function holdPlace(tx: Queries): Promise<PlaceRow> {
  await tx.run('insert into watch_position values (1, null, 0) on conflict do nothing')
  return (await tx.get<PlaceRow>(`${POSITION} for update`))!
}

interface PlaceRow {
  readonly seq: number | null
  readonly revision: number
}

type QueueRow = Pick<DeliveryRow, 'watch_id' | 'sink'> & Failing
interface Failing {
  readonly failing_since: number | null
}
interface Held {
  readonly until: number
}

function pair(one: number, other: number) {
  return { one, other }
}

const POSITION = 'select seq, revision from watch_position'
const PAIRS = rowSet('one int, other bigint')
const TOLD = rowSet('watch_id int, channel_id int, number int, story bigint, at bigint')
const DELIVERY = 'id, watch_id, sink, events, created_at, attempts, tried_since, died_at, error'
const TELL = `insert into told (${TOLD.columns})
  select r.* from ${TOLD.from()} join watches w on w.id = r.watch_id and w.name is not null
  on conflict do nothing`
const FORGET_TOLD = `delete from told where ctid = any(array(
  select ctid from told where at < $1 order by at limit $2 for update))`
const FORGET_DEAD = `delete from deliveries where ctid = any(array(
  select ctid from deliveries where died_at < $1 order by died_at limit $2 for update))`
const TOLD_BY = `select t.watch_id as "watchId", t.channel_id as "channelId", t.number
  from ${PAIRS.from()} join told t on t.channel_id = r.one and t.number = r.other`
const TOLD_STORIES = `select distinct t.watch_id as "watchId", t.story
  from ${PAIRS.from()} join told t on t.watch_id = r.one and t.story = r.other`
const LAST_TOLD = `select channel_id as "channelId", number, at from told where watch_id = $1
  order by at desc, channel_id desc, number desc limit $2`
const isReached = (at: string) =>
  `(${at} <= clock_ms($1) or ${at} > clock_ms($1) + ${FARTHEST_DELIVERY_MS})`
const NEXT = `select watch_id, sink, failing_since from delivery_queues
  where ${isReached('due_at')} and ${isReached('held_until')}
  order by due_at, watch_id, sink limit 1`
const HOLD = `update delivery_queues set held_until = clock_ms($4) + $3 where watch_id = $1 and sink = $2
  returning held_until as until`
const LEASE = `update deliveries set attempts = attempts + 1, tried_since = least(clock_ms($3),
    coalesce(tried_since, case when $4::bigint is not null then greatest(due_at, $4) end))
  where id = (select id from deliveries where watch_id = $1 and sink = $2 and died_at is null
    order by due_at, id limit 1)
  returning ${DELIVERY}`
const HELD = `select watch_id, sink from deliveries where id = $1 and attempts = $2 and died_at is null for update`
const DIE = 'update deliveries set died_at = clock_ms($3), error = $2 where id = $1'
const AGAIN = 'update deliveries set due_at = $2, error = $3 where id = $1'
const CLOSE = `delete from delivery_queues where watch_id = $1 and sink = $2
  returning held_until as until, failing_since`
const REOPEN = `insert into delivery_queues (watch_id, sink, due_at, held_until, failing_since)
  select watch_id, sink, min(due_at), $3,
    case $4 when 'sent' then null when 'back' then $5::bigint else coalesce($5, clock_ms($6)) end
  from deliveries
  where watch_id = $1 and sink = $2 and died_at is null group by watch_id, sink`
const REQUEUE = `insert into delivery_queues as q (watch_id, sink, due_at)
  select watch_id, sink, min(due_at) from deliveries where died_at is null group by watch_id, sink
  on conflict (watch_id, sink) do update set due_at = excluded.due_at`
const OVERVIEW = `select (select count(*) from deliveries where died_at is null)::integer as pending,
  (select count(*) from deliveries where died_at is not null)::integer as dead`
const DEAD = `select ${DELIVERY} from deliveries where died_at is not null order by died_at, id limit $1`
const RESEND = `update deliveries set died_at = null, due_at = clock_ms($2), tried_since = null
  where died_at is not null and watch_id = coalesce($1, watch_id)`
