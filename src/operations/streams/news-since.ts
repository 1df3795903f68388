import { readNews } from '../../follow/follower.ts'
import type { News } from '../../follow/news.ts'
import type { Context } from '../context.ts'
import { printEventId, resume } from './event-id.ts'
import type { Warning } from '../warnings.ts'
import { renderNews, type RenderedNews } from './render-news.ts'
import type { FollowedSearch } from './streams.ts'

/** What happened to the results of a search since an event. */
export interface NewsSince {
  readonly news: readonly RenderedNews[]
  /** The event to resume from. */
  readonly sinceId: string
  /** There are more events after it. */
  readonly more: boolean
  /** Of the events after the requested place, some are forgotten or cannot be read. */
  readonly gap: boolean
  readonly warnings: readonly Warning[]
}

const PAGE = 200
/** How many events are read for one answer; the next request reads on. */
const MOST_EVENTS = 5_000
/** A first request, which names no place, begins this many events before the last. */
const FIRST_LOOK = 2_000

export interface NewsRequest {
  readonly sinceId: string | undefined
  readonly limit: number
  readonly signal: AbortSignal
}

/** Reads the log once, for callers that poll instead of waiting. */
export async function newsSince(
  ctx: Context,
  follower: FollowedSearch,
  { sinceId, limit, signal }: NewsRequest,
): Promise<NewsSince> {
  const bounds = await ctx.store.events.bounds()
  const resumed = resume(sinceId, bounds)
  const first = Math.max(bounds.forgotten, bounds.last - FIRST_LOOK)
  let seq = sinceId === undefined ? first : resumed.seq
  const source = { reader: ctx.eventReader, groups: ctx.store.groups }
  const all: News[] = []
  const lost: News[] = []
  const end = Math.min(bounds.last, seq + MOST_EVENTS)
  while (seq < end && all.length < limit) {
    signal.throwIfAborted()
    const page = await readNews(source, follower, seq, PAGE)
    for (const each of page.news) (each.kind === 'lost' ? lost : all).push(each)
    // When the page has nothing, the events there were erased.
    seq = page.seq > seq ? page.seq : bounds.last
  }
  const news = all.slice(0, limit)
  if (news.length < all.length) seq = news.at(-1)!.seq
  const render = await renderNews(
    ctx,
    news.map((each) => ({ news: each, options: follower })),
  )
  return {
    news: news.flatMap((each) => render(each, follower) ?? []),
    sinceId: printEventId(bounds.log, seq),
    more: seq < bounds.last,
    gap: resumed.gap !== null || lost.some((each) => each.seq <= seq),
    warnings: follower.warnings,
  }
}
