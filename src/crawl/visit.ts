/**
 * One visit of one channel from start to end: it reads the newest page, older ones down to the archived posts, and then what
 * is still missing or due to be read again, as far as the reserve allows. The result is settled in one write.
 */
import type { Clock } from '../model/clock.ts'
import { MAX_POST_NUMBER, type Post } from '../model/post.ts'
import { MINUTE_MS } from '../model/time.ts'
import type { Archive, Reading } from '../store/archive.ts'
import {
  newSchedule,
  type Frontier,
  type Gap,
  type LeasedVisit,
  type Schedule,
  type VisitResult,
} from '../store/frontier.ts'
import type { ChannelPage, NoPage, Source } from '../telegram/source.ts'
import { CONTRADICTORY, isOther } from './agrees.ts'
import { readAppOnly } from './app-only.ts'
import { readFirstPage } from './first-page.ts'
import { judgeFailure } from './failures.ts'
import { createReadingBuilder, type HiddenPosts, type ReadingBuilder } from './reading-builder.ts'
import { isSilent, updateRates, planNext, type Pricing } from './policy.ts'
import { fillGaps, joinArchive, keptStretches, openGaps, refreshGap, type OpenGap } from './gaps.ts'
import { asksToBeLeftOut } from './opt-out.ts'
import { vanishedOf, weighOther, withVanished, type Doubt } from './second-look.ts'
import { createPageReader, type PageReader } from './walk.ts'

interface VisitDeps {
  readonly source: Source
  readonly archive: Archive
  /** Whether a channel is known by this numeric id. */
  readonly isKnownId: (platformId: number) => Promise<boolean>
  readonly clock: Clock
  readonly pricing: Pricing
  /** In [0, 1). */
  readonly random: () => number
  /** Takes one request from the reserve; false when it is used up. */
  readonly mayUseReserve: (purpose: Gap['kind']) => Promise<boolean>
  readonly hidden: HiddenPosts
  /** After how long a second look is believed that shows another channel, or no posts at all; null: not now. */
  readonly secondLookMs: () => Promise<number | null>
  /** Posts older than this are not kept. */
  readonly keptSince: number
  /** Writes part of a long walk; false when the lease was lost. */
  readonly checkpoint: (part: Parameters<Frontier['checkpoint']>[1]) => Promise<boolean>
}

export type VisitEnd = { readonly requests: number } & (
  | {
      readonly kind: 'read'
      readonly result: VisitResult
      /** Posts not seen before. */
      readonly fresh: readonly Post[]
    }
  /** The page is another channel's, which has the name from now on. Its posts are read by a visit of its own. */
  | { readonly kind: 'other_channel'; readonly result: VisitResult }
  | {
      readonly kind: 'failed'
      readonly result: VisitResult
      readonly outcome: NoPage
      /** The platform said "no posts" for a channel that still has some. */
      readonly isSoftThrottle: boolean
    }
  /** The channel's own description asks not to be indexed. The reading identifies the channel and has no posts. */
  | { readonly kind: 'opted_out'; readonly reading: Reading }
  | { readonly kind: 'lease_lost' }
)

export async function visit(
  leased: LeasedVisit,
  deps: VisitDeps,
  signal: AbortSignal,
): Promise<VisitEnd> {
  const { channel, schedule } = leased
  const { reader, first } = await readFirstPage(channel, (username, requests) =>
    createPageReader({ ...deps, username, signal, requests }),
  )
  const builder = createReadingBuilder({ ...deps, channel, vanished: vanishedOf(schedule) })
  const v: Visiting = { leased, deps, reader, builder }
  if (first.kind === 'empty') {
    const isSoftThrottle = await isMasked(v)
    const reading = builder.take(deps.clock.now())
    return fail(v, first, { isSoftThrottle, reading })
  }
  if (first.kind !== 'page') return fail(v, first)
  const { page } = first
  const { profile: shown, fetchedAt: at } = page
  if (isOther(channel, shown)) {
    if (shown.platformId === null) return fail(v, CONTRADICTORY)
    const waitMs = await deps.secondLookMs()
    const { isSure, ...doubt } = weighOther(schedule, shown.platformId, { at, waitMs })
    return isSure ? handOver(v, page) : fail(v, CONTRADICTORY, { doubt })
  }
  if (asksToBeLeftOut(shown)) {
    // A page that tells no id speaks for no channel that has one.
    if (shown.platformId === null && channel.platformId !== null) return fail(v, CONTRADICTORY)
    return { kind: 'opted_out', reading: identify(v, page), requests: reader.requests }
  }
  const isNewId = channel.platformId === null && shown.platformId !== null
  if (isNewId && (await deps.isKnownId(shown.platformId))) return handOver(v, page)
  return (await builder.add(page, MAX_POST_NUMBER)) ? readOn(v, page) : fail(v, CONTRADICTORY)
}

interface Visiting {
  readonly leased: LeasedVisit
  readonly deps: VisitDeps
  readonly reader: PageReader
  readonly builder: ReadingBuilder
}

/** What else is known of a visit that failed. */
interface Failed {
  readonly isSoftThrottle?: boolean
  /** Posts that are gone. */
  readonly reading?: Reading | null
  readonly doubt?: Doubt
}

function fail(
  { leased, deps, builder, reader }: Visiting,
  outcome: NoPage,
  failed: Failed = {},
): VisitEnd {
  const { isSoftThrottle = false, reading = null, doubt } = failed
  const at = deps.clock.now()
  const verdict = judgeFailure(leased, outcome, { at, random: deps.random() })
  const schedule = { ...withVanished(verdict.schedule, builder.vanished, at), ...doubt }
  const result = { ...verdict, schedule, reading, gaps: openGaps(leased), walked: [] }
  return { kind: 'failed', result, outcome, isSoftThrottle, requests: reader.requests }
}

/** Whose page it is, without its posts. */
function identify(
  { leased }: Visiting,
  { profile, fetchedAt, parserVersion }: ChannelPage,
): Reading {
  const from = { channelId: leased.channel.id, at: fetchedAt, capture: 'crawl' } as const
  return { ...from, parserVersion, profile, posts: [], deleted: [] }
}

function handOver(v: Visiting, page: ChannelPage): VisitEnd {
  const rest = { status: 'queued', reason: null, gaps: [], walked: [] } as const
  const schedule = newSchedule(page.fetchedAt)
  const result = { reading: identify(v, page), schedule, ...rest }
  return { kind: 'other_channel', result, requests: v.reader.requests }
}

async function readOn(v: Visiting, page: ChannelPage): Promise<VisitEnd> {
  const { leased, deps, builder, reader } = v
  const { schedule } = leased

  const joined = await joinArchive(page, schedule.newestNumber, { reader, builder })
  // Above it may be pages with nothing that is archived: the mistake would be believed as soon as it lasts for twenty posts.
  if (joined.why === CONTRADICTORY) return fail(v, CONTRADICTORY)
  const gaps = [...joined.gaps, ...openGaps(leased)]
  const refresh = refreshGap(page, leased)
  // A page without a link to an older one may be the start of the history. Where older ones are read anyway, they tell.
  if (refresh.isDue && !refresh.gap && page.before === null) {
    await builder.startsAt(page.numbers[0] ?? 1, reader)
  }
  const underWay = gaps.find((gap) => gap.kind === 'refresh')
  if (refresh.gap && !underWay) gaps.push(refresh.gap)
  const { keptSince } = deps
  const filled = await fillGaps(gaps, {
    reader,
    builder,
    keptSince,
    mayUseReserve: async (purpose) => joined.why === null && deps.mayUseReserve(purpose),
    async checkpoint(rest, since) {
      const reading = builder.take(deps.clock.now())
      const walked = keptStretches([joined.walked, ...since], builder, keptSince)
      return reading === null || deps.checkpoint({ reading, gaps: rest, walked })
    },
  })
  if (filled.isLeaseLost) return { kind: 'lease_lost', requests: reader.requests }
  await builder.confirm(reader, page.fetchedAt)
  const { profile, fetchedAt: at } = page
  await readAppOnly({ ...deps, channelId: leased.channel.id, profile, builder, reader })

  const floor = schedule.newestNumber ?? 0
  const fresh = [...builder.posts.values()].filter((post) => post.number > floor)
  // An earlier refresh that has met a page which cannot be read must not keep all later ones waiting.
  const isOver = ({ kind, before }: OpenGap) =>
    kind === 'refresh' && before === underWay?.before && filled.stuck.has(kind)
  const open = filled.open.map((gap) => (refresh.gap && isOver(gap) ? refresh.gap : gap))
  const planned = planAfter(v, page, fresh, {
    gaps: open,
    hasProgressed: filled.hasProgressed || joined.gaps.length > 0,
    isStuck: filled.stuck.size > 0,
  })
  const refreshedAt = refresh.isDue ? page.fetchedAt : (schedule.refreshedAt ?? page.fetchedAt)
  return {
    kind: 'read',
    fresh,
    requests: reader.requests,
    result: {
      reading: builder.take(deps.clock.now()),
      schedule: withVanished(
        { ...planned, newestNumber: Math.max(floor, page.numbers.at(-1) ?? 0), refreshedAt },
        builder.vanished,
        at,
      ),
      status: isSilent(planned) ? 'dormant' : 'active',
      reason: null,
      gaps: open,
      walked: keptStretches([joined.walked, ...filled.walked], builder, keptSince),
    },
  }
}

/**
 * Decides whether "no posts" for a channel that had some is a soft throttle, or all were deleted. The newest archived post is
 * requested by itself; only if it is gone are the others requested, too.
 */
async function isMasked({
  leased: { channel, schedule },
  builder,
  reader,
  deps,
}: Visiting): Promise<boolean> {
  const newest = schedule.newestNumber
  if (newest === null) return false
  const lowest = Math.max(1, newest - 200)
  const archived = await deps.archive.numbersBetween(channel.id, lowest, newest)
  const last = archived.at(-1)
  if (last === undefined) return false
  const outcome = await reader.post(last)
  const waitMs = outcome.kind === 'deleted' ? await deps.secondLookMs() : null
  if (waitMs !== null) {
    builder.suspect(archived)
    await builder.confirm(reader, deps.clock.now(), waitMs)
  }
  return outcome.kind === 'post'
}

/** The `lastFailure` of a channel that was read, but for an older page. */
const HELD_UP = 'older_page'

function planAfter(
  { leased, deps }: Visiting,
  page: ChannelPage,
  fresh: readonly Post[],
  {
    gaps,
    hasProgressed,
    isStuck,
  }: {
    readonly gaps: readonly OpenGap[]
    readonly hasProgressed: boolean
    readonly isStuck: boolean
  },
): Schedule {
  const at = page.fetchedAt
  const publishedAt = fresh.map((post) => post.publishedAt)
  const oldest = publishedAt.reduce((a, b) => Math.min(a, b), at)
  const since = leased.schedule.lastVisitAt ?? oldest
  const learnt = updateRates(leased.schedule, { at, since, publishedAt })
  const subscribers = (page.profile.subscribers ?? leased.channel.subscribers)?.value ?? null
  const random = deps.random()
  const planned = planNext(learnt, subscribers, { at, pricing: deps.pricing, random })
  if (gaps.length === 0) return planned
  // If no hole could be filled at all, the next visit need not hurry; and a page that is never readable is asked for ever more rarely.
  const isHurried = hasProgressed && gaps.some((gap) => gap.kind === 'gap')
  const { lastVisitAt, lastFailure } = leased.schedule
  const isHeldUp = isStuck && !hasProgressed
  // Only after a visit that such a page held up, too, does the time since then say how long was waited for it.
  const grown = isHeldUp && lastFailure === HELD_UP ? 2 * (at - (lastVisitAt ?? at)) : 0
  const waitMs = isHurried ? MINUTE_MS : Math.max(10 * MINUTE_MS, grown)
  return {
    ...planned,
    lastFailure: isHeldUp ? HELD_UP : null,
    nextVisitAt: Math.min(planned.nextVisitAt, at + waitMs),
    earliestVisitAt: hasProgressed ? at : planned.earliestVisitAt,
  }
}
