import { newSchedule, type Schedule } from '../frontier.ts'
import type { ChannelRow, ScheduleRow } from './rows.ts'

/** Rows as they begin. */

const UNREAD = {
  reason: null,
  lastVisitedAt: null,
  language: null,
  posts: 0,
  firstPostAt: null,
  lastPostAt: null,
  postsPerDay: 0,
} as const

export function newChannel(given: Omit<ChannelRow, keyof typeof UNREAD>): ChannelRow {
  return { ...UNREAD, ...given }
}

export function newScheduleRow(channelId: number, schedule: Schedule): ScheduleRow {
  const free = { owner: null, token: 0, until: 0 }
  return { ...schedule, channelId, freshDemand: 0, madeDueAt: null, ...free }
}

/** Makes the channel due by then, one without a schedule too. */
export function dueRow(row: ScheduleRow | undefined, channelId: number, at: number): ScheduleRow {
  if (!row) return newScheduleRow(channelId, newSchedule(at))
  return {
    ...row,
    nextVisitAt: Math.min(row.nextVisitAt, at),
    earliestVisitAt: Math.min(row.earliestVisitAt, at),
    madeDueAt: Math.min(row.madeDueAt ?? at, at),
  }
}
