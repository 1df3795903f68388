import { clockDoubt } from '../../model/clock-doubt.ts'
import { systemClock } from '../../model/clock.ts'
import { AppError } from '../../model/errors.ts'
import { DAY_MS, HOUR_S } from '../../model/time.ts'
import { openSearchIndex } from '../../search/open-search-index.ts'
import type { FrontierOverview, Schedule } from '../../store/frontier.ts'
import { PENDING_BOUND, indexConsumer } from '../../store/changes.ts'
import type { PictureTotals } from '../../store/pictures.ts'
import { ANALYZER_VERSION } from '../../text/analyze.ts'
import { failureWords } from '../../operations/render/failure-words.ts'
import type { CommandCall } from '../command.ts'
import { firstReads, firstReadsLine } from '../first-reads.ts'
import {
  formatAge,
  formatBytes,
  formatCount,
  formatDuration,
  formatInstant,
  plural,
  sparkline,
} from '../format.ts'
import { nextCommand } from '../invocation.ts'
import { openLocalStore } from '../local.ts'
import { showRow } from '../show-row.ts'
import { watchOverview } from '../../watch/watch-overview.ts'

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
  const [totals, waiting, frontier, candidates, budget] = await Promise.all([
    store.archive.totals(),
    store.changes.pending(indexConsumer(ANALYZER_VERSION), PENDING_BOUND),
    store.frontier.overview(now),
    store.frontier.countCandidates(now),
    store.budget.state(config.crawl.ratePerS),
  ])
  const [description, sample, held, pictures, watching] = await Promise.all([
    store.describe(),
    store.frontier.sample(2000),
    index.state().catch(unreachable),
    store.pictures.totals(Math.floor(now / DAY_MS)),
    watchOverview(store),
  ])
  const doubt = clockDoubt(now, totals)
  const bytes = (await store.files?.bytes()) ?? null
  const reads = firstReads(totals, config.crawl.ratePerS)
  const deciles = lagByDecile(sample.schedules, now)
  const known = { now, totals, waiting, frontier, candidates, budget, description, held }
  return { ...known, pictures, watching, doubt, bytes, reads, deciles }
}

/** Mean time between a visit and the next by tenths of the channels, slowest posters first; fewer when there are few. */
function lagByDecile(schedules: readonly Schedule[], now: number): number[] {
  const visited = schedules
    .filter((s) => s.lastVisitAt !== null)
    .map((s) => ({
      rate: s.seen / Math.max(s.exposureDays, 0.01),
      wait: Math.max(s.nextVisitAt, now) - (s.lastVisitAt as number),
    }))
    .toSorted((a, b) => a.rate - b.rate)
  const groups = Math.min(10, visited.length)
  return Array.from({ length: groups }, (_, i) => {
    const part = visited.slice(
      Math.floor((i * visited.length) / groups),
      Math.floor(((i + 1) * visited.length) / groups),
    )
    return part.reduce((sum, { wait }) => sum + wait, 0) / part.length
  })
}

/** The values for programs. */
function valuesOf(found: Found) {
  const { now, totals, waiting, frontier, budget, held, pictures, watching, reads } = found
  return {
    channels: totals.channels,
    channels_by_status: totals.channelsByStatus,
    posts: totals.posts,
    newest_post_at: totals.newestPostAt === null ? null : formatInstant(totals.newestPostAt),
    index_kind: 'posts' in held ? held.kind : null,
    index_posts: 'posts' in held ? held.posts : null,
    index_rebuilding: 'posts' in held ? held.rebuilding : null,
    index_behind: waiting.isBehind,
    index_problem: held.problem,
    pending_changes: waiting.count,
    index_lag_s: waiting.since === null ? 0 : (now - waiting.since) / 1000,
    first_reads: {
      waiting: reads.waiting,
      read: reads.read,
      left_s: Math.round(reads.leftMs / 1000),
    },
    due: frontier.due,
    late: frontier.late,
    leased: frontier.leased,
    planned_by_wrong_clock: frontier.misplanned,
    clock_doubt: found.doubt ?? null,
    gaps: frontier.gaps,
    failures: frontier.failures,
    candidates: found.candidates,
    watches: watching.watches,
    watch_lag_s: watching.behindSince === null ? 0 : (now - watching.behindSince) / 1000,
    deliveries_waiting: watching.pending,
    dead_letters: watching.dead,
    budget: {
      rate_per_s: budget.ratePerS,
      last_hour: budget.lastHour,
      last_hour_live: budget.lastHourLive,
      paused_until: budget.pausedUntil === null ? null : formatInstant(budget.pausedUntil),
    },
    revisit_s_by_rate_decile: found.deciles.map((ms) => Math.round(ms / 1000)),
    pictures: {
      kept: pictures.files,
      bytes: pictures.bytes,
      waiting: pictures.waiting,
      missing: pictures.missing,
      day_bytes: pictures.dayBytes,
    },
    bytes: found.bytes,
    store_kind: found.description.kind,
    store_version: found.description.version,
    store_schema: found.description.schemaVersion,
  }
}

/** The rows for people. */
function showRows(found: Found, call: CommandCall): void {
  const { config, print } = call
  const { now, totals, frontier, candidates, pictures, watching, reads, deciles } = found
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
  row('index', indexLine(found, call))
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
    row('pictures', picturesLine(pictures, config.pictures.limits.bytes))
  const failures = Object.entries(frontier.failures)
  if (failures.length > 0)
    row(
      'failing',
      failures.map(([kind, n]) => `${failureWords(kind)} (${formatCount(n)})`).join(', '),
    )
  if (candidates > 0)
    row('candidates', `${plural(candidates, 'channel')} named in posts, not indexed`)
  if (deciles.length > 0) {
    row(
      'revisits',
      `${sparkline(deciles)}  slowest to fastest channels, ${formatDuration(Math.max(...deciles))} to ${formatDuration(Math.min(...deciles))}`,
    )
  }
  if (watching.watches > 0) row('watches', watchLine(found, call))
  const wrongs = [
    ...(found.doubt === undefined ? [] : [`is it wrong? ${found.doubt}`]),
    ...(frontier.misplanned === 0
      ? []
      : [`${formatCount(frontier.misplanned)} visits were planned by a clock that was ahead`]),
  ]
  if (wrongs.length > 0) row('clock', `${formatInstant(now)}: ${wrongs.join('; ')}`)
  const { kind, version, schemaVersion, location } = found.description
  if (found.bytes === null)
    row('store', `${kind} ${version} schema ${schemaVersion} at ${location}`)
  else row('disk', `${formatBytes(found.bytes)} in ${location}`)
}

function watchLine({ watching, now }: Found, call: CommandCall): string {
  const { watches, pending, dead, behindSince } = watching
  const behind = behindSince === null ? '' : `, behind since ${formatAge(behindSince, now)}`
  const letters =
    dead === 0 ? '' : `; ${plural(dead, 'dead letter')}: ${nextCommand(call, 'watch dead')}`
  return `${formatCount(watches)}, ${formatCount(pending)} waiting to be sent${behind}${letters}`
}

/** Turns a failure into a value, so that the rest is still shown. */
function unreachable(error: unknown): { readonly problem: string } {
  if (error instanceof AppError) return { problem: error.message }
  throw error
}

function indexLine({ held, totals, waiting, now }: Found, call: CommandCall): string {
  if (!('posts' in held)) return held.problem
  if (held.generation === 0)
    return totals.posts === 0
      ? 'none yet'
      : `missing: ${nextCommand(call, 'serve')} or reindex makes it`
  const rebuilt = held.rebuilding ? '; being rebuilt' : ''
  if (waiting.isBehind) return `may lack posts until it is rebuilt${rebuilt}`
  if (waiting.count === 0) return `up to date${rebuilt}`
  const changes =
    waiting.count < PENDING_BOUND
      ? plural(waiting.count, 'change')
      : `${formatCount(waiting.count)} or more changes`
  return `${changes} waiting, oldest ${formatAge(waiting.since, now)}${rebuilt}`
}

function picturesLine({ files, bytes, waiting, missing }: PictureTotals, limit: number): string {
  const kept = `${formatCount(files)} kept, ${formatBytes(bytes)} of ${formatBytes(limit)}`
  return `${kept}; ${formatCount(waiting)} waiting, ${formatCount(missing)} could not be had`
}

/** True when none of the waiting channels could be reached. */
function isAway({ failures }: FrontierOverview, waiting: number): boolean {
  const unreached = Object.entries(failures).filter(([kind]) => kind.startsWith('unreachable_'))
  return unreached.reduce((sum, [, count]) => sum + count, 0) >= waiting
}

function budgetLine(
  budget: { ratePerS: number; lastHour: number; lastHourLive: number; pausedUntil: number | null },
  ratePerS: number,
  now: number,
): string {
  const share = Math.round((budget.lastHour / (ratePerS * HOUR_S)) * 100)
  const paused =
    budget.pausedUntil !== null && budget.pausedUntil > now
      ? `; paused, goes on ${formatAge(budget.pausedUntil, now)}`
      : ''
  return `${formatCount(budget.lastHour)} requests in the last hour (${share} % of ${ratePerS}/s), ${formatCount(budget.lastHourLive)} live${paused}`
}
