import { MINUTE_MS } from '../model/time.ts'

/**
 * "No posts found" of channels that have some is how the platform slows readers down without saying so. One channel alone
 * may be odd, and must not stop the crawl; two within minutes are a sign.
 */
interface SoftThrottle {
  /** Told of a channel that looked empty: whether the platform as a whole seems to be throttling us. */
  isSuspected(channelId: number, now: number): boolean
}

const WITHIN_MS = 10 * MINUTE_MS

export function createSoftThrottle(): SoftThrottle {
  const seen = new Map<number, number>()
  return {
    isSuspected(channelId, now) {
      for (const [id, at] of seen) if (now - at > WITHIN_MS) seen.delete(id)
      seen.set(channelId, now)
      return seen.size >= 2
    },
  }
}
