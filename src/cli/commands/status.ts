import { createClockCheck } from '../../model/clock-check.ts'
import { clockDoubt } from '../../model/clock-doubt.ts'
import { systemClock } from '../../model/clock.ts'
import { AppError } from '../../model/errors.ts'
import { HOUR_S } from '../../model/time.ts'
import { statusOf } from '../../operations/get-status.ts'
import { createOverview } from '../../operations/overview.ts'
import { failureWords } from '../../operations/render/failure-words.ts'
import { openSearchIndex } from '../../search/open-search-index.ts'
import type { BudgetState } from '../../store/budget.ts'
import type { FrontierOverview } from '../../store/frontier.ts'
import { VERSION } from '../../version.ts'
import type { CommandCall } from '../command.ts'
import { firstReads, firstReadsLine } from '../first-reads.ts'
import { formatAge, formatCount, formatInstant, plural } from '../format.ts'
import { openLocalStore } from '../local.ts'
import { showRow } from '../show-row.ts'
import { describeIndex, describePictures, describeStore, describeWatches } from '../state-lines.ts'
import { describeSkew, isSkewTooLarge, skewOf } from '../../clock-skew.ts'

export async function status(call: CommandCall): Promise<void> {
  const found = await gather(call)
  if (call.json) call.print.json(valuesOf(found))
  else showRows(found, call)
}

type Found = Awaited<ReturnType<typeof gather>>

async function gather(call: CommandCall) {
  const { config, signal } = call
  await using store = await openLocalStore(call)
  await using index = await openSearchIndex(config.index, systemClock, signal)
  const now = systemClock.now()
  const { ratePerS } = config.crawl
  const settings = { crawlRatePerS: ratePerS }
  const overview = createOverview({ store, index, clock: systemClock, settings })
  const skew = await skewOf(store, systemClock)
  const check = createClockCheck(systemClock)
  check.hear('database', now + skew)
  const told = await statusOf(overview, { version: VERSION, clock_problem: check.problem() })
  const [totals, held, pending, frontier, budget, pictures, watching, candidates, description] =
    await Promise.all([
      overview.totals(),
      index.state().catch(async (error: unknown) => {
        if (!(error instanceof AppError)) throw error
        // Callers are not told the names of servers; the operator is.
        return { ...(await overview.index()), problem: error.message }
      }),
      overview.pending(),
      overview.frontier(),
      overview.budget(),
      overview.pictures(),
      overview.watches(),
      store.frontier.countCandidates(now),
      store.describe(),
    ])
  const bytes = (await store.files?.bytes()) ?? null
  const known = { now, told, totals, held, pending, frontier, budget, pictures, watching }
  const reads = firstReads(totals, ratePerS)
  const doubt = isSkewTooLarge(skew) ? describeSkew(skew) : clockDoubt(now, totals)
  return { ...known, candidates, description, bytes, reads, doubt }
}

/** For programs: what `/v1/status` tells everybody, and what concerns only the operator. */
function valuesOf(found: Found) {
  const { now, told, held, pending, frontier, pictures, watching, reads, description } = found
  return {
    ...told,
    visits: {
      ...told.visits,
      leased: frontier.leased,
      gaps: frontier.gaps,
      first_reads: {
        waiting: reads.waiting,
        read: reads.read,
        left_s: Math.round(reads.leftMs / 1000),
      },
      candidates: found.candidates,
    },
    index: {
      ...told.index,
      kind: held.kind,
      behind: pending.isBehind,
      problem: held.problem ?? told.index.problem,
    },
    clock_doubt: found.doubt ?? null,
    watches: {
      count: watching.watches,
      lag_s: watching.behindSince === null ? 0 : (now - watching.behindSince) / 1000,
      waiting: watching.pending,
      dead_letters: watching.dead,
    },
    pictures: {
      kept: pictures.files,
      bytes: pictures.bytes,
      waiting: pictures.waiting,
      missing: pictures.missing,
      day_bytes: pictures.dayBytes,
    },
    store: {
      kind: description.kind,
      version: description.version,
      schema: description.schemaVersion,
      bytes: found.bytes,
    },
  }
}

/** The rows for people. */
function showRows(found: Found, call: CommandCall): void {
  const { config, print } = call
  const { now, totals, frontier, candidates, pictures, watching, reads } = found
  const row = (name: string, value: string) =>
    showRow(print.style.bold(name.padEnd(12)), value, print)
  const states = Object.entries(totals.channelsByStatus).map(
    ([name, n]) => `${formatCount(n)} ${name}`,
  )
  row(
    'channels',
    `${formatCount(totals.channels)}${states.length > 0 ? ` (${states.join(', ')})` : ''}`,
  )
  row('posts', `${formatCount(totals.posts)}, newest ${formatAge(totals.newestPostAt, now)}`)
  row('index', describeIndex(found, call))
  row(
    'due',
    `${formatCount(frontier.due)} due, ${formatCount(frontier.late)} late${frontier.oldestDueAt === null ? '' : `, longest since ${formatAge(frontier.oldestDueAt, now)}`}; ${formatCount(frontier.leased)} being read`,
  )
  if (reads.waiting > 0) row('first reads', firstReadsLine(reads, isAway(frontier, reads.waiting)))
  const gaps = Object.entries(frontier.gaps).filter(([, n]) => n > 0)
  if (gaps.length > 0)
    row('to read', gaps.map(([kind, n]) => `${formatCount(n)} ${kind}`).join(', '))
  row('budget', budgetLine(found.budget, config.crawl.ratePerS, now))
  if (config.media === 'keep' || pictures.files > 0)
    row('pictures', describePictures(pictures, config.pictures.limits.bytes))
  const failures = Object.entries(frontier.failures)
  if (failures.length > 0)
    row(
      'failing',
      failures.map(([kind, n]) => `${failureWords(kind)} (${formatCount(n)})`).join(', '),
    )
  if (candidates > 0)
    row('candidates', `${plural(candidates, 'channel')} named in posts, not indexed`)
  if (watching.watches > 0) row('watches', describeWatches(watching, now, call).join('; '))
  if (found.doubt !== undefined) row('clock', `${formatInstant(now)}: is it wrong? ${found.doubt}`)
  row('store', describeStore(found.description, found.bytes))
}

/** True when none of the waiting channels could be reached. */
function isAway({ failures }: FrontierOverview, waiting: number): boolean {
  const unreached = Object.entries(failures).filter(([kind]) => kind.startsWith('unreachable_'))
  return unreached.reduce((sum, [, count]) => sum + count, 0) >= waiting
}

function budgetLine(budget: BudgetState, ratePerS: number, now: number): string {
  const share = Math.round((budget.lastHour / (ratePerS * HOUR_S)) * 100)
  const paused =
    budget.pausedUntil !== null && budget.pausedUntil > now
      ? `; paused, goes on ${formatAge(budget.pausedUntil, now)}`
      : ''
  return `${formatCount(budget.lastHour)} requests in the last hour (${share} % of ${ratePerS}/s), ${formatCount(budget.lastHourLive)} live${paused}`
}
