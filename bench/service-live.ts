import { mkdtempSync, rmSync } from 'node:fs'
import { get, Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { openStore } from '../src/store/open-store.ts'
import { addChannels } from '../src/crawl/add-channels.ts'
import { systemClock } from '../src/model/clock.ts'
import { median, quantile } from './quantile.ts'
import { startPlatform } from './service-platform.ts'
import { createKey, startService } from './service-process.ts'

export interface LiveFigures {
  /** Medians in ms: asking the platform directly, and through `/live`. */
  readonly upstreamMs: number
  readonly liveMs: number
  readonly liveIndexedMs: number
  /** What `/live` adds; for an indexed channel the posts are on disk before the reply. */
  readonly addedMs: number
  readonly addedIndexedMs: number
  /** The same for the fastest twentieth of the reads, which were disturbed least. */
  readonly addedUndisturbedMs: number
  readonly addedIndexedUndisturbedMs: number
  /** Processor time of the service for a live read. */
  readonly cpuMs: number | null
  readonly callers: number
  readonly fetches: number
  readonly statuses: Readonly<Record<number, number>>
}

const PAIRS = 200
const CALLERS = 1_000
/** How late the platform answers while the crowd connects: a thousand connections take a while on a busy machine. */
const CROWD_MS = 4_000

export async function measureLive(port: number): Promise<LiveFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-live-'))
  try {
    await using platform = await startPlatform('constant', 30)
    const [plain, indexed, crowded] = platform.names as [string, string, string]
    {
      const retention = { deleted: 'redact', versions: 'keep' } as const
      await using store = await openStore({ kind: 'sqlite', folder, retention })
      await addChannels(store, [indexed], systemClock)
    }
    const headers = { authorization: `Bearer ${createKey(folder)}` }
    const args = ['--no-crawl', '--crawl-rate', '1000']
    const service = await startService({ folder, port, args, sourceUrl: platform.url })
    try {
      const live = (name: string) => () =>
        timed(`http://127.0.0.1:${port}/v1/channels/${name}/live?max_age=0`, headers)
      const direct = () => timed(`${platform.url}/s/${plain}`, { 'accept-encoding': 'gzip' })
      const asks = [direct, live(plain), live(indexed)]
      const times: number[][] = [[], [], []]
      // In turns, so that other load on the machine affects all three; the first tenth warms up.
      let cpuBefore: number | null = null
      for (let i = 0; i < PAIRS * 1.1; i++) {
        if (i === PAIRS / 10) cpuBefore = service.cpuMs()
        for (const [which, ask] of asks.entries()) {
          const { ms, status } = await ask()
          if (status !== 200) throw new Error(`answered ${status}`)
          if (i >= PAIRS / 10) times[which]!.push(ms)
        }
      }
      const [upstream, unindexed, archived] = times as [number[], number[], number[]]
      const cpuAfter = service.cpuMs()

      await platform.delay(CROWD_MS)
      const before = await platform.requests()
      const agent = new Agent({ keepAlive: false, maxSockets: Infinity })
      const url = `http://127.0.0.1:${port}/v1/channels/${crowded}/live?max_age=0`
      const answers = await Promise.all(
        Array.from({ length: CALLERS }, () => timed(url, headers, agent)),
      )
      const statuses: Record<number, number> = {}
      for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1
      return {
        upstreamMs: median(upstream),
        liveMs: median(unindexed),
        liveIndexedMs: median(archived),
        addedMs: median(unindexed) - median(upstream),
        addedIndexedMs: median(archived) - median(upstream),
        addedUndisturbedMs: quantile(unindexed, 0.05) - quantile(upstream, 0.05),
        addedIndexedUndisturbedMs: quantile(archived, 0.05) - quantile(upstream, 0.05),
        cpuMs: cpuBefore === null ? null : (cpuAfter! - cpuBefore) / (PAIRS * 2),
        callers: CALLERS,
        fetches: (await platform.requests()) - before,
        statuses,
      }
    } finally {
      await service.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const KEPT = new Agent({ keepAlive: true })

function timed(url: string, headers: Record<string, string>, agent = KEPT) {
  return new Promise<{ status: number; ms: number }>((resolve) => {
    const startedAt = performance.now()
    const request = get(url, { headers, agent }, (response) => {
      const isZipped = response.headers['content-encoding'] === 'gzip'
      const body = isZipped ? response.pipe(createGunzip()) : response
      body.resume()
      body.on('end', () =>
        resolve({ status: response.statusCode ?? 0, ms: performance.now() - startedAt }),
      )
    })
    request.on('error', () => resolve({ status: 0, ms: performance.now() - startedAt }))
  })
}
