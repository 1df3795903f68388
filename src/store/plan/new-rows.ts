import { newSchedule, type Schedule } from '../frontier.ts'
import type { ChannelRow, ScheduleRow } from './rows.ts'

/** Rows as they begin. */

type GivenFields = Omit<
  ChannelRow,
  | 'reason'
  | 'lastVisitedAt'
  | 'reachedStart'
  | 'language'
  | 'posts'
  | 'firstPostAt'
  | 'lastPostAt'
  | 'postsPerDay'
>

export function newChannel(given: GivenFields): ChannelRow {
  return {
    id: given.id,
    platformId: given.platformId,
    username: given.username,
    title: given.title,
    description: given.description,
    avatarUrl: given.avatarUrl,
    verified: given.verified,
    subscribers: given.subscribers,
    counters: given.counters,
    status: given.status,
    addedAt: given.addedAt,
    reason: null,
    lastVisitedAt: null,
    reachedStart: false,
    language: null,
    posts: 0,
    firstPostAt: null,
    lastPostAt: null,
    postsPerDay: 0,
  }
}

export function newScheduleRow(channelId: number, schedule: Schedule): ScheduleRow {
  const free = { owner: null, token: 0, until: 0 }
  return { ...schedule, channelId, freshDemand: 0, hastenedAt: null, ...free }
}

/** Makes the channel due by then, one without a schedule too. */
export function hastenRow(
  row: ScheduleRow | undefined,
  channelId: number,
  at: number,
): ScheduleRow {
  if (!row) return newScheduleRow(channelId, newSchedule(at))
  return {
    ...row,
    nextVisitAt: Math.min(row.nextVisitAt, at),
    earliestVisitAt: Math.min(row.earliestVisitAt, at),
    hastenedAt: Math.min(row.hastenedAt ?? at, at),
  }
}
