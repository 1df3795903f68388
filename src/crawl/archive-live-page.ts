/** What becomes of a page that was read live: it is archived if the channel is indexed, and never shown if it is removed. */
import { createCache } from '../model/cache.ts'
import { nameKey } from '../model/channel-name.ts'
import type { Channel, ChannelProfile } from '../model/channel.ts'
import type { Clock } from '../model/clock.ts'
import { MINUTE_MS } from '../model/time.ts'
import { findByPlatformId } from '../store/find-by-platform-id.ts'
import type { Store } from '../store/store.ts'
import type { ChannelPage, NoPage } from '../telegram/source.ts'
import { CONTRADICTORY, agrees, isOther } from './agrees.ts'
import { PARSER_MISMATCH } from './failures.ts'
import { asksToBeLeftOut } from './opt-out.ts'

type ArchivedPage =
  | { readonly kind: 'page'; readonly page: ChannelPage; readonly channelId: number | null }
  | { readonly kind: 'removed' }
  | (NoPage & { readonly kind: 'broken' })

/** Adding demand to the frontier is a commit that the caller would have to wait for, so demand is added at intervals. */
const TELL_EVERY_MS = 10_000

/** A channel is made due no more often than this: if its visits fail, live reads must not undo the growing waits. */
const HURRY_EVERY_MS = 10 * MINUTE_MS
const MAX_HURRIED = 10_000

export function createLiveArchiver(options: {
  readonly store: Store
  readonly clock: Clock
  readonly autoIndex: 'off' | 'live' | 'discover'
  readonly isClockWrong: () => boolean
}) {
  const { store } = options
  const { archive } = store
  const demand = new Map<number, number>()
  const maxAge = { ms: HURRY_EVERY_MS, clock: options.clock }
  const hurried = createCache<number, true>({ maxEntries: MAX_HURRIED, maxAge })
  let toldSince = -Infinity

  async function hurry(channelId: number, at: number): Promise<void> {
    if (hurried.get(channelId)) return
    hurried.set(channelId, true)
    await store.frontier.makeDue(channelId, at)
  }

  /** Makes the crawler visit the channel more often. Demand that is lost when the process stops does not matter. */
  function want(channelId: number): void {
    demand.set(channelId, (demand.get(channelId) ?? 0) + 1)
    if (options.clock.elapsed() - toldSince < TELL_EVERY_MS) return
    toldSince = options.clock.elapsed()
    const told = Array.from(demand, ([id, amount]) => ({ channelId: id, amount }))
    demand.clear()
    store.frontier.addDemand(told).catch(() => {})
  }

  /** Whether the page of a channel without an id shows that of another one. */
  async function isTwin({ platformId }: Channel, shown: ChannelProfile): Promise<boolean> {
    if (platformId !== null || shown.platformId === null) return false
    return (await findByPlatformId(store, shown.platformId)) !== undefined
  }

  return async (
    name: string,
    known: Channel | undefined,
    read: ChannelPage,
  ): Promise<ArchivedPage> => {
    const allowed = await withoutRemoved(store, name, read)
    if (!allowed) {
      // One answer is not enough to erase a channel: the crawler asks again.
      if (known) await store.frontier.makeDue(known.id, read.fetchedAt)
      return { kind: 'removed' }
    }
    if (options.isClockWrong()) return { kind: 'page', page: allowed, channelId: null }
    const { profile, fetchedAt: at, parserVersion } = allowed
    let channel = known ?? (await archive.channel(profile.username))
    if (channel && hasNewOwner(name, channel, profile)) {
      await archive.releaseName(name, { platformId: profile.platformId!, at })
      channel = undefined
    }
    if (!channel && options.autoIndex !== 'off') {
      const added = await archive.addChannel(name, { at, status: 'queued' })
      if (added.outcome === 'removed') return { kind: 'removed' }
      channel = added.channel
    }
    if (!channel) return { kind: 'page', page: allowed, channelId: null }
    const channelId = channel.id
    const isMismatched = channel.reason === PARSER_MISMATCH
    if (isMismatched || isOther(channel, profile) || (await isTwin(channel, profile))) {
      // Who has the name now, and whether its pages can be believed again, is for the crawler to tell.
      await hurry(channelId, at)
      return { kind: 'page', page: allowed, channelId: null }
    }
    const { posts } = allowed
    const archived = await archive.posts(posts.map(({ number }) => ({ channelId, number })))
    if (!agrees(allowed, { identity: channel, posts: archived })) {
      await hurry(channelId, at)
      return CONTRADICTORY
    }
    const reading = { channelId, at, parserVersion, profile, posts, deleted: [] }
    await archive.record({ ...reading, capture: 'live' })
    if (isWorthAVisit(channel, options)) await hurry(channelId, at)
    want(channelId)
    return { kind: 'page', page: allowed, channelId }
  }
}

function isWorthAVisit(
  { status }: Channel,
  { autoIndex }: { readonly autoIndex: 'off' | 'live' | 'discover' },
): boolean {
  // Imported channels are visited only once somebody asks for them; unless `autoIndex` is off, that may be any caller.
  if (status === 'imported') return autoIndex !== 'off'
  // Its next visit may be weeks away, although it can be read again.
  return status === 'unavailable' || status === 'gone'
}

/**
 * Whether a former name of the channel now belongs to another. One answer is enough: the channel keeps its present name and
 * everything else.
 */
function hasNewOwner(name: string, former: Channel, shown: ChannelProfile): boolean {
  const isFormerName = nameKey(former.username) !== nameKey(name)
  const isShown = nameKey(shown.username) === nameKey(name)
  return isFormerName && isShown && shown.platformId !== null && isOther(former, shown)
}

/** The page without posts in the opt-out register; undefined when the whole channel is in it, or asks to be. */
export async function withoutRemoved<Page extends Pick<ChannelPage, 'profile' | 'posts'>>(
  { removals }: Store,
  name: string,
  page: Page,
): Promise<Page | undefined> {
  const { username, platformId } = page.profile
  if (asksToBeLeftOut(page.profile)) return undefined
  const removed = await removals.removed(
    { names: [name, username], platformIds: platformId === null ? [] : [platformId] },
    page.posts.map(({ number }) => number),
  )
  if (removed.channel) return undefined
  if (removed.numbers.length === 0) return page
  return { ...page, posts: page.posts.filter(({ number }) => !removed.numbers.includes(number)) }
}
