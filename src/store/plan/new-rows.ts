import { newSchedule, type Schedule } from '../frontier.ts'
import type { ChannelRow, ScheduleRow } from './rows.ts'

/** The initial state of rows. */

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

/** The schedule made due by then; a new one when the channel has none. */
export function dueRow(row: ScheduleRow | undefined, channelId: number, at: number): ScheduleRow {
  if (!row) return newScheduleRow(channelId, newSchedule(at))
  return {
    ...row,
    nextVisitAt: Math.min(row.nextVisitAt, at),
    earliestVisitAt: Math.min(row.earliestVisitAt, at),
    madeDueAt: Math.min(row.madeDueAt ?? at, at),
  }
}
