import type { Clock } from '../../model/clock.ts'
import { NOTHING_WRITTEN } from '../archive.ts'
import type { Frontier, Gap, Lease, LeasedVisit, VisitResult } from '../frontier.ts'
import { isDeadHere } from '../owner.ts'
import type { Retention } from '../store.ts'
import { createCandidates } from './candidates.ts'
import { channelById } from './channel-rows.ts'
import type { Database } from './database.ts'
import { eraseAll } from './eraser.ts'
import { frontierOverview } from './overview.ts'
import { recordReading, type Recorded } from './record.ts'
import {
  hasten,
  saveSchedule,
  scheduleRow,
  unpackSchedule,
  type ScheduleRow,
} from './schedule-rows.ts'
import { voidImpossiblePlans } from './void-plans.ts'

export function createFrontier(db: Database, retention: Retention, clock: Clock): Frontier {
  const writeHeld = async (lease: Lease, work: () => Recorded) => {
    const written = await db.write(() => (isHeld(db, lease) ? work() : undefined))
    if (!written) return 'stale'
    await eraseAll(db, written.erased, retention)
    return written.result
  }
  return {
    ...createCandidates(db),

    async lease({ owner, limit, ttlMs, eager }) {
      const now = clock.now()
      const first = () =>
        db.get(DUE, now, now, 1) ?? (eager ? db.get(EARLY, now, now, now, 1) : undefined)
      // Asked for every second, mostly in vain: only those who find some wait for whoever is writing.
      if (!(await db.read(first))) return []
      return db.write(() => {
        const due = db.all<ScheduleRow>(DUE, now, now, limit)
        const room = limit - due.length
        const early = eager && room > 0 ? db.all<ScheduleRow>(EARLY, now, now, now, room) : []
        return [...due, ...early].map((row) => grant(db, row, owner, now + ttlMs))
      })
    },
    renewAll: (leases, ttlMs) =>
      db.write(() => {
        const until = clock.now() + ttlMs
        return leases.flatMap((lease) => {
          const isHeld = db.run(RENEW, until, lease.channelId, lease.owner, lease.token) > 0
          return isHeld ? [{ ...lease, until }] : []
        })
      }),
    settle: (lease, result) => writeHeld(lease, () => settle(db, lease, result, retention)),
    checkpoint: (lease, { reading, gaps }) =>
      writeHeld(lease, () => {
        const recorded = recordReading(db, reading, retention)
        if (recorded.channelId === lease.channelId) {
          replaceGaps(db, lease.channelId, lease.token, gaps)
        }
        return recorded
      }),
    release: (lease) =>
      db.write(() => {
        db.run(RELEASE, lease.channelId, lease.owner, lease.token)
      }),
    voidDead: (self) =>
      db.write(() =>
        db
          .all<{ owner: string }>(OWNERS)
          .filter(({ owner }) => isDeadHere(owner, self))
          .reduce((freed, { owner }) => freed + db.run(VOID, owner), 0),
      ),

    schedule: (channelId) =>
      db.read(() => {
        const row = scheduleRow(db, channelId)
        return row && unpackSchedule(row)
      }),
    hasten: (channelId, at) =>
      db.write(() => {
        hasten(db, channelId, at)
      }),
    voidImpossiblePlans: (now) => voidImpossiblePlans(db, now),
    addDemand: (demand) =>
      db.write(() => {
        const inOrder = demand.toSorted((a, b) => a.channelId - b.channelId)
        for (const { channelId, amount } of inOrder) db.run(DEMAND, amount, channelId)
      }),
    sample: (limit) =>
      db.read(() => {
        const total = db.get<{ total: number }>('select count(*) as total from schedules')!.total
        const rows = db.all<ScheduleRow & { subscribers: number }>(SAMPLE, limit)
        const schedules = rows.map((row) => ({
          ...unpackSchedule(row),
          subscribers: row.subscribers < 0 ? null : row.subscribers,
        }))
        return { total, schedules }
      }),

    addGap: (gap) =>
      db.write(() => {
        const { channelId, kind, before, downTo, until } = gap
        const same = db.get(SAME_GAP, channelId, kind, before, downTo, until)
        if (!same) db.run(ADD_GAP, channelId, kind, before, downTo, until, null)
      }),
    gaps: (channelId) => db.read(() => gapsOf(db, channelId)),
    overview: (now) => db.read(() => frontierOverview(db, now)),
  }
}

function grant(db: Database, row: ScheduleRow, owner: string, until: number): LeasedVisit {
  const channelId = row.channel_id
  const token = row.lease_token + 1
  db.run(GRANT, owner, token, until, channelId)
  db.run('update gaps set lease_token = ? where channel_id = ?', token, channelId)
  return {
    lease: { channelId, owner, token, until },
    channel: channelById(db, channelId)!,
    schedule: unpackSchedule(row),
    gaps: gapsOf(db, channelId),
  }
}

/** A lease that ran out is still good while nobody else took the channel: its work would only be done twice. */
function isHeld(db: Database, lease: Lease): boolean {
  const row = scheduleRow(db, lease.channelId)
  return row?.lease_owner === lease.owner && row.lease_token === lease.token
}

function settle(db: Database, lease: Lease, result: VisitResult, retention: Retention): Recorded {
  const { reading, schedule } = result
  const recorded = reading && recordReading(db, reading, retention)
  const written = recorded?.result ?? NOTHING_WRITTEN
  db.run(RELEASE, lease.channelId, lease.owner, lease.token)
  // The page may have shown another channel than the one leased: what follows belongs to that one.
  const channelId = recorded ? recorded.channelId : lease.channelId
  const row = channelId === undefined ? undefined : scheduleRow(db, channelId)
  if (channelId !== undefined && row) {
    const isOwn = channelId === lease.channelId || row.newest_number === null
    if (!isOwn) {
      // That one was read before and its cursor knows better; it is only visited sooner.
      hasten(db, channelId, reading!.at)
    } else {
      saveSchedule(db, row, schedule)
      db.run(SET_VISITED, schedule.lastVisitAt, channelId)
      db.run(SET_STATUS, result.status, result.reason, channelId)
      // A start that is too old to be kept leaves the channel as incomplete as one that was pruned.
      if (result.reachedStart && written.tooOld === 0) db.run(REACH_START, channelId)
      replaceGaps(db, channelId, lease.token, result.gaps)
    }
  }
  return { result: written, channelId, erased: recorded?.erased ?? [] }
}

/** Gaps the lease's holder never saw, added since, stay. */
function replaceGaps(
  db: Database,
  channelId: number,
  token: number,
  gaps: VisitResult['gaps'],
): void {
  db.run('delete from gaps where channel_id = ? and lease_token = ?', channelId, token)
  for (const { kind, before, downTo, until } of gaps) {
    db.run(ADD_GAP, channelId, kind, before, downTo, until, token)
  }
}

function gapsOf(db: Database, channelId: number): Gap[] {
  return db.all<GapRow>(GAPS, channelId).map((row) => ({
    id: row.id,
    channelId: row.channel_id,
    kind: row.kind,
    before: row.before_number,
    downTo: row.down_to,
    until: row.until,
  }))
}

interface GapRow {
  readonly id: number
  readonly channel_id: number
  readonly kind: Gap['kind']
  readonly before_number: number
  readonly down_to: number
  readonly until: number | null
}

const FREE = '(lease_owner is null or lease_until <= ?)'
const DUE = `select * from schedules where next_visit_at <= ? and ${FREE} order by next_visit_at, channel_id limit ?`
const EARLY = `select * from schedules where earliest_visit_at <= ? and next_visit_at > ? and ${FREE}
  order by earliest_visit_at, channel_id limit ?`
const GRANT = `update schedules set lease_owner = ?, lease_token = ?, lease_until = ?,
  demand = demand + fresh_demand, fresh_demand = 0, hastened_at = null where channel_id = ?`
const HELD = 'channel_id = ? and lease_owner = ? and lease_token = ?'
const RENEW = `update schedules set lease_until = ? where ${HELD}`
const RELEASE = `update schedules set lease_owner = null, lease_until = 0 where ${HELD}`
const OWNERS = `select distinct lease_owner as owner from schedules where lease_owner is not null order by 1`
const VOID = 'update schedules set lease_owner = null, lease_until = 0 where lease_owner = ?'
const DEMAND = 'update schedules set fresh_demand = fresh_demand + ? where channel_id = ?'
// Drawn by number alone: with its columns and its channel, each of the undrawn would cost as much as the drawn.
const SAMPLE = `select s.*, c.subscribers
  from (select channel_id as id from schedules order by random() limit ?) drawn
  join schedules s on s.channel_id = drawn.id join channels c on c.id = drawn.id`
const SET_VISITED = `update channels set last_visited_at = ?1
  where id = ?2 and (last_visited_at is null or last_visited_at < ?1)`
const SET_STATUS = `update channels set status = ?1, reason = ?2
  where id = ?3 and (status is not ?1 or reason is not ?2)`
const REACH_START = 'update channels set reached_start = 1 where id = ? and reached_start = 0'
const ADD_GAP = `insert into gaps (channel_id, kind, before_number, down_to, until, lease_token)
  values (?, ?, ?, ?, ?, ?)`
const SAME_GAP = `select 1 from gaps
  where channel_id = ? and kind = ? and before_number = ? and down_to = ? and until is ? and lease_token is null`
const GAPS = 'select * from gaps where channel_id = ? order by before_number desc, id'
