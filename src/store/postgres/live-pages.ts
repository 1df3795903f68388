import { randomUUID } from 'node:crypto'
import { abortable } from '../../model/abortable.ts'
import { systemClock } from '../../model/clock.ts'
import { createSharedFlight } from '../../model/shared-flight.ts'
import { MINUTE_MS } from '../../model/time.ts'
import type { LivePage, LivePages } from '../live-pages.ts'
import type { Database, Now } from './database.ts'

/** How long the others wait for the process that fetches, and how often they look. */
const CLAIM_MS = 10_000
const LOOK_MS = 100
/** Nobody asks for a page older than this. */
const KEPT_MS = 10 * MINUTE_MS

/**
 * The process that claims a page fetches it; the others poll until it is there. Claims are used instead of locks, so that no
 * connection is held while waiting for the platform. Within a process, callers that accept the same age share one flight.
 */
export function createLivePages(db: Database, now: Now): LivePages {
  const flights = createSharedFlight<LivePage<unknown>>()

  async function look<T>(
    key: string,
    maxAgeMs: number,
    signal: AbortSignal,
    fetch: (signal: AbortSignal) => Promise<T>,
  ): Promise<LivePage<unknown>> {
    const owner = randomUUID()
    const askedSince = systemClock.elapsed()
    for (;;) {
      signal.throwIfAborted()
      const waitedMs = Math.floor(systemClock.elapsed() - askedSince)
      const state = (await db.get<State>(CLAIM, key, owner, CLAIM_MS, maxAgeMs + waitedMs, now()))!
      if (state.is_own) return fetchAndKeep(key, owner, signal, fetch)
      if (state.page !== null) return { value: JSON.parse(state.page), ageMs: state.age! }
      await abortable(systemClock.sleep(LOOK_MS), signal)
    }
  }

  async function fetchAndKeep<T>(
    key: string,
    owner: string,
    signal: AbortSignal,
    fetch: (signal: AbortSignal) => Promise<T>,
  ): Promise<LivePage<T>> {
    try {
      const value = await fetch(signal)
      // A page that cannot be stored is still returned; the others fetch it themselves when the claim runs out.
      await db.run(KEEP, key, owner, JSON.stringify(value), now()).catch(() => {})
      await db.run(FORGET, now(), KEPT_MS).catch(() => {})
      return { value, ageMs: 0 }
    } catch (error) {
      await db.run(GIVE_UP, key, owner).catch(() => {})
      throw error
    }
  }

  return {
    async fetch<T>(
      key: string,
      { maxAgeMs, signal }: { readonly maxAgeMs: number; readonly signal: AbortSignal },
      fetch: (signal: AbortSignal) => Promise<T>,
    ) {
      const asked = `${maxAgeMs} ${key}`
      const page = await flights.join(asked, signal, (all) => look(key, maxAgeMs, all, fetch))
      return page as LivePage<T>
    },
  }
}

interface State {
  readonly is_own: boolean
  /** Null while another process fetches it. */
  readonly page: string | null
  readonly age: number | null
}

/** What is claimed or dated beyond this was so by a clock that was ahead, and does not count. */
const LATEST = `clock_ms($5) + ${2 * CLAIM_MS}`
/** Claims the page if there is none young enough and nobody fetches it; otherwise returns what is there. */
const CLAIM = `with claimed as (
    insert into live_pages as l (key, owner, claimed_until) values ($1, $2, clock_ms($5) + $3)
    on conflict (key) do update set owner = excluded.owner, claimed_until = excluded.claimed_until
    where (l.claimed_until <= clock_ms($5) or l.claimed_until > ${LATEST})
      and (coalesce(l.fetched_at, 0) <= clock_ms($5) - $4 or l.fetched_at > ${LATEST})
    returning true as is_own)
  select coalesce((select is_own from claimed), false) as is_own, l.page, l.age from (select 1) as one
  left join (select page, clock_ms($5) - fetched_at as age from live_pages
    where key = $1 and fetched_at > clock_ms($5) - $4 and fetched_at <= ${LATEST}) l on true`
const KEEP = `update live_pages set page = $3, fetched_at = clock_ms($4), claimed_until = 0
  where key = $1 and owner = $2`
const GIVE_UP = 'update live_pages set claimed_until = 0 where key = $1 and owner = $2'
const FORGET = `delete from live_pages where key in (select key from live_pages
  where fetched_at < clock_ms($1) - $2::bigint order by fetched_at limit 100 for update skip locked)`
