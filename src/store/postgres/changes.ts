import { randomUUID } from 'node:crypto'
import { NOBODY, STRENGTH, changeOf, type Changes, type Consumer } from '../changes.ts'
import { register, unregister } from './consumers.ts'
import type { ChangeMark } from '../plan/rows.ts'
import { MAX_POST_NUMBER } from '../../model/post.ts'
import { UNCOUNTED } from '../post-codec.ts'
import { LONGEST_LEASE_MS } from '../schedule-rules.ts'
import type { Database, Now, Queries } from './database.ts'
import { createLowWater, type LowWater } from './low-water.ts'
import { rowSet } from './row-set.ts'

const POSTS_A_STEP = 2_000

/** Writes the changes of a transaction, for each consumer. */
export function writeChanges(tx: Queries, marks: readonly ChangeMark[]): Promise<number> {
  const rows = marks.map((mark, place) => ({ ...mark, what: STRENGTH[mark.kind], place }))
  return tx.run(MARK, ...MARKS.values(rows))
}

export function createChanges(
  db: Database,
  now: Now,
  heads: LowWater = createLowWater(),
  shown: LowWater = createLowWater(),
): Changes {
  return {
    register: (consumer) => register(db, consumer, now),
    async noteRebuild(consumer, from, to) {
      await db.run(NOTE_REBUILD, consumer, from, to)
    },
    unregister: (consumer) => unregister(db, consumer),
    consumers: () => db.all<Consumer>(CONSUMERS, NOBODY, now()),

    async claim(consumer, { limit, ttlMs }) {
      const id = randomUUID()
      const first = heads.mark(consumer)
      const queries = first === 0 ? db.slow : db
      const rows = await queries.all<ChangeRow>(CLAIM, id, ttlMs, consumer, now(), limit, first)
      if (rows.length === 0) return undefined
      const inOrder = rows.toSorted((a, b) => a.seq - b.seq)
      heads.saw(consumer, inOrder[0]!.seq)
      const changes = inOrder.map(({ what, channel_id, number }) =>
        changeOf(what, { channelId: channel_id, number }),
      )
      return { id, consumer, changes }
    },
    renew: ({ id }, ttlMs) =>
      db.transaction(async (tx) => {
        const [, renewed] = await Promise.all([tx.run(HOLD, id), tx.run(RENEW, id, ttlMs, now())])
        return renewed > 0
      }),
    done: ({ id }) =>
      db.transaction(async (tx) => {
        await Promise.all([tx.run(HOLD, id), tx.run(DONE, id), tx.run(RELEASE, id)])
      }),
    async release({ id, consumer }) {
      await db.transaction((tx) => Promise.all([tx.run(HOLD, id), tx.run(RELEASE, id)]))
      heads.forget(consumer)
    },

    async pending(consumer, bound) {
      const first = shown.mark(consumer)
      const queries = first === 0 ? db.slow : db
      const values = [consumer, bound, first, NOBODY] as const
      const { count, head, behind: isBehind } = (await queries.get<PendingRow>(PENDING, ...values))!
      if (head) shown.saw(consumer, head.seq)
      return { count, since: head?.at ?? null, isBehind }
    },
    async expectRebuilds() {
      await db.run("update consumers set rebuild = 'due'")
    },
    async markForeign(channelId) {
      for (let from = 1; from <= MAX_POST_NUMBER;) {
        const step = await db.get<{ number: number }>(STEP, channelId, from, POSTS_A_STEP)
        const to = step?.number ?? MAX_POST_NUMBER
        await db.run(TOUCH_FOREIGN, channelId, from, to, now())
        from = to + 1
      }
    },
  }
}

interface PendingRow {
  readonly count: number
  readonly head: { readonly at: number; readonly seq: number } | null
  readonly behind: boolean
}

interface ChangeRow {
  readonly seq: number
  readonly channel_id: number
  readonly number: number
  readonly what: number
}

const MARKS = rowSet('channel_id int, number int, what smallint, at bigint, place int')
/** A change already waiting keeps its place and date; `moved` tells whoever has claimed it that it changed again. */
const ON_WAITING = `on conflict (consumer, channel_id, number)
  do update set what = greatest(c.what, excluded.what), moved = true`
// Rows are written in the same order everywhere, so that two writers never deadlock; `seq` keeps the order of the marks.
const MARK = `with marked as materialized (
    select k.id, r.*, nextval('change_seq') as seq
    from (select * from ${MARKS.from()} order by r.place) r cross join consumers k)
  insert into changes as c (consumer, channel_id, number, what, at, seq)
  select id, channel_id, number, what, at, seq from marked order by id, channel_id, number ${ON_WAITING}`
const ID = (value: string) => `(select id from consumers where name = ${value})`
const NOTE_REBUILD = 'update consumers set rebuild = $3 where name = $1 and rebuild = $2'
const CONSUMERS = `select name, clock_ms($2) - seen_at as "idleMs" from consumers where name <> $1 order by name`
// Changes claimed by a clock that was ahead count as free. The `seq`s are passed on as an array: for a limit given as a
// parameter the planner expects so many rows that it would read the whole queue instead of seeking these.
const CLAIM = `update changes c set claim = $1, claimed_until = clock_ms($4) + $2, moved = false
  where c.consumer = ${ID('$3')} and c.seq = any(array(select seq from changes
    where consumer = ${ID('$3')} and seq >= $6
      and (claimed_until <= clock_ms($4) or claimed_until > clock_ms($4) + ${LONGEST_LEASE_MS})
    order by seq limit $5 for update skip locked))
  returning c.seq, c.channel_id, c.number, c.what`
const RENEW = 'update changes set claimed_until = clock_ms($3) + $2 where claim = $1'
const HOLD =
  'select 1 from changes where claim = $1 order by consumer, channel_id, number for update'
const DONE = 'delete from changes where claim = $1 and not moved'
const RELEASE = 'update changes set claim = null, claimed_until = 0 where claim = $1'
// From each consumer's queue it reads up to `bound` rows and the head: no index has the queues of all consumers in one order.
const PENDING = `with own as (select id from consumers where name = $1),
  asked as materialized (select id from own union all select id from consumers where not exists (select from own))
  select (select count(*) from (select distinct c.channel_id, c.number from asked k cross join lateral (
      select channel_id, number from changes where consumer = k.id and seq >= $3 limit $2) c limit $2) w)::integer as count,
    (select json_build_object('at', c.at, 'seq', c.seq) from asked k cross join lateral (
      select at, seq from changes where consumer = k.id and seq >= $3 order by seq limit 1) c order by c.seq limit 1) as head,
    coalesce((select rebuild in ('due', 'begun') from consumers where name = $1),
      exists (select from consumers where name <> $4)) as behind`
const STEP = `select number from posts where channel_id = $1 and number >= $2 order by number limit 1 offset $3`
// A post that already waits to be read needs no new change: it will be read with the channel's language as it is then.
const TOUCH_FOREIGN = `insert into changes as c (consumer, channel_id, number, what, at)
  select k.id, p.channel_id, p.number, ${STRENGTH.post}, clock_ms($4)
  from (select channel_id, number from posts where channel_id = $1 and number between $2 and $3 and flags & ${UNCOUNTED} = 0
    and language is distinct from (select language from channels where id = $1)) p cross join consumers k
  order by k.id, p.channel_id, p.number
  on conflict (consumer, channel_id, number) do update set what = excluded.what, moved = true where c.what < excluded.what`
