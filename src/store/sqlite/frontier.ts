import type { Clock } from '../../model/clock.ts'
import type { Frontier, Gap, LeasedVisit } from '../frontier.ts'
import { isDeadHere } from '../owner.ts'
import { createVisitWrites } from '../plan/visit.ts'
import {
  unpackGap,
  unpackSchedule,
  type StoredGap,
  type StoredSchedule,
} from '../schedule-codec.ts'
import type { Retention } from '../retention.ts'
import { FARTHEST_PLAN_MS } from '../schedule-rules.ts'
import { createCandidates } from './candidates.ts'
import { channelById } from './channel-rows.ts'
import type { Database } from './database.ts'
import { eraseAll } from './eraser.ts'
import { createOverview } from './overview.ts'
import { createSample } from './sample.ts'
import { ADD_GAP, makeDue, scheduleRow } from './schedule-rows.ts'
import { createRun } from './write.ts'

export function createFrontier(db: Database, retention: Retention, clock: Clock): Frontier {
  return {
    ...createCandidates(db),
    ...createVisitWrites(createRun(db), (ids) => eraseAll(db, ids, retention), retention),

    async lease({ owner, limit, ttlMs, eager }) {
      const now = clock.now()
      const far = now + FARTHEST_PLAN_MS
      const first = () =>
        db.get(DUE, now, now, 1) ??
        db.get(FAR, far, now, 1) ??
        (eager ? db.get(EARLY, now, now, now, 1) : undefined)
      const leased = await db.writeIf(first, () => {
        const due = db.all<StoredSchedule>(DUE, now, now, limit)
        due.push(...db.all<StoredSchedule>(FAR, far, now, limit - due.length))
        const room = limit - due.length
        const early = eager && room > 0 ? db.all<StoredSchedule>(EARLY, now, now, now, room) : []
        return [...due, ...early].map((row) => grant(db, row, owner, now + ttlMs))
      })
      return leased ?? []
    },
    renewAll: (leases, ttlMs) =>
      db.write(() => {
        const until = clock.now() + ttlMs
        return leases.flatMap((lease) => {
          const isHeld = db.run(RENEW, until, lease.channelId, lease.owner, lease.token) > 0
          return isHeld ? [{ ...lease, until }] : []
        })
      }),
    release: (lease) =>
      db.write(() => void db.run(RELEASE, lease.channelId, lease.owner, lease.token)),
    releaseDead: (self) =>
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
    makeDue: (channelId, at) => db.write(() => makeDue(db, channelId, at)),
    addDemand: (demand) =>
      db.write(() => {
        const inOrder = demand.toSorted((a, b) => a.channelId - b.channelId)
        for (const { channelId, amount } of inOrder) db.run(DEMAND, amount, channelId)
      }),
    sample: createSample(db),

    addGap: (gap) =>
      db.write(() => {
        const { channelId, kind, before, downTo, until } = gap
        const same = db.get(SAME_GAP, channelId, kind, before, downTo, until)
        if (!same) db.run(ADD_GAP, channelId, kind, before, downTo, until, null)
      }),
    gaps: (...channelIds) => db.read(() => gapsOf(db, channelIds)),
    overview: createOverview(db),
  }
}

function grant(db: Database, row: StoredSchedule, owner: string, until: number): LeasedVisit {
  const channelId = row.channel_id
  const token = row.lease_token + 1
  db.run(GRANT, owner, token, until, channelId)
  db.run('update gaps set lease_token = ? where channel_id = ?', token, channelId)
  return {
    lease: { channelId, owner, token, until },
    channel: channelById(db, channelId)!,
    schedule: unpackSchedule(row),
    gaps: gapsOf(db, [channelId]),
  }
}

function gapsOf(db: Database, channelIds: readonly number[]): Gap[] {
  return db.all<StoredGap>(GAPS, JSON.stringify(channelIds)).map(unpackGap)
}

const FREE = '(lease_owner is null or lease_until <= ?)'
const DUE = `select * from schedules where next_visit_at <= ? and ${FREE} order by next_visit_at, channel_id limit ?`
const FAR = `select * from schedules where next_visit_at > ? and ${FREE} order by next_visit_at, channel_id limit ?`
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
const SAME_GAP = `select 1 from gaps
  where channel_id = ? and kind = ? and before_number = ? and down_to = ? and until is ? and lease_token is null`
const GAPS = `select * from gaps where channel_id in (select value from json_each(?))
  order by channel_id, before_number desc, id`
