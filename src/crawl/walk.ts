/** Reads a channel's pages downwards, so that nothing between two of them is missed. */
import type { Clock } from '../model/clock.ts'
import { CONTRADICTORY } from './agrees.ts'
import type {
  ChannelPage,
  NoPage,
  PageOutcome,
  PostOutcome,
  Purpose,
  Source,
  WordsOutcome,
} from '../telegram/source.ts'

export interface PageReader {
  /** Requests made so far. */
  readonly requests: number
  /** Reads one page. Outcomes that may be temporary (no posts, an unknown layout) are retried before they are returned. */
  read(before: number | null, purpose: Purpose): Promise<PageOutcome>
  /** One post by itself. */
  post(number: number): Promise<PostOutcome>
  /** The beginning of one post's text. */
  words(number: number): Promise<WordsOutcome>
}

/** Pauses before "no posts" is retried: under load the platform says so for channels that have some. */
const EMPTY_PAUSES_MS = [1_000, 3_000]
const LAYOUT_PAUSES_MS = [1_000]

export function createPageReader(options: {
  readonly source: Source
  readonly username: string
  readonly clock: Clock
  readonly signal: AbortSignal
  /** How many requests were made before, under another name. */
  readonly requests: number
}): PageReader {
  const { source, username, clock, signal } = options
  let { requests } = options
  return {
    get requests() {
      return requests
    },
    async read(before, purpose) {
      for (let attempt = 0; ; attempt++) {
        requests++
        const outcome = await source.page(username, before, { purpose, signal })
        const pause = pausesFor(outcome)[attempt]
        if (pause === undefined) return outcome
        await clock.sleep(pause, signal)
      }
    },
    post(number) {
      requests++
      return source.post(username, number, { purpose: 'visit', signal })
    },
    words(number) {
      requests++
      return source.words(username, number, { purpose: 'visit', signal })
    },
  }
}

/** Whether just this page, or post, may never be readable. That says nothing about others, which must not wait for it. */
export function isOfOnePage(outcome: PageOutcome | PostOutcome): boolean {
  if (outcome.kind === 'unreachable')
    return outcome.what !== 'timeout' && outcome.what !== 'network'
  return outcome.kind === 'broken' || outcome.kind === 'empty'
}

function pausesFor(outcome: PageOutcome): readonly number[] {
  if (outcome.kind === 'empty') return EMPTY_PAUSES_MS
  return outcome.kind === 'broken' && outcome.what === 'layout_unknown' ? LAYOUT_PAUSES_MS : []
}

interface WalkRange {
  /** Posts below this are still to be read. */
  readonly before: number
  /** Inclusive lower end. */
  readonly downTo: number
  /** Stop at posts older than this. */
  readonly until: number | null
  /** Whether the page above links to an older one; null when unknown. */
  readonly offersOlder: true | null
}

/**
 * `reached`: the walk read down to the requested end. `start`: it met the channel's first post. `cut`: it stopped earlier, and
 * posts below `before` are left; `why` is the outcome that stopped it, if any.
 */
export interface Walked {
  readonly end: 'reached' | 'start' | 'cut'
  readonly before: number
  readonly why: NoPage | null
}

export interface WalkOptions {
  readonly reader: PageReader
  readonly purpose: Purpose
  /** Called before each page, and before a post that is asked for to tell what an empty page means. */
  readonly mayContinue: () => Promise<boolean>
  /** The lowest number above this one that a page has shown on this visit. */
  readonly shownAbove: (number: number) => number | undefined
  /** The page accounts for every number from its lowest up to `upTo`. False stops the walk: it contradicts the archive. */
  readonly onPage: (page: ChannelPage, upTo: number) => Promise<boolean>
}

export async function walkDown(range: WalkRange, options: WalkOptions): Promise<Walked> {
  const { reader, purpose, mayContinue, onPage } = options
  let before = range.before
  let offersOlder: boolean | null = range.offersOlder
  let isRaised = false
  const ended = (end: Walked['end'], why: NoPage | null = null): Walked => ({ end, before, why })
  for (;;) {
    // Only number 1 is certainly the start: a page without a link to an older one may have lost it.
    if (before <= 1) return ended('start')
    if (before <= range.downTo) return ended('reached')
    if (!(await mayContinue())) return ended('cut')
    const outcome = await reader.read(before, purpose)
    if (outcome.kind === 'empty') {
      offersOlder ??= await namesOlder(before, options)
      // If the post above is gone as well, only the next one that is left can tell: the walk begins again below that.
      const above = options.shownAbove(before)
      const canRaise = offersOlder === null && above !== undefined && !isRaised
      if (canRaise && (await mayContinue()) && (await reader.post(before)).kind === 'deleted') {
        isRaised = true
        before = above
        continue
      }
      // An empty page is the start only if another page shows nothing older either; otherwise the platform is hiding posts.
      return offersOlder === false ? ended('start') : ended('cut', outcome)
    }
    if (outcome.kind !== 'page') return ended('cut', outcome)
    const { page } = outcome
    const lowest = page.numbers[0]
    const isBelow = lowest !== undefined && (page.numbers.at(-1) ?? 0) < before
    if (!isBelow) return ended('cut', { kind: 'broken', what: 'layout_unknown' })
    if (!(await onPage(page, before - 1))) return ended('cut', CONTRADICTORY)
    before = lowest
    offersOlder = linksToOlder(page)
    const { until } = range
    if (until !== null && goesBackTo(until, page)) return ended('reached')
  }
}

/**
 * Whether the page goes back beyond this time. Numbers grow with time, so its two lowest posts decide: a single post may
 * have a wrong date, and the walk would end there.
 */
export function goesBackTo(until: number, { posts }: ChannelPage): boolean {
  const lowest = posts.slice(0, 2)
  return lowest.length > 0 && lowest.every((post) => post.publishedAt < until)
}

/** Whether a page links to an older one. One that does not may have lost its link: then it is unknown. */
export function linksToOlder(page: ChannelPage): true | null {
  return page.before === null ? null : true
}

/** Whether the page that ends with this number shows or links to anything older; null when it could not be read. */
async function namesOlder(
  number: number,
  { reader, purpose, mayContinue }: WalkOptions,
): Promise<boolean | null> {
  if (!(await mayContinue())) return null
  const outcome = await reader.read(number + 1, purpose)
  if (outcome.kind !== 'page') return null
  return outcome.page.before !== null || outcome.page.numbers.some((each) => each < number)
}
