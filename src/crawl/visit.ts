/**
 * One visit of one channel from start to end: it reads the newest page, older ones down to the archived posts, and then what
 * is still missing or due to be read again, as far as the reserve allows. The result is settled in one write.
 */
import type { Clock } from '../model/clock.ts'
import { MAX_POST_NUMBER, type Post } from '../model/post.ts'
import { MINUTE_MS } from '../model/time.ts'
import type { Archive, Reading } from '../store/archive.ts'
import type { Frontier, Gap, LeasedVisit, Schedule, VisitResult } from '../store/frontier.ts'
import type { ChannelPage, NoPage, Source } from '../telegram/source.ts'
import { beliefInId, type BearerOf, type IdBelief } from './believed-id.ts'
import { OPT_OUT_TAG, isOwnPage, surpriseOf, weighDoubt, type Surprise } from './doubt.ts'
import { readAppOnly } from './app-only.ts'
import { readFirstPage } from './first-page.ts'
import { judgeFailure } from './failures.ts'
import { createReadingBuilder, type HiddenPosts, type ReadingBuilder } from './reading-builder.ts'
import { isSilent, updateRates, planNext, type Pricing } from './policy.ts'
import { withPlausibleNumbers, plausibleCursor } from './plausible-numbers.ts'
import { fillGaps, joinArchive, keptStretches, openGaps, refreshGap, type OpenGap } from './gaps.ts'
import { vanishedOf, withVanished } from './vanished.ts'
import { createPageReader, type PageReader } from './walk.ts'

interface VisitDeps {
  readonly source: Source
  readonly archive: Archive
  readonly bearerOf: BearerOf
  readonly clock: Clock
  readonly pricing: Pricing
  /** In [0, 1). */
  readonly random: () => number
  /** Takes one request from the reserve; false when it is used up. */
  readonly mayUseReserve: (purpose: Gap['kind']) => Promise<boolean>
  readonly hidden: HiddenPosts
  /** How long the channel must have shown no posts for their deletion to be believed; null: it cannot be believed now. */
  readonly emptyWaitMs: () => Promise<number | null>
  /** Posts older than this are not kept. */
  readonly keptSince: number
  /** Writes part of a long walk; false when the lease was lost. */
  readonly checkpoint: (part: Parameters<Frontier['checkpoint']>[1]) => Promise<boolean>
}

export type VisitEnd =
  | {
      readonly kind: 'read'
      readonly result: VisitResult
      /** Posts not seen before. */
      readonly fresh: readonly Post[]
      readonly requests: number
    }
  | {
      readonly kind: 'failed'
      readonly result: VisitResult
      readonly outcome: NoPage
      /** The platform said "no posts" for a channel that still has some. */
      readonly isSoftThrottle: boolean
      readonly requests: number
    }
  /** Something that one answer is not enough to believe: only the doubt is written. */
  | {
      readonly kind: 'doubted'
      readonly result: VisitResult
      readonly surprise: Surprise
      readonly requests: number
    }
  /** The channel's own description asks not to be indexed. The reading identifies the channel and has no posts. */
  | { readonly kind: 'opted_out'; readonly reading: Reading; readonly requests: number }
  /** The name now shows another channel: the reading belongs to that one. */
  | { readonly kind: 'other_channel'; readonly reading: Reading; readonly requests: number }
  | { readonly kind: 'lease_lost'; readonly requests: number }

export async function visit(
  leased: LeasedVisit,
  deps: VisitDeps,
  signal: AbortSignal,
): Promise<VisitEnd> {
  const { channel } = leased
  const { reader, first } = await readFirstPage(channel, (username, requests) =>
    createPageReader({ ...deps, username, signal, requests }),
  )
  const vanished = vanishedOf(leased.schedule)
  const builder = createReadingBuilder({ ...deps, channelId: channel.id, vanished })
  const fail = (outcome: NoPage, isSoftThrottle = false): VisitEnd => {
    const at = deps.clock.now()
    const verdict = judgeFailure(leased, outcome, { at, random: deps.random() })
    const rest = { reading: builder.take(at) ?? null, gaps: openGaps(leased), walked: [] }
    const schedule = withVanished(verdict.schedule, builder.vanished, at)
    const result = { ...verdict, schedule, ...rest }
    return { kind: 'failed', result, outcome, isSoftThrottle, requests: reader.requests }
  }

  if (first.kind === 'empty') return fail(first, await isMasked(leased, { builder, reader, deps }))
  if (first.kind !== 'page') return fail(first)
  const sound = await withSoundCursor(leased, first.page, deps.archive)
  const page = withPlausibleNumbers(first.page, sound.schedule.newestNumber)
  if (page.numbers.length === 0) return fail({ kind: 'broken', what: 'truncated' })
  const seen = surpriseOf(channel, page.profile)
  if (seen === 'opt_out_of_unknown') return fail({ kind: 'broken', what: 'truncated' })
  const bearer = await deps.bearerOf(page.profile.platformId)
  const belief = await beliefInId(channel, page, { ...deps, bearer, reader })
  if (belief === 'mistaken') return fail({ kind: 'broken', what: 'layout_unknown' })
  if (belief === 'unread') return fail({ kind: 'broken', what: 'truncated' })
  const surprise = seen ?? (belief === 'doubtful' ? 'renamed' : undefined)
  if (surprise) {
    const end = afterSurprise(leased, page, surprise, belief)
    if (end) return { ...end, requests: reader.requests }
  }
  let isTaken = await builder.add(page, MAX_POST_NUMBER)
  if (builder.isRedated) {
    const end = afterSurprise(leased, page, 'redated')
    if (end) return { ...end, requests: reader.requests }
    builder.believeDates()
    isTaken = await builder.add(page, MAX_POST_NUMBER)
  }
  if (!isTaken) return fail({ kind: 'broken', what: 'layout_unknown' })
  return readOn({ leased: sound, deps, reader, builder, page, bearer })
}

async function withSoundCursor(leased: LeasedVisit, page: ChannelPage, archive: Archive) {
  const { channel, schedule } = leased
  const newestNumber = await plausibleCursor(page, schedule.newestNumber, (...range) =>
    archive.numbersBetween(channel.id, ...range),
  )
  return { ...leased, schedule: { ...schedule, newestNumber } }
}

/** Undefined when the visit may continue, because the new name or dates were confirmed by an earlier observation. */
function afterSurprise(
  leased: LeasedVisit,
  page: ChannelPage,
  surprise: Surprise,
  belief: IdBelief = 'sure',
) {
  const { channel } = leased
  const { profile: shown, fetchedAt: at } = page
  const { isSure, schedule } = weighDoubt(leased.schedule, surprise, { shown, at })
  const isAtOnce = surprise === 'opt_out' && belief === 'sure' && isOwnPage(channel, shown)
  if (!isSure && !isAtOnce) {
    const { status, reason } = channel
    const rest = { reading: null, gaps: openGaps(leased), walked: [] }
    return { kind: 'doubted', surprise, result: { schedule, status, reason, ...rest } } as const
  }
  if (surprise === 'renamed' || surprise === 'redated') return undefined
  const { parserVersion } = page
  // The new owner of the name may ask to opt out, too: its own visits will handle that, and no post of it is taken in here.
  const posts = OPT_OUT_TAG.test(shown.description) ? [] : page.posts
  const read = { channelId: channel.id, at, parserVersion, profile: shown, posts, deleted: [] }
  const kind = surprise === 'opt_out' ? 'opted_out' : 'other_channel'
  return { kind, reading: { ...read, capture: 'crawl' } } as const
}

interface Visiting {
  readonly leased: LeasedVisit
  readonly deps: VisitDeps
  readonly reader: PageReader
  readonly builder: ReadingBuilder
  readonly page: ChannelPage
  readonly bearer: number | null
}

/** What was read since the last call. */
function take({ builder, bearer, deps }: Visiting): Reading | null {
  const reading = builder.take(deps.clock.now())
  return reading ? { ...reading, bearer } : null
}

async function readOn(v: Visiting): Promise<VisitEnd> {
  const { leased, deps, builder, page, reader } = v
  const { schedule } = leased
  const onPage = async (older: ChannelPage, upTo: number) =>
    !isOther(page.profile.platformId, older) && (await builder.add(older, upTo))

  const joined = await joinArchive(page, schedule.newestNumber, { reader, builder, onPage })
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
    onPage,
    keptSince,
    mayUseReserve: async (purpose) => !joined.isStopped && deps.mayUseReserve(purpose),
    async checkpoint(rest, since) {
      const reading = take(v)
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
  const planned = planAfter(v, fresh, {
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
      reading: take(v),
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
async function isMasked(
  { channel, schedule }: LeasedVisit,
  { builder, reader, deps }: Pick<Visiting, 'builder' | 'reader' | 'deps'>,
): Promise<boolean> {
  const newest = schedule.newestNumber
  if (newest === null) return false
  const lowest = Math.max(1, newest - 200)
  const archived = await deps.archive.numbersBetween(channel.id, lowest, newest)
  const last = archived.at(-1)
  if (last === undefined) return false
  const outcome = await reader.post(last)
  const waitMs = outcome.kind === 'deleted' ? await deps.emptyWaitMs() : null
  if (waitMs !== null) {
    builder.suspect(archived)
    await builder.confirm(reader, deps.clock.now(), waitMs)
  }
  return outcome.kind === 'post'
}

/** The `lastFailure` of a channel that was read, but for an older page. */
const HELD_UP = 'older_page'

function planAfter(
  { leased, deps, page }: Visiting,
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

function isOther(platformId: number | null, page: ChannelPage): boolean {
  const shown = page.profile.platformId
  return platformId !== null && shown !== null && shown !== platformId
}
