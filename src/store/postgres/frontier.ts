import type { Frontier, LeasedVisit } from '../frontier.ts'
import { dueRow } from '../plan/new-rows.ts'
import { createVisitWrites } from '../plan/visit.ts'
import {
  unpackGap,
  unpackSampled,
  unpackSchedule,
  type SampledSchedule,
  type StoredGap,
  type StoredSchedule,
} from '../schedule-codec.ts'
import type { Retention } from '../retention.ts'
import { FARTHEST_PLAN_MS } from '../schedule-rules.ts'
import { createCandidates } from './candidates.ts'
import { channelsById, isId } from './channel-rows.ts'
import type { Database, Now } from './database.ts'
import { eraseAll } from './eraser.ts'
import { createOverview } from './overview.ts'
import { rowSet } from './row-set.ts'
import { GAP, SCHEDULES, saveSchedules } from './schedule-rows.ts'
import { createRun } from './write.ts'

/** Up to this many schedules are shuffled; of more, random ids are drawn and the next schedule after each is looked up. */
const SHUFFLED = 10_000

export function createFrontier(db: Database, retention: Retention, now: Now): Frontier {
  return {
    ...createCandidates(db),
    ...createVisitWrites(createRun(db), (ids) => eraseAll(db, ids, retention), retention),

    async lease({ owner, limit, ttlMs, eager }) {
      const rows = await db.all<GrantedRow>(LEASE, owner, limit, ttlMs, eager, now())
      const ids = rows.map((row) => row.channel_id)
      const channels = await channelsById(db, ids)
      const byId = new Map(channels.map((channel) => [channel.id, channel]))
      return rows.toSorted(byPlace).flatMap((row): LeasedVisit[] => {
        const channel = byId.get(row.channel_id)
        if (!channel) return []
        const { channel_id: channelId, lease_token: token, lease_until: until } = row
        const gaps = (row.gaps ?? []).map(unpackGap)
        const lease = { channelId, owner, token, until }
        return [{ lease, channel, schedule: unpackSchedule(row), gaps }]
      })
    },
    async renewAll(leases, ttlMs) {
      const rows = await db.all<RenewedRow>(RENEW, ttlMs, now(), ...LEASES.values(leases))
      const held = new Map(rows.map((row) => [`${row.channel_id} ${row.token}`, row.until]))
      return leases.flatMap((lease) => {
        const until = held.get(`${lease.channelId} ${lease.token}`)
        return until === undefined ? [] : [{ ...lease, until }]
      })
    },
    async release({ channelId, owner, token }) {
      await db.run(RELEASE, channelId, owner, token)
    },

    async schedule(channelId) {
      if (!isId(channelId)) return undefined
      const row = await db.get<StoredSchedule>(SCHEDULE, channelId)
      return row && unpackSchedule(row)
    },
    async makeDue(channelId, at) {
      if ((await db.run(MAKE_DUE, at, channelId)) > 0) return
      await db.transaction(async (tx) => {
        await tx.run('select 1 from channels where id = $1 for update', channelId)
        // Channels are visited by name: one that has lost its last name to another cannot be visited.
        const named = await tx.get(ANY_NAME, channelId)
        // Another process may have scheduled it meanwhile.
        const isScheduled = named && (await tx.run(MAKE_DUE, at, channelId)) > 0
        if (named && !isScheduled) await saveSchedules(tx, [dueRow(undefined, channelId, at)])
      })
    },
    async addDemand(demand) {
      const sums = new Map<number, number>()
      for (const { channelId, amount } of demand) {
        if (isId(channelId)) sums.set(channelId, (sums.get(channelId) ?? 0) + amount)
      }
      if (sums.size === 0) return
      const rows = [...sums].map(([channelId, amount]) => ({ channelId, amount }))
      await db.transaction(async (tx) => {
        await Promise.all([tx.run(HOLD, [...sums.keys()]), tx.run(DEMAND, ...DEMANDS.values(rows))])
      })
    },
    async sample(limit) {
      const { total, last } = (await db.get<{ total: number; last: number }>(TOTAL))!
      const sql = total <= SHUFFLED ? SHUFFLE : PROBE
      const rows = await db.all<SampledSchedule>(sql, limit, ...(total <= SHUFFLED ? [] : [last]))
      return { total, schedules: rows.map(unpackSampled) }
    },

    async addGap({ channelId, kind, before, downTo, until }) {
      await db.run(ADD_GAP, channelId, kind, before, downTo, until)
    },
    async gaps(...channelIds) {
      const ids = channelIds.filter(isId)
      return (await db.all<StoredGap>(GAPS, ids)).map(unpackGap)
    },
    overview: createOverview(db),
  }
}

interface GrantedRow extends StoredSchedule {
  readonly is_early: boolean
  readonly gaps: readonly StoredGap[] | null
}

interface RenewedRow {
  readonly channel_id: number
  readonly token: number
  readonly until: number
}

/** Due channels before early ones, the longest overdue first. */
function byPlace(a: GrantedRow, b: GrantedRow): number {
  const at = (row: GrantedRow) => (row.is_early ? row.earliest_visit_at : row.next_visit_at)
  return Number(a.is_early) - Number(b.is_early) || at(a) - at(b) || a.channel_id - b.channel_id
}

const LEASES = rowSet('channel_id int, owner text, token int', ['channel_id', 'token'])
const DEMANDS = rowSet('channel_id int, amount float8')

// Channels that others are leasing or settling are skipped. New demand is handed to the policy. Ids are passed on as an array:
// for a limit given as a parameter the planner expects so many rows that it would read all schedules instead of seeking these.
const LEASE = `with due as materialized (select channel_id from schedules
    where due_at <= clock_ms($5) order by due_at, next_visit_at, channel_id limit $2 for update skip locked),
  far as materialized (select channel_id from schedules
    where due_at > clock_ms($5) + ${FARTHEST_PLAN_MS} and (lease_owner is null or lease_until <= clock_ms($5))
    order by due_at, next_visit_at, channel_id limit $2 - (select count(*) from due) for update skip locked),
  early as materialized (select channel_id from schedules
    where $4 and early_at <= clock_ms($5) and due_at > clock_ms($5) and due_at <= clock_ms($5) + ${FARTHEST_PLAN_MS}
    order by early_at, earliest_visit_at, channel_id
    limit $2 - (select count(*) from due) - (select count(*) from far) for update skip locked),
  granted as (update schedules s set lease_owner = $1, lease_token = s.lease_token + 1,
      lease_until = clock_ms($5) + $3, demand = s.demand + s.fresh_demand, fresh_demand = 0, hastened_at = null
    where s.channel_id = any(array(select channel_id from due union all select channel_id from far
      union all select channel_id from early))
    returning ${SCHEDULES.of('s')}),
  told as (update gaps g set lease_token = s.lease_token from granted s where g.channel_id = s.channel_id returning g.*)
  select ${SCHEDULES.of('s')}, s.channel_id in (select channel_id from early) as is_early,
    (select json_agg(g order by g.before_number desc, g.id) from told g where g.channel_id = s.channel_id) as gaps
  from granted s`
const RENEW = `update schedules s set lease_until = clock_ms($2) + $1 from ${LEASES.from(3)}
  where s.channel_id = r.channel_id and s.lease_owner = r.owner and s.lease_token = r.token
  returning s.channel_id, s.lease_token as token, s.lease_until as until`
const RELEASE = `update schedules set lease_owner = null, lease_until = 0
  where channel_id = $1 and lease_owner = $2 and lease_token = $3`
const SCHEDULE = `select ${SCHEDULES.columns} from schedules where channel_id = $1`
const MAKE_DUE = `update schedules set next_visit_at = least(next_visit_at, $1),
  earliest_visit_at = least(earliest_visit_at, $1), hastened_at = least(hastened_at, $1) where channel_id = $2`
const ANY_NAME = 'select 1 from channel_names where channel_id = $1 limit 1'
const HOLD =
  'select 1 from schedules where channel_id = any($1::int[]) order by channel_id for update'
const DEMAND = `update schedules s set fresh_demand = s.fresh_demand + r.amount from ${DEMANDS.from()}
  where s.channel_id = r.channel_id`
const TOTAL = `select count(*)::integer as total, coalesce(max(channel_id), 0) as last from schedules`
const SAMPLED = `select ${SCHEDULES.of('s')}, c.subscribers from drawn join schedules s on s.channel_id = drawn.id
  join channels c on c.id = drawn.id`
const SHUFFLE = `with drawn as (select channel_id as id from schedules order by random() limit $1) ${SAMPLED}`
const PROBE = `with drawn as materialized (select distinct s.channel_id as id
    from (select 1 + floor(random() * $2)::int as probe from generate_series(1, $1)) p
    cross join lateral (select channel_id from schedules where channel_id >= p.probe order by channel_id limit 1) s)
  ${SAMPLED}`
const ADD_GAP = `insert into gaps (channel_id, kind, before_number, down_to, until)
  select $1, $2, $3, $4, $5 where not exists (select 1 from gaps where channel_id = $1 and kind = $2
    and before_number = $3 and down_to = $4 and until is not distinct from $5 and lease_token is null)`
const GAPS = `select ${GAP} from gaps where channel_id = any($1::int[]) order by channel_id, before_number desc, id`
