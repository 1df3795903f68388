import { MINUTE_MS } from '../model/time.ts'

/**
 * The platform slows readers down without saying so by answering "No posts found" for channels that have some. A single
 * channel may be odd and must not stop the crawl; two within minutes are a sign of throttling.
 */
interface SoftThrottle {
  /** Notes a channel that looked empty, and returns whether the platform seems to be throttling us. */
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
