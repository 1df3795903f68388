import { createHash } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { createApp, type App } from '../../app.ts'
import { AppError } from '../../model/errors.ts'
import { keepsFiles } from '../../operator-files.ts'
import { clockDoubt } from '../../model/clock-doubt.ts'
import { systemClock } from '../../model/clock.ts'
import { isIndexRemote } from '../../search/index-location.ts'
import { examineIndex } from '../../search/open-search-index.ts'
import type { Store } from '../../store/store.ts'
import { OWN_CHANNEL, type PageOutcome } from '../../telegram/source.ts'
import { ANALYZER_VERSION } from '../../text/analyze.ts'
import type { CommandCall, Exit } from '../command.ts'
import { verifyStore } from '../copy-store.ts'
import { explain } from '../explain.ts'
import { formatAge, formatBytes, formatCount, formatDuration } from '../format.ts'
import { nextCommand } from '../invocation.ts'
import { showRow } from '../show-row.ts'
import { describeIndex, describePictures, describeStore, describeWatches } from '../state-lines.ts'
import { expectWrites } from '../../ready.ts'
import { describeSkew, isSkewTooLarge } from '../../clock-skew.ts'
import { VERSION } from '../../version.ts'
import { allWatches, isStopped } from './watch.ts'

interface Finding {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
}

const MIN_FREE_BYTES = 1e9
const PICTURES_READ = 50
const MAX_SKEW_MS = 120_000
/**
 * The platform gives its time in seconds, and its reply takes some. With a greater difference, posts seem to come from the
 * future or late.
 */
const MAX_OFF_MS = 30_000
const SOURCE_TIMEOUT_MS = 15_000

export async function doctor(call: CommandCall): Promise<Exit> {
  const { print } = call
  const findings = await examine(call)
  const isWell = findings.every((finding) => finding.ok)
  if (call.json) print.json({ ok: isWell, findings })
  else {
    for (const { check, ok, detail } of findings) {
      const mark = ok ? print.style.green('ok  ') : print.style.red('bad ')
      showRow(`${mark} ${check.padEnd(10)} `, detail, print)
    }
  }
  return isWell ? 'ok' : 'failed'
}

async function examine(call: CommandCall): Promise<Finding[]> {
  const { config, flags, signal } = call
  let opened: App
  try {
    opened = await createApp(config, call.secrets, { log: 'error', signal })
  } catch (error) {
    signal.throwIfAborted()
    // If nothing can be opened, as on a full disk or with a damaged store, that is the finding.
    const start = { check: 'start', ok: false, detail: explain(error, call) }
    return [start, ...(await checkDisk(call))]
  }
  await using app = opened
  return [
    await checkVersions(app.store),
    await checkIntegrity(app.store, call),
    await checkIndex(app, call),
    ...(await checkPictures(app)),
    ...(await checkWatches(app, call)),
    ...(await checkDisk(call)),
    // Before the clock is checked, because the platform's response tells its time.
    ...(flags['offline'] === true ? [] : [await checkSource(app, signal)]),
    await checkTime(app),
  ]
}

/** A stopped receiver or undelivered messages are for the operator to fix. */
async function checkWatches(app: App, call: CommandCall): Promise<Finding[]> {
  const { store, config, clock } = app
  const watching = await app.context.overview.watches()
  if (watching.watches === 0) return []
  const all = await allWatches(store)
  const stopped = all.filter(isStopped).map(({ name }) => name)
  if (all.some(({ sinks }) => sinks.telegram) && config.senders.bot.token === null)
    stopped.push('those to Telegram (TELEGREP_BOT_TOKEN_FILE is not set)')
  if (all.some(({ sinks }) => sinks.email) && config.senders.mail === null)
    stopped.push('those by mail (TELEGREP_SMTP_URL is not set)')
  const [figures, ...wrongs] = describeWatches(watching, clock.now(), call)
  if (stopped.length > 0) wrongs.push(`not told: ${stopped.slice(0, 5).join(', ')}`)
  return [{ check: 'watches', ok: wrongs.length === 0, detail: [figures, ...wrongs].join('; ') }]
}

async function checkVersions(store: Store): Promise<Finding> {
  const kept = describeStore(await store.describe(), (await store.files?.bytes()) ?? null)
  return {
    check: 'versions',
    ok: true,
    detail: `telegrep ${VERSION}, node ${process.version}, ${kept}`,
  }
}

async function checkIntegrity(store: Store, call: CommandCall): Promise<Finding> {
  // A table is missing, or nothing may be written; the other findings are still reported.
  const told = (error: unknown) => {
    if (error instanceof AppError) return [error.message]
    throw error
  }
  const unsound = await verifyStore(store, call.print).catch(told)
  // It must write, even if a server was asked a moment ago whether it is ready.
  const unwritten = await expectWrites(store, 1).then(() => [], told)
  const problems = [...new Set([...unsound, ...unwritten])]
  const detail = problems.length === 0 ? 'the store is sound' : problems.slice(0, 5).join('; ')
  return { check: 'integrity', ok: problems.length === 0, detail }
}

async function checkIndex(app: App, call: CommandCall): Promise<Finding> {
  const { config, index, context } = app
  const check = 'index'
  const reindex = nextCommand(call, 'reindex')
  try {
    const health = await examineIndex(config.index)
    if (health.trouble !== null) {
      return { check, ok: false, detail: `${health.engine}: ${health.trouble}` }
    }
    const state = await index.state()
    const problem = health.problem ?? state.problem
    if (problem !== null) {
      const heals = `a running server builds it anew by itself, ${reindex} does at once`
      return { check, ok: false, detail: `${health.engine}, damaged or lost: ${problem}; ${heals}` }
    }
    const { overview } = context
    const [pending, totals] = await Promise.all([overview.pending(), overview.totals()])
    const what = describeIndex({ held: state, pending, totals, now: systemClock.now() }, call)
    if (state.generation === 0)
      return { check, ok: totals.posts === 0, detail: `${health.engine}, ${what}` }
    const isOurs = state.analyzerVersion === ANALYZER_VERSION
    const detail =
      `${health.engine}, ${formatCount(state.posts)} posts, analyzer ${state.analyzerVersion}, ` +
      `generation ${state.generation}, ${formatBytes(state.bytes)}, ${what}` +
      (isOurs ? '' : `; this version has analyzer ${ANALYZER_VERSION}: ${reindex}`)
    return { check, ok: isOurs || state.rebuilding, detail }
  } catch (error) {
    const { message } = error as Error
    if (isIndexRemote(config.index)) return { check, ok: false, detail: message }
    return { check, ok: false, detail: `cannot be read: ${message}; ${reindex}` }
  }
}

/** Whether the folder is the one the store refers to and its files are intact, judged by a sample. */
async function checkPictures({ config, store, context }: App): Promise<Finding[]> {
  const totals = await context.overview.pictures()
  if (config.media !== 'keep' && totals.files === 0) return []
  const sample = await store.pictures.sample(PICTURES_READ)
  const lost: string[] = []
  for (const { sha256 } of sample) {
    const read = await context.pictureFiles.read(sha256)
    const isWhole = read && createHash('sha256').update(read).digest('hex') === sha256
    if (!isWhole) lost.push(sha256)
  }
  const counted = describePictures(totals, config.pictures.limits.bytes)
  const detail =
    lost.length === 0
      ? counted
      : `${counted}; of ${sample.length} looked at ${lost.length} are missing or damaged in ${config.pictures.folder}`
  return [{ check: 'pictures', ok: lost.length === 0, detail }]
}

/** Free space in the data folder, if something is kept there. */
async function checkDisk(call: CommandCall): Promise<Finding[]> {
  const { config } = call
  if (!keepsFiles(config)) return []
  try {
    const { bavail, bsize } = await statfs(config.dataFolder)
    const free = bavail * bsize
    const detail = `${formatBytes(free)} free in ${config.dataFolder}`
    return [{ check: 'disk', ok: free > MIN_FREE_BYTES, detail }]
  } catch (error) {
    return [{ check: 'disk', ok: false, detail: explain(error, call) }]
  }
}

/** Compares the clock with posts and, if they were asked, the platform and the database: each has a time that is not ours. */
async function checkTime(app: App): Promise<Finding> {
  const { store, clockCheck } = app
  const now = systemClock.now()
  // A store that cannot be asked was reported before.
  const skew = await app.compareClocks().catch(() => 0)
  const totals = await store.archive.totals()
  const { newestPostAt } = totals
  const newest =
    newestPostAt === null ? 'no posts yet' : `newest post ${formatAge(newestPostAt, now)}`
  const problem = clockCheck.problem()
  const ahead = clockCheck.aheadOf('platform')
  const doubts = [
    ...(newestPostAt !== null && newestPostAt >= now + MAX_SKEW_MS ? ['is the clock wrong?'] : []),
    ...(isSkewTooLarge(skew) ? [describeSkew(skew)] : []),
    ...(problem === null ? [] : [problem]),
    ...(problem === null && ahead !== null && Math.abs(ahead) > MAX_OFF_MS
      ? [`${formatDuration(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} the platform’s`]
      : []),
    // A year without posts is just an old archive, once the platform has told the time.
    ...(ahead === null ? [clockDoubt(now, totals) ?? []].flat() : []),
  ]
  const detail = [`${new Date(now).toISOString()}, ${newest}`, ...doubts].join('; ')
  return { check: 'clock', ok: doubts.length === 0, detail }
}

/** Reads a page as the crawler does: within the budget, under our user agent, with our parser. */
async function checkSource(app: App, signal: AbortSignal): Promise<Finding> {
  const check = 'source'
  const { sourceUrl } = app.config
  const timeout = AbortSignal.timeout(SOURCE_TIMEOUT_MS)
  const startedAt = systemClock.now()
  try {
    const outcome = await app.source.page(OWN_CHANNEL, null, {
      purpose: 'live',
      signal: AbortSignal.any([signal, timeout]),
    })
    const ms = systemClock.now() - startedAt
    const { ok, detail } = describeOutcome(outcome)
    return { check, ok, detail: `${sourceUrl} ${detail} in ${ms} ms` }
  } catch (error) {
    if (signal.aborted) throw error
    const waited = `no answer or no free request within ${SOURCE_TIMEOUT_MS / 1000} s`
    return { check, ok: false, detail: `${sourceUrl}: ${timeout.aborted ? waited : String(error)}` }
  }
}

function describeOutcome(outcome: PageOutcome): { ok: boolean; detail: string } {
  switch (outcome.kind) {
    case 'page': {
      const { length } = outcome.page.posts
      return { ok: true, detail: `showed ${length} posts of ${OWN_CHANNEL}` }
    }
    case 'empty':
    case 'unavailable':
    case 'nobody':
      return { ok: true, detail: `answered for ${OWN_CHANNEL}: ${outcome.kind}` }
    case 'throttled':
      return { ok: false, detail: 'asks us to slow down' }
    case 'broken':
      return { ok: false, detail: `gave a page we cannot read (${outcome.what})` }
    case 'unreachable':
      return { ok: false, detail: `does not answer: ${outcome.detail}` }
  }
}
