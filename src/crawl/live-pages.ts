/** Assembles a live answer from the pages it needs, each of which may be cached or fetched. Pure except for `get`. */
import type { ChannelProfile } from '../model/channel.ts'
import type { Post } from '../model/post.ts'
import type { ChannelPage, NoPage } from '../telegram/source.ts'
import { isOther } from './agrees.ts'

export interface LiveRequest {
  readonly name: string
  /** Null for the newest page as it is. */
  readonly limit: number | null
  /** Only posts numbered below this. */
  readonly before: number | null
  /** 0 forces a fetch, or joins one under way. */
  readonly maxAgeMs: number
  readonly signal: AbortSignal
}

export interface LiveRead {
  readonly kind: 'read'
  readonly source: 'live' | 'cache'
  /** When the oldest of its pages was fetched. */
  readonly fetchedAt: number
  readonly profile: ChannelProfile
  /** Newest first. */
  readonly posts: readonly Post[]
  /** The store's id of an indexed channel; null when the channel is only in the cache. */
  readonly channelId: number | null
  readonly parserVersion: number
  /** The failure met instead of a further page: there are fewer posts than were asked for. */
  readonly cutBy?: LiveFailure
}

/** `removed`: it is in the opt-out register; nothing was fetched, or what was fetched was dropped. */
export type LiveFailure = Exclude<NoPage, { kind: 'empty' }> | { readonly kind: 'removed' }

/** One page as fetched, or the failure met instead of it. */
export interface Fetched {
  readonly at: number
  /** When it was fetched, in the clock's elapsed time. */
  readonly fetchedSince: number
  /** When it was last checked against the opt-out register, in elapsed time, too. */
  readonly screenedSince: number
  readonly channelId: number | null
  readonly found:
    | { readonly kind: 'page'; readonly page: ChannelPage }
    | { readonly kind: 'none'; readonly profile: ChannelProfile | null }
    | LiveFailure
}

/** The most pages read for `limit` posts; albums make pages short. */
const MAX_PAGES = 12

export interface Part {
  readonly fetched: Fetched
  readonly isCached: boolean
}

/** Reads page after page until the request is satisfied. */
export async function assemble(
  request: LiveRequest,
  get: (before: number | null) => Promise<Part>,
): Promise<LiveRead | LiveFailure> {
  const parts: Fetched[] = []
  let isCached = true
  let cutBy: LiveFailure | undefined
  let before: number | null = request.before
  do {
    const part: Part = await get(before)
    const { found } = part.fetched
    if (found.kind !== 'page' && found.kind !== 'none') {
      // Pages read before the platform failed are still an answer; without any, the failure is the answer.
      if (parts.length === 0 || found.kind === 'removed') return found
      cutBy = found
      break
    }
    if (isOfAnother(parts, part.fetched)) {
      cutBy = UNTRUSTED
      break
    }
    isCached &&= part.isCached
    parts.push(part.fetched)
    before = nextBefore(parts, request)
  } while (before !== null)
  const source = isCached ? 'cache' : 'live'
  const read = readOf(parts, request)
  if (read) return { ...read, source, ...(cutBy === undefined ? {} : { cutBy }) }
  // A page below the first post tells nothing about the channel; the newest page does.
  const { fetched } = await get(null)
  const newest = readOf([fetched], request)
  if (newest) return { ...newest, posts: [], source }
  return fetched.found.kind === 'page' || fetched.found.kind === 'none' ? UNTRUSTED : fetched.found
}

/** An answer that is not what was asked for. */
export const UNTRUSTED = { kind: 'broken', what: 'layout_unknown' } as const

/** Whether the name has gone to another channel since the first of the pages was read. */
export function isOfAnother(parts: readonly Fetched[], { found }: Fetched): boolean {
  const first = parts[0]?.found
  if (first?.kind !== 'page' || found.kind !== 'page') return false
  return isOther(first.page.profile, found.page.profile)
}

/** What a page shows below `before`; undefined if nothing, as when the platform answers with its newest page instead. */
export function below(before: number | null, page: ChannelPage): ChannelPage | undefined {
  if (before === null) return page
  const numbers = page.numbers.filter((number) => number < before)
  if (numbers.length === 0) return undefined
  return { ...page, numbers, posts: page.posts.filter(({ number }) => number < before) }
}

/** Where to continue reading; null when there are enough posts, or no more. */
export function nextBefore(parts: readonly Fetched[], { limit }: LiveRequest): number | null {
  const last = parts.at(-1)?.found
  if (limit === null || last?.kind !== 'page' || parts.length >= MAX_PAGES) return null
  const posts = parts.reduce(
    (n, { found }) => n + (found.kind === 'page' ? found.page.posts.length : 0),
    0,
  )
  const lowest = last.page.numbers[0] ?? 1
  return posts >= limit || lowest <= 1 ? null : lowest
}

export function readOf(parts: readonly Fetched[], { limit }: LiveRequest): LiveRead | undefined {
  const pages = parts.flatMap(({ found }) => (found.kind === 'page' ? [found.page] : []))
  const first = parts[0]
  const profile = pages[0]?.profile ?? (first?.found.kind === 'none' ? first.found.profile : null)
  if (!first || !profile) return undefined
  const posts = pages.flatMap((page) => page.posts.toReversed())
  return {
    kind: 'read',
    source: 'live',
    fetchedAt: Math.min(...parts.map((part) => part.at)),
    profile,
    posts: limit === null ? posts : posts.slice(0, limit),
    channelId: first.channelId,
    parserVersion: pages[0]?.parserVersion ?? 0,
  }
}
