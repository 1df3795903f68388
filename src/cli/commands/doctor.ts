import { statfs } from 'node:fs/promises'
import type { Config } from '../../config.ts'
import { systemClock } from '../../model/clock.ts'
import type { Store } from '../../store/store.ts'
import { EXIT_CODES } from '../command.ts'
import type { CommandCall, ExitCode } from '../command.ts'
import { formatAge, formatBytes } from '../format.ts'
import { openLocalStore } from '../local.ts'
import { createProgress } from '../progress.ts'
import { VERSION } from '../../version.ts'

interface Finding {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
}

const MIN_FREE_BYTES = 1e9
const MAX_SKEW_MS = 120_000

export async function doctor(call: CommandCall): Promise<ExitCode> {
  const { config, print } = call
  await using store = await openLocalStore(config)
  const findings = [
    await checkVersions(store),
    await checkIntegrity(store, call),
    await checkDisk(config),
    await checkTime(store),
    ...(call.flags['offline'] === true ? [] : [await checkSource(config, call.signal)]),
  ]
  const isWell = findings.every((finding) => finding.ok)
  if (call.json) print.json({ ok: isWell, findings })
  else {
    for (const { check, ok, detail } of findings) {
      print.line(
        `${ok ? print.style.green('ok  ') : print.style.red('bad ')} ${check.padEnd(10)} ${detail}`,
      )
    }
  }
  return isWell ? EXIT_CODES.ok.code : EXIT_CODES.failed.code
}

async function checkVersions(store: Store): Promise<Finding> {
  const { kind, schemaVersion, bytes, location } = await store.describe()
  const detail = `telegrep ${VERSION}, node ${process.version}, ${kind} schema ${schemaVersion}, ${formatBytes(bytes)} in ${location}`
  return { check: 'versions', ok: true, detail }
}

async function checkIntegrity(store: Store, call: CommandCall): Promise<Finding> {
  const progress = createProgress(call.print, systemClock, 'verifying', 'steps')
  const problems = await store.verify((done, total) => progress.update(done, total))
  progress.end()
  const detail = problems.length === 0 ? 'the store is sound' : problems.slice(0, 5).join('; ')
  return { check: 'integrity', ok: problems.length === 0, detail }
}

async function checkDisk(config: Config): Promise<Finding> {
  const { bavail, bsize } = await statfs(config.dataFolder)
  const free = bavail * bsize
  return {
    check: 'disk',
    ok: free > MIN_FREE_BYTES,
    detail: `${formatBytes(free)} free in ${config.dataFolder}`,
  }
}

/** A clock that was set back makes the newest post lie in the future. */
async function checkTime(store: Store): Promise<Finding> {
  const now = systemClock.now()
  const { newestPostAt } = await store.archive.totals()
  const ok = newestPostAt === null || newestPostAt < now + MAX_SKEW_MS
  const newest =
    newestPostAt === null ? 'no posts yet' : `newest post ${formatAge(newestPostAt, now)}`
  return {
    check: 'clock',
    ok,
    detail: `${new Date(now).toISOString()}, ${newest}${ok ? '' : '; is the clock wrong?'}`,
  }
}

async function checkSource(config: Config, signal: AbortSignal): Promise<Finding> {
  const startedAt = systemClock.now()
  try {
    const reply = await fetch(config.sourceUrl, {
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    })
    await reply.body?.cancel()
    const ms = systemClock.now() - startedAt
    const date = Date.parse(reply.headers.get('date') ?? '')
    const skew = Number.isNaN(date) ? 0 : Math.abs(date - systemClock.now())
    const detail = `${config.sourceUrl} answered ${reply.status} in ${ms} ms`
    return skew > MAX_SKEW_MS
      ? {
          check: 'source',
          ok: false,
          detail: `${detail}, but its clock and ours differ by ${Math.round(skew / 1000)} s`,
        }
      : { check: 'source', ok: reply.status < 500, detail }
  } catch (error) {
    const cause = (error as Error).cause
    const why = cause instanceof Error ? cause.message : (error as Error).message
    return { check: 'source', ok: false, detail: `${config.sourceUrl} does not answer: ${why}` }
  }
}
