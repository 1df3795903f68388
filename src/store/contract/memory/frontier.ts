import type { Clock } from '../../../model/clock.ts'
import type { Frontier, Gap, Lease, LeasedVisit } from '../../frontier.ts'
import { isDeadHere } from '../../owner.ts'
import { eraseInSteps } from '../../plan/erasure.ts'
import type { RunPlan } from '../../plan/run-plan.ts'
import { createVisitWrites } from '../../plan/visit.ts'
import { LONGEST_LEASE_MS, isMisplanned, replanned } from '../../schedule-rules.ts'
import type { Retention } from '../../retention.ts'
import { createCandidates } from './candidates.ts'
import { frontierOverview } from './overview.ts'
import {
  firstSchedule,
  nextId,
  ownNames,
  viewChannel,
  type KeptGap,
  type KeptSchedule,
  type MemoryState,
} from './state.ts'

export function createFrontier(
  state: MemoryState,
  { run, retention, clock }: { run: RunPlan; retention: Retention; clock: Clock },
): Frontier {
  const isFree = ({ owner, until }: KeptSchedule, now: number) => owner === null || until <= now
  const held = (lease: Lease) => {
    const kept = state.schedules.get(lease.channelId)
    return kept?.owner === lease.owner && kept.token === lease.token ? kept : undefined
  }
  const gapsOf = (...channelIds: readonly number[]): Gap[] =>
    state.gaps
      .filter((gap) => channelIds.includes(gap.channelId))
      .toSorted((a, b) => a.channelId - b.channelId || b.before - a.before || a.id - b.id)
      .map(({ leaseToken: _token, ...gap }) => gap)
  const grant = (channelId: number, owner: string, until: number): LeasedVisit => {
    const kept = state.schedules.get(channelId)!
    const schedule = { ...kept.schedule, demand: kept.schedule.demand + kept.fresh }
    Object.assign(kept, {
      schedule,
      fresh: 0,
      madeDueAt: Infinity,
      owner,
      until,
      token: kept.token + 1,
    })
    for (const gap of state.gaps) if (gap.channelId === channelId) gap.leaseToken = kept.token
    return {
      lease: { channelId, owner, token: kept.token, until },
      channel: viewChannel(state, state.channels.get(channelId)!),
      schedule,
      gaps: gapsOf(channelId),
    }
  }
  const makeDue = (channelId: number, at: number) => {
    const kept = state.schedules.get(channelId)
    if (!kept) {
      if (ownNames(state, channelId).length > 0) state.schedules.set(channelId, firstSchedule(at))
      return
    }
    const { nextVisitAt, earliestVisitAt } = kept.schedule
    kept.madeDueAt = Math.min(kept.madeDueAt, at)
    kept.schedule = {
      ...kept.schedule,
      nextVisitAt: Math.min(nextVisitAt, at),
      earliestVisitAt: Math.min(earliestVisitAt, at),
    }
  }
  return {
    async lease({ owner, limit, ttlMs, eager }) {
      const now = clock.now()
      const free = [...state.schedules].filter(([, kept]) => isFree(kept, now))
      const due = free
        .filter(([, { schedule }]) => schedule.nextVisitAt <= now)
        .toSorted(([a, x], [b, y]) => x.schedule.nextVisitAt - y.schedule.nextVisitAt || a - b)
      const early = free
        .filter(([, { schedule }]) => schedule.nextVisitAt > now && schedule.earliestVisitAt <= now)
        .toSorted(
          ([a, x], [b, y]) => x.schedule.earliestVisitAt - y.schedule.earliestVisitAt || a - b,
        )
      const chosen = [...due, ...(eager ? early : [])].slice(0, limit)
      return chosen.map(([channelId]) => grant(channelId, owner, now + ttlMs))
    },
    async renewAll(leases, ttlMs) {
      const until = clock.now() + ttlMs
      return leases.flatMap((lease) => {
        const kept = held(lease)
        if (!kept) return []
        kept.until = until
        return [{ ...lease, until }]
      })
    },
    async release(lease) {
      Object.assign(held(lease) ?? {}, { owner: null, until: 0 })
    },

    async releaseDead(self) {
      const dead = [...state.schedules.values()].filter(
        ({ owner }) => owner !== null && isDeadHere(owner, self),
      )
      for (const kept of dead) Object.assign(kept, { owner: null, until: 0 })
      return dead.length
    },

    async schedule(channelId) {
      const kept = state.schedules.get(channelId)
      return kept && { ...kept.schedule, demand: kept.schedule.demand + kept.fresh }
    },
    async makeDue(channelId, at) {
      makeDue(channelId, at)
    },
    async replanMisplanned(now) {
      let voided = 0
      for (const kept of state.schedules.values()) {
        if (kept.until > now + LONGEST_LEASE_MS) Object.assign(kept, { owner: null, until: 0 })
        if (!isMisplanned(kept.schedule, now)) continue
        kept.schedule = replanned(kept.schedule, now)
        voided++
      }
      return voided
    },
    async addDemand(demand) {
      for (const { channelId, amount } of demand) {
        const kept = state.schedules.get(channelId)
        if (kept) kept.fresh += amount
      }
    },
    async sample(limit) {
      const all = [...state.schedules].map(([id, { schedule, fresh }]) => ({
        ...schedule,
        demand: schedule.demand + fresh,
        subscribers: state.channels.get(id)?.subscribers?.value ?? null,
      }))
      const shuffled = all.map((schedule) => ({ schedule, order: Math.random() }))
      const drawn = shuffled.toSorted((a, b) => a.order - b.order).slice(0, limit)
      return { total: all.length, schedules: drawn.map(({ schedule }) => schedule) }
    },

    async addGap({ channelId, kind, before, downTo, until }) {
      const isSame = (gap: KeptGap) =>
        gap.leaseToken === null &&
        gap.channelId === channelId &&
        gap.kind === kind &&
        gap.before === before &&
        gap.downTo === downTo &&
        gap.until === until
      if (state.gaps.some(isSame)) return
      const id = nextId(state)
      state.gaps.push({ id, channelId, kind, before, downTo, until, leaseToken: null })
    },
    async gaps(...channelIds) {
      return gapsOf(...channelIds)
    },
    ...createCandidates(state),
    ...createVisitWrites(run, (ids) => eraseInSteps(run, ids, retention), retention),
    overview: async (now) => frontierOverview(state, now),
  }
}
