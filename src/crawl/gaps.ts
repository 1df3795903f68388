/** What a visit has to read below a channel's newest page: down to the archived posts, then holes, re-reads, backfills. */
import { MAX_ALBUM } from '../model/post.ts'
import { DAY_MS } from '../model/time.ts'
import type { Gap, LeasedVisit, Stretch } from '../store/frontier.ts'
import type { ChannelPage, NoPage } from '../telegram/source.ts'
import type { ReadingBuilder } from './reading-builder.ts'
import {
  goesBackTo,
  isOfOnePage,
  linksToOlder,
  walkDown,
  type PageReader,
  type Walked,
} from './walk.ts'

export type OpenGap = Omit<Gap, 'id' | 'channelId'>

/** A first visit goes back by this many posts or this long, whichever is less. */
const FIRST_POSTS = 500
const FIRST_AGE_MS = 30 * DAY_MS
/** Pages that a visit walks down to the archived posts, and pages that it may add from the reserve. */
const MAX_WALK_PAGES = 40
const MAX_RESERVE_PAGES = 25
const CHECKPOINT_PAGES = 10
const REFRESH_EVERY_MS = DAY_MS
const REFRESH_AGE_MS = 7 * DAY_MS
const MAX_HOLES = 8

interface Reading {
  readonly reader: PageReader
  readonly builder: ReadingBuilder
}

interface Joined {
  /** What was left unread when the walk was cut short. */
  readonly gaps: readonly OpenGap[]
  readonly walked: Stretch
  /** The failure that stopped the walk, if any: requesting more now is pointless. */
  readonly why: NoPage | null
}

/** Walks from the newest page down into the archived posts, or as far as a first visit goes. */
export async function joinArchive(
  page: ChannelPage,
  newestNumber: number | null,
  { reader, builder }: Reading,
): Promise<Joined> {
  const isFirst = newestNumber === null
  const until = isFirst ? page.fetchedAt - FIRST_AGE_MS : null
  const before = page.numbers[0] ?? 1
  const downTo = isFirst ? 1 : newestNumber + 1
  const into = isFirst ? 1 : await builder.judgedFrom(newestNumber)
  let pages = 0
  const isOldEnough = until !== null && goesBackTo(until, page)
  const walked: Walked = isOldEnough
    ? { end: 'reached', before, why: null }
    : await walkDown(
        { before, downTo: into, until, offersOlder: linksToOlder(page) },
        {
          reader,
          purpose: 'visit',
          mayContinue: async () =>
            isFirst ? builder.posts.size < FIRST_POSTS : pages++ < MAX_WALK_PAGES,
          shownAbove: builder.shownAbove,
          onPage: builder.add,
        },
      )
  if (walked.end === 'start') await builder.startsAt(walked.before, reader)
  const isJoined = walked.end !== 'cut' || walked.before <= downTo
  const isEnough = isJoined || (isFirst && walked.why === null)
  const missing = Math.max(0, FIRST_POSTS - builder.posts.size)
  const hole: OpenGap = {
    kind: 'gap',
    before: walked.before,
    // Measured in numbers, of which an album uses several for one post: the hole must reach down to all missing posts.
    downTo: isFirst ? Math.max(1, walked.before - missing * MAX_ALBUM) : downTo,
    until,
  }
  return {
    gaps: isEnough ? [] : [hole],
    walked: stretchOf((page.numbers.at(-1) ?? 0) + 1, walked),
    why: walked.why,
  }
}

function stretchOf(before: number, walked: Walked): Stretch {
  return { before, downTo: walked.end === 'start' ? 1 : walked.before }
}

/** The stretches without posts that are too old to be kept: those were read but are not archived. */
export function keptStretches(
  walked: readonly Stretch[],
  { posts }: Pick<ReadingBuilder, 'posts'>,
  keptSince: number,
): readonly Stretch[] {
  const old = [...posts.values()].filter(({ publishedAt }) => publishedAt < keptSince)
  const lowest = Math.max(0, ...old.map(({ number }) => number)) + 1
  return walked.map(({ before, downTo }) => ({ before, downTo: Math.max(downTo, lowest) }))
}

/** Once a day, the last days below the newest page are read again. `gap` is undefined when that page shows all of them. */
export function refreshGap(
  page: ChannelPage,
  { schedule, channel }: LeasedVisit,
): { readonly isDue: boolean; readonly gap: OpenGap | undefined } {
  const at = page.fetchedAt
  const isDue = at - (schedule.refreshedAt ?? at) >= REFRESH_EVERY_MS
  const until = Math.max(at - REFRESH_AGE_MS, channel.firstPostAt ?? 0)
  const before = page.numbers[0] ?? 1
  const [lowest] = page.posts
  const isShown = before <= 1 || (lowest !== undefined && lowest.publishedAt <= until)
  const gap: OpenGap = { kind: 'refresh', before, downTo: 1, until }
  return { isDue, gap: isDue && !isShown ? gap : undefined }
}

interface Filled {
  readonly open: readonly OpenGap[]
  readonly walked: readonly Stretch[]
  readonly hasProgressed: boolean
  /** The kinds of gaps that met a page which may never be readable. */
  readonly stuck: ReadonlySet<Gap['kind']>
  readonly isLeaseLost: boolean
}

/** Holes first, since nobody has their posts; then posts that may have changed; then what the operator asked for. */
const ORDER = { gap: 0, refresh: 1, backfill: 2 } as const

/** Reads open gaps as far as the reserve allows, writing checkpoints on the way. */
export async function fillGaps(
  gaps: readonly OpenGap[],
  options: Reading & {
    /** Posts older than this are not kept, so no gap goes further back. */
    readonly keptSince: number
    readonly mayUseReserve: (purpose: Gap['kind']) => Promise<boolean>
    /** Writes what was read so far; false when the lease was lost. */
    readonly checkpoint: (gaps: readonly OpenGap[], walked: readonly Stretch[]) => Promise<boolean>
  },
): Promise<Filled> {
  const queue = gaps.toSorted((a, b) => ORDER[a.kind] - ORDER[b.kind] || b.before - a.before)
  const open: OpenGap[] = []
  const walked: Stretch[] = []
  const stuck = new Set<Gap['kind']>()
  let pages = 0
  let isStopped = false
  let isLeaseLost = false
  for (const [i, gap] of queue.entries()) {
    const end = await walkDown(
      { ...gap, until: Math.max(gap.until ?? -Infinity, options.keptSince), offersOlder: null },
      {
        reader: options.reader,
        purpose: gap.kind,
        mayContinue: async () =>
          !isStopped &&
          !isLeaseLost &&
          pages < MAX_RESERVE_PAGES &&
          options.mayUseReserve(gap.kind),
        shownAbove: options.builder.shownAbove,
        async onPage(page, upTo) {
          if (!(await options.builder.add(page, upTo))) return false
          if (++pages % CHECKPOINT_PAGES === 0) {
            const lowest = page.numbers[0] ?? gap.before
            isLeaseLost = !(await options.checkpoint(
              [...open, { ...gap, before: lowest }, ...queue.slice(i + 1)],
              [...walked, { before: Math.max(gap.before, lowest), downTo: lowest }],
            ))
          }
          return true
        },
      },
    )
    walked.push(stretchOf(Math.max(gap.before, end.before), end))
    if (end.end === 'start') await options.builder.startsAt(end.before, options.reader)
    if (end.end === 'cut') open.push({ ...gap, before: end.before })
    if (end.why === null) continue
    if (isOfOnePage(end.why)) stuck.add(gap.kind)
    else isStopped = true
  }
  return { open: mergeHoles(open), walked, hasProgressed: pages > 0, stuck, isLeaseLost }
}

/** A channel whose walks are cut short again and again must not accumulate holes without end. */
function mergeHoles(gaps: readonly OpenGap[]): readonly OpenGap[] {
  const holes = gaps.filter((gap) => gap.kind === 'gap')
  if (holes.length <= MAX_HOLES) return gaps
  const before = Math.max(...holes.map((gap) => gap.before))
  const downTo = Math.min(...holes.map((gap) => gap.downTo))
  return [{ kind: 'gap', before, downTo, until: null }, ...gaps.filter((g) => g.kind !== 'gap')]
}

export function openGaps({ gaps }: LeasedVisit): OpenGap[] {
  return gaps.map(({ kind, before, downTo, until }) => ({ kind, before, downTo, until }))
}
