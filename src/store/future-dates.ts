import type { Count } from '../model/count.ts'
import type { ArchivedPost } from '../model/post.ts'
import { DAY_MS } from '../model/time.ts'
import type { ProfileFields } from './channel-rules.ts'

/**
 * Data captured while a clock was far ahead would override everything read since: edits, deletions and counts would
 * seem to be older than it until the true time has caught up. A reading is made now, so whatever is stored with a date more
 * than a day later was dated by a wrong clock, and is treated as of this moment. Pure.
 */
const SLACK_MS = DAY_MS

export function isOfFuture(at: number | null, now: number): boolean {
  return at !== null && at > now + SLACK_MS
}

/** The post with its wrong dates corrected; the same object when none is wrong. */
export function withPostDated(post: ArchivedPost, now: number): ArchivedPost {
  const { firstCapturedAt, lastCapturedAt, deletedAt, views, reactions, poll } = post
  const counts = [views, poll?.voters ?? null, ...reactions.map(({ count }) => count)]
  const dates = [firstCapturedAt, lastCapturedAt, deletedAt, ...counts.map((c) => c?.asOf ?? null)]
  if (!dates.some((at) => isOfFuture(at, now))) return post
  return {
    ...post,
    firstCapturedAt: Math.min(firstCapturedAt, now),
    lastCapturedAt: Math.min(lastCapturedAt, now),
    deletedAt: deletedAt === null ? null : Math.min(deletedAt, now),
    views: dated(views, now),
    reactions: reactions.map((each) => ({ ...each, count: dated(each.count, now) })),
    poll: poll && { ...poll, voters: dated(poll.voters, now) },
  }
}

export function withProfileDated<T extends ProfileFields>(profile: T, now: number): T {
  const { photos, videos, files, links } = profile.counters
  return {
    ...profile,
    subscribers: dated(profile.subscribers, now),
    counters: {
      photos: dated(photos, now),
      videos: dated(videos, now),
      files: dated(files, now),
      links: dated(links, now),
    },
  }
}

/** Redates a count to just before now, so that a count made now replaces it. */
function dated<T extends Count | null>(count: T, now: number): T {
  return count && isOfFuture(count.asOf, now) ? { ...count, asOf: now - 1 } : count
}
