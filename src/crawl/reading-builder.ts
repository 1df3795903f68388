/** Builds the reading of a visit from its pages: posts, and archived numbers that are no longer shown. */
import { createCache, type Cache } from '../model/cache.ts'
import type { Clock } from '../model/clock.ts'
import type { Channel, ChannelProfile } from '../model/channel.ts'
import type { ArchivedPost, Post } from '../model/post.ts'
import { DAY_MS } from '../model/time.ts'
import type { Archive, Reading } from '../store/archive.ts'
import type { ChannelPage, PostOutcome } from '../telegram/source.ts'
import { FEWEST, agrees } from './agrees.ts'
import { SECOND_LOOK_MS, weighVanished, type Vanished } from './second-look.ts'
import { isOfOnePage, type PageReader } from './walk.ts'

/** Each confirmation takes one request; the rest waits for the next visit. */
const MAX_CONFIRMATIONS = 10
/** Posts requested to tell whether those below the start of the history are gone. */
const MAX_ASKED = 3
/** More than can be acted on in one visit: if a long history was deleted, the rest is found missing again later. */
const MAX_LOOKED_AT = 1_000
/** Leaves room for numbers that a page shows, and for those known to be hidden. */
const MAX_SUSPECTS = 5_000
/** A hidden post is not on the channel's page, but not deleted either. It is not requested again before this. */
const HIDDEN_AGAIN_MS = DAY_MS
const MAX_HIDDEN = 10_000

export interface ReadingBuilder {
  readonly posts: ReadonlyMap<number, Post>
  /** Takes in a page that accounts for every number from its lowest up to `upTo`. False when it contradicts the archive. */
  add(page: ChannelPage, upTo: number): Promise<boolean>
  /** Down to which number pages must go so that enough of them is archived to judge them by. */
  judgedFrom(newestNumber: number): Promise<number>
  /** Adds numbers that may have been deleted. */
  suspect(numbers: readonly number[]): void
  /**
   * The history seems to start with this number: whatever is archived below it may have been deleted. The newest of that is
   * requested by itself, or the next if its page cannot be read; only if it is gone are the others suspected, too.
   */
  startsAt(number: number, reader: Pick<PageReader, 'post'>): Promise<void>
  /** The lowest number above this one that a page has shown. */
  shownAbove(number: number): number | undefined
  /** Replaces a post that was taken in with a fuller form of it. */
  amend(post: Post): void
  /**
   * Requests the page of each suspect, and believes its deletion only if that confirms it. If many vanished at once, this is
   * done only `waitMs` after they were first missed, by default some hours.
   */
  confirm(reader: Pick<PageReader, 'post'>, now: number, waitMs?: number): Promise<void>
  /** Posts that vanished many at once and are not yet believed to be deleted. */
  readonly vanished: Vanished | null
  /** What was collected since the last call, as a reading; null when there is nothing. */
  take(at: number): Reading | null
}

/** Posts found to be hidden, so that they are not requested at every visit. */
export type HiddenPosts = Cache<string, true>

export function createHiddenPosts(clock: Pick<Clock, 'elapsed'>): HiddenPosts {
  return createCache({ maxEntries: MAX_HIDDEN, maxAge: { ms: HIDDEN_AGAIN_MS, clock } })
}

/** Leaves alone what could not be read twice. A single failure may pass, and a hidden post is no longer remembered as missing. */
export function hideIfAgain(hidden: HiddenPosts, key: string): void {
  hidden.set(hidden.get(`${key} failed`) ? key : `${key} failed`, true)
}

/** Whether the platform withholds just this post, or shows something else in its place. */
function isOfThisPost(outcome: PostOutcome): boolean {
  return (
    outcome.kind === 'unavailable' ||
    (outcome.kind === 'broken' && outcome.what === 'layout_unknown')
  )
}

export function createReadingBuilder(options: {
  readonly channel: Channel
  readonly archive: Archive
  readonly hidden: HiddenPosts
  /** Posts that an earlier visit found missing. */
  readonly vanished: Vanished | null
}): ReadingBuilder {
  const { channel, archive, hidden } = options
  const channelId = channel.id
  const posts = new Map<number, Post>()
  const suspects = new Set<number>()
  const shown = new Set<number>()
  let { vanished } = options
  let pending = new Map<number, Post>()
  let deleted: number[] = []
  let profile: ChannelProfile | null = null
  let parserVersion = 0

  const known = (numbers: readonly number[]): Promise<readonly (ArchivedPost | undefined)[]> =>
    archive.posts(numbers.map((number) => ({ channelId, number })))

  return {
    posts,
    get vanished() {
      return vanished
    },
    async judgedFrom(newestNumber) {
      const [lowest] = await archive.numbersBetween(channelId, 1, newestNumber, FEWEST)
      return lowest ?? newestNumber + 1
    },
    suspect,
    async startsAt(number, reader) {
      const below = await archive.numbersBetween(channelId, 1, number - 1, MAX_LOOKED_AT)
      for (const newest of below.slice(-MAX_ASKED).toReversed()) {
        const outcome = await reader.post(newest)
        if (outcome.kind === 'deleted') suspect(below)
        if (!isOfThisPost(outcome) && !isOfOnePage(outcome)) return
      }
    },

    shownAbove(number) {
      return [...shown].filter((each) => each > number).toSorted((a, b) => a - b)[0]
    },

    async add(page, upTo) {
      // The newest page is read first: older ones must be of the same channel.
      const identity = profile ?? channel
      const archived = await known(page.posts.map((post) => post.number))
      if (!agrees(page, { identity, posts: archived })) return false
      const lowest = page.numbers[0] ?? 1
      for (const number of page.numbers) shown.add(number)
      suspect(await archive.numbersBetween(channelId, lowest, upTo, MAX_SUSPECTS))
      for (const post of page.posts) {
        posts.set(post.number, post)
        pending.set(post.number, post)
      }
      profile ??= page.profile
      parserVersion = page.parserVersion
      return true
    },

    amend(post) {
      posts.set(post.number, post)
      pending.set(post.number, post)
    },

    async confirm(reader, now, waitMs = SECOND_LOOK_MS) {
      const newest = [...suspects].toSorted((a, b) => b - a)
      const numbers = [...new Set([...(vanished?.numbers ?? []), ...newest])]
        .filter((n) => !shown.has(n) && !hidden.get(key(n)))
        .slice(0, MAX_LOOKED_AT)
      const archived = await known(numbers)
      // Album members are not posts of their own: the album as shown tells what became of them.
      const own = numbers.filter((_, i) => archived[i] && archived[i].deletedAt === null)
      const missing = own.toSorted((a, b) => b - a)
      const isAnyShown = profile !== null
      const weighed = weighVanished(vanished, missing, { isAnyShown, at: now, waitMs })
      vanished = weighed.waiting
      for (const number of weighed.believed.slice(0, MAX_CONFIRMATIONS)) {
        const outcome = await reader.post(number)
        if (outcome.kind === 'deleted') deleted.push(number)
        else if (isHere(outcome) || isOfThisPost(outcome)) hidden.set(key(number), true)
        else if (isOfOnePage(outcome)) hideIfAgain(hidden, key(number))
        else return
      }
    },

    take(now) {
      if (pending.size === 0 && deleted.length === 0 && profile === null) return null
      const reading: Reading = {
        channelId,
        at: now,
        capture: 'crawl',
        parserVersion,
        profile,
        posts: [...pending.values()].toSorted((a, b) => a.number - b.number),
        deleted,
      }
      pending = new Map()
      deleted = []
      return reading
    },
  }

  function suspect(numbers: readonly number[]): void {
    for (const number of numbers) suspects.add(number)
  }

  /** Whether the channel still has the post. Its name may have gone to another channel since its page was read. */
  function isHere(outcome: PostOutcome): boolean {
    const own = (profile ?? channel).platformId
    return outcome.kind === 'post' && (own === null || (outcome.platformId ?? own) === own)
  }

  function key(number: number): string {
    return `${channelId}/${number}`
  }
}
