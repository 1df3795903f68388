/**
 * Reads a channel now, at a caller's request: from the cache while that is young enough, otherwise with one fetch shared by
 * concurrent callers. Posts of an indexed channel are archived before anybody is answered.
 */
import { createCache } from '../model/cache.ts'
import { nameKey } from '../model/channel-name.ts'
import type { ChannelProfile } from '../model/channel.ts'
import type { Clock } from '../model/clock.ts'
import { startDeadline } from '../model/deadline.ts'
import { createSharedFlight } from '../model/shared-flight.ts'
import type { Store } from '../store/store.ts'
import type { Source } from '../telegram/source.ts'
import { createLiveArchiver, withoutRemoved } from './archive-live-page.ts'
import {
  assemble,
  below,
  isOfAnother,
  nextBefore,
  readOf,
  UNTRUSTED,
  type Fetched,
  type LiveFailure,
  type LiveRead,
  type LiveRequest,
} from './live-pages.ts'
import type { Politeness } from './politeness.ts'

export interface LiveReader {
  /**
   * An answer from memory that is not older than `maxAgeMs`; it may also be that nobody has the name or that the channel cannot
   * be read. Undefined when there is none.
   */
  cached(request: LiveRequest): LiveRead | LiveFailure | undefined
  /**
   * Reads the platform; concurrent calls for the same page share one fetch. Posts of an indexed channel are archived before
   * this resolves. Rejects only with the signal's reason.
   */
  read(request: LiveRequest): Promise<LiveRead | LiveFailure>
}

export interface LiveReaderOptions {
  readonly source: Source
  readonly store: Store
  readonly politeness: Politeness
  readonly clock: Clock
  /** Unless `off`, a channel read live is indexed from then on. */
  readonly autoIndex: 'off' | 'live' | 'discover'
  /** Then nothing is written. */
  readonly isClockWrong: () => boolean
  readonly deadlineMs?: number
  readonly maxEntries?: number
  readonly maxBytes?: number
}

const DEADLINE_MS = 10_000
const EMPTY_PAUSE_MS = 500
/** A cached page is checked against the opt-out register again after this, so that what is removed is gone within a minute. */
const SCREEN_EVERY_MS = 30_000

export function createLiveReader(options: LiveReaderOptions): LiveReader {
  const { source, store, politeness, clock, deadlineMs = DEADLINE_MS } = options
  const cache = createCache<string, Fetched>({
    maxEntries: options.maxEntries ?? 2_000,
    maxBytes: { bytes: options.maxBytes ?? 64 * 1024 * 1024, of: sizeOf },
  })
  const cachedPage = (key: string, maxAgeMs: number): Fetched | undefined => {
    const held = cache.get(key)
    return held && clock.elapsed() - held.fetchedSince <= maxAgeMs ? held : undefined
  }
  const flights = createSharedFlight<Fetched>()
  const archivePage = createLiveArchiver(options)

  const remember = (name: string, before: number | null, fetched: Fetched): Fetched => {
    if (fetched.found.kind === 'removed') {
      for (const key of cache.keys()) if (key.startsWith(`${nameKey(name)}|`)) cache.delete(key)
    } else if (isLasting(fetched)) cache.set(keyOf(name, before), fetched)
    return fetched
  }

  async function fetchPage(
    name: string,
    before: number | null,
    signal: AbortSignal,
  ): Promise<Fetched> {
    let fetchedSince = clock.elapsed()
    const met = (found: Fetched['found'], channelId: number | null = null): Fetched => {
      const at = found.kind === 'page' ? found.page.fetchedAt : clock.now()
      return { at, fetchedSince, screenedSince: fetchedSince, channelId, found }
    }
    const [removal, known, waitMs] = await Promise.all([
      store.removals.find({ name }),
      store.archive.channel(name),
      politeness.liveWaitMs(),
    ])
    if (removal) return met({ kind: 'removed' })
    if (waitMs > deadlineMs) return met({ ...THROTTLED, sign: 'status', retryAfterMs: waitMs })
    const read = { purpose: 'live', signal } as const
    let outcome = await source.page(name, before, read)
    if (outcome.kind === 'empty' && before === null) {
      // Under load the platform says "no posts" for channels that have some.
      await clock.sleep(EMPTY_PAUSE_MS, signal)
      outcome = await source.page(name, before, read)
      if (outcome.kind === 'empty' && known && known.posts > 0) return met(THROTTLED)
    }
    fetchedSince = clock.elapsed()
    if (outcome.kind === 'empty') {
      const { profile } = outcome
      const isLeftOut = await asksToBeLeftOut(name, profile)
      return isLeftOut ? met({ kind: 'removed' }) : met({ kind: 'none', profile }, known?.id)
    }
    if (outcome.kind !== 'page') return met(outcome)
    const page = below(before, outcome.page)
    if (!page) return met(UNTRUSTED)
    const handed = await archivePage(name, known, page)
    return handed.kind === 'page' ? met(handed, handed.channelId) : met(handed)
  }

  /** A channel without posts also has a description, which may ask to opt out. */
  async function asksToBeLeftOut(name: string, profile: ChannelProfile | null): Promise<boolean> {
    return profile !== null && !(await withoutRemoved(store, name, { profile, posts: [] }))
  }

  const isScreened = (fetched: Fetched) =>
    clock.elapsed() - fetched.screenedSince <= SCREEN_EVERY_MS

  /** The cached page, checked again against the opt-out register. */
  async function screened(name: string, fetched: Fetched): Promise<Fetched> {
    const screenedSince = clock.elapsed()
    const { found } = fetched
    const isLeftOut = found.kind === 'none' && (await asksToBeLeftOut(name, found.profile))
    if (isLeftOut) return { ...fetched, screenedSince, found: { kind: 'removed' } }
    if (found.kind !== 'page') return { ...fetched, screenedSince }
    const page = await withoutRemoved(store, name, found.page)
    return { ...fetched, screenedSince, found: page ? { kind: 'page', page } : { kind: 'removed' } }
  }

  async function getPage(request: LiveRequest, before: number | null, signal: AbortSignal) {
    const { name, maxAgeMs } = request
    const key = keyOf(name, before)
    const cached = maxAgeMs > 0 ? cachedPage(key, maxAgeMs) : undefined
    if (cached) {
      const fetched = isScreened(cached)
        ? cached
        : remember(name, before, await screened(name, cached))
      return { fetched, isCached: true }
    }
    const fetched = await flights.join(key, signal, async (own) =>
      remember(name, before, await fetchPage(name, before, own)),
    )
    return { fetched, isCached: false }
  }

  return {
    cached(request) {
      const { name, maxAgeMs } = request
      if (maxAgeMs <= 0) return undefined
      const parts: Fetched[] = []
      let before: number | null = request.before
      do {
        const fetched = cachedPage(keyOf(name, before), maxAgeMs)
        if (!fetched || !isScreened(fetched)) return undefined
        const { found } = fetched
        if (found.kind !== 'page' && found.kind !== 'none') {
          return parts.length === 0 ? found : undefined
        }
        if (isOfAnother(parts, fetched)) return undefined
        parts.push(fetched)
        before = nextBefore(parts, request)
      } while (before !== null)
      const read = readOf(parts, request)
      return read && { ...read, source: 'cache' }
    },

    async read(request) {
      using late = startDeadline(clock, deadlineMs)
      const signal = AbortSignal.any([request.signal, late.signal])
      try {
        return await assemble(request, (before) => getPage(request, before, signal))
      } catch (error) {
        if (request.signal.aborted || !late.signal.aborted) throw error
        return { kind: 'unreachable', what: 'timeout', detail: `no answer in ${deadlineMs} ms` }
      }
    },
  }
}

const THROTTLED = { kind: 'throttled', sign: 'generic', retryAfterMs: null } as const

function keyOf(name: string, before: number | null): string {
  return `${nameKey(name)}|${before ?? ''}`
}

/** Passing failures are not cached: the next caller should try again. */
function isLasting({ found }: Fetched): boolean {
  return ['page', 'none', 'nobody', 'unavailable'].includes(found.kind)
}

/** Measures everything in a page that may be long, not only texts: also previews, replies, polls, buttons, media addresses. */
function sizeOf({ found }: Fetched): number {
  return found.kind === 'page' ? 2 * JSON.stringify(found.page).length : 1_000
}
