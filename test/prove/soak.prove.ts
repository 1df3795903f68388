/**
 * Memory stays flat: the whole service, with crawler and indexer, gets every kind of request while posts arrive from a
 * simulated platform.
 *
 *     npm run prove -- soak [-- <minutes> [<requests a second>]]
 *
 * Service, platform and generator are separate processes. Channels are read for the first time before measuring starts:
 * what a larger archive needs is not a leak.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atRate, figuresOf, openConnection, type Exchange } from '../../bench/load-client.ts'
import { createKey, startService } from '../../bench/service-process.ts'
import { judgeFlatness, mean } from './flat.ts'
import { startPlatform } from './soak-platform.ts'

const minutes = Number(process.argv[2] ?? 10)
const perS = Number(process.argv[3] ?? 40)
const CHANNELS = 80
const CONNECTIONS = 32
const SAMPLE_S = 5
const SETTLE_MIN = 10
const [PORT, ADMIN_PORT] = [18_981, 18_982]

interface Sample {
  readonly rssMb: number
  /** The heap of the main thread, from the service's own metrics. */
  readonly heapMb: number
  readonly posts: number
}

const url = `http://127.0.0.1:${PORT}/v1`
const folder = mkdtempSync(join(tmpdir(), 'telegrep-soak-'))
try {
  await using platform = await startPlatform(CHANNELS)
  const channels = join(folder, 'channels.txt')
  writeFileSync(channels, platform.names.join('\n'))
  const key = createKey(folder)
  const args = ['--crawl-rate', '20', '--channels', channels, '--admin-port', String(ADMIN_PORT)]
  const service = await startService({ folder, port: PORT, sourceUrl: platform.url, args })
  try {
    await settled(key)
    const paths = await pathsFor(platform.names, key)
    const headers = `X-API-Key: ${key}\r\nAccept-Encoding: gzip\r\n`
    const connections = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => openConnection(PORT, headers)),
    )
    const samples: Sample[] = []
    const seen: Exchange[] = []
    let lost = 0
    for (let i = 0; i < (minutes * 60) / SAMPLE_S; i++) {
      const round = await atRate(connections, rotated(paths, i * SAMPLE_S * perS), perS, SAMPLE_S)
      for (const exchange of round.seen) seen.push(exchange)
      lost += round.lost
      const [heapMb, posts] = await Promise.all([heap(), indexed(key)])
      samples.push({ rssMb: service.rssMb() ?? NaN, heapMb, posts })
      const { rssMb } = samples.at(-1)!
      if (i % 6 === 5) {
        const at = Math.round(((i + 1) * SAMPLE_S) / 30) / 2
        console.log(`${at} min: rss ${rssMb} MB, heap ${heapMb} MB, ${posts} posts`)
      }
    }
    for (const connection of connections) connection.close()
    report(samples, seen, lost)
  } finally {
    await service.stop()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function hold(isHeld: boolean, what: string): void {
  console.log(`${isHeld ? 'held  ' : 'BROKEN'} ${what}`)
  if (!isHeld) process.exitCode = 1
}

function report(samples: readonly Sample[], seen: readonly Exchange[], lost: number): void {
  const { statuses, p50, p99 } = figuresOf(seen, minutes * 60)
  console.log(
    `${seen.length} requests, ${JSON.stringify(statuses)}, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
  )
  console.log(`${samples.at(-1)!.posts - samples[0]!.posts} posts arrived`)
  for (const name of ['rssMb', 'heapMb'] as const) {
    const values = samples.map((sample) => sample[name])
    console.log(`${name}: ${curve(values)} from ${Math.min(...values)} to ${Math.max(...values)}`)
    const { isFlat, middle, last, perMinute } = judgeFlatness(values, SAMPLE_S)
    hold(
      isFlat,
      `${name} is flat: ${middle.toFixed(0)}, then ${last.toFixed(0)}; ${perMinute.toFixed(1)} a minute in the second half`,
    )
  }
  const failed = Object.entries(statuses).filter(
    ([status]) => !['200', '404', '410', '503'].includes(status),
  )
  const isServed = failed.length === 0 && (statuses[503] ?? 0) <= seen.length / 100
  hold(isServed, 'everybody is served')
  hold(lost === 0, `a connection was free for every request, ${lost} found none`)
}

/** Every operation in turn, searches more often than the rest, in every format. */
async function pathsFor(names: readonly string[], key: string): Promise<string[]> {
  const paths: string[] = []
  const sorts = ['relevance', 'newest', 'views', 'oldest']
  const formats = ['json', 'md', 'ndjson', 'csv', 'excel', 'rss', 'jsonfeed']
  const extras = [
    '',
    '&detail=full',
    '&detail=ids',
    '&facets=day,channel,lang,has',
    '&collapse=duplicates',
  ]
  for (const [i, name] of names.entries()) {
    const listed = await json<{ slug: string; snippet: string }[]>(`/channels/${name}/posts`, key)
    for (const [n, { slug, snippet }] of (listed ?? []).slice(0, 12).entries()) {
      const words = snippet.match(/[\p{L}\p{M}]{3,}/gu)?.slice(n % 3, (n % 3) + 2) ?? []
      const q = encodeURIComponent(words.join(' ') || 'news')
      const pick = <T>(list: readonly T[]) => list[(i + n) % list.length]
      paths.push(
        `/search?q=${q}&sort=${pick(sorts)}${pick(extras)}`,
        `/channels/${name}/posts?limit=50&format=${pick(formats)}`,
        `/search?q=${q}&format=${pick(formats)}`,
        `/channels/${name}/posts/${slug}`,
        `/search?q=${q}&sort=${pick(sorts)}&channel=${name}`,
        [`/channels/${name}`, '/languages', '/meta', `/channels/${name}/live`][n % 4]!,
        `/channels?q=${q}`,
      )
    }
  }
  return paths.map((path) => `/v1${path}`)
}

function rotated<T>(list: readonly T[], by: number): T[] {
  const at = by % list.length
  return [...list.slice(at), ...list.slice(0, at)]
}

/** Waits until the first visits are over: no new posts for a while. */
async function settled(key: string): Promise<void> {
  const until = performance.now() + SETTLE_MIN * 60_000
  for (let quiet = 0, last = -1; quiet < 6;) {
    await sleep(2_500)
    const posts = await indexed(key)
    if (performance.now() > until) {
      throw new Error(
        `first visits took longer than ${SETTLE_MIN} min: ${posts} posts and more to come`,
      )
    }
    quiet = posts > 0 && posts < last + 20 ? quiet + 1 : 0
    last = posts
  }
}

async function indexed(key: string): Promise<number> {
  const meta = await json<{ index: { searchable_posts: number } }>('/meta', key)
  return meta?.index.searchable_posts ?? NaN
}

async function json<T>(path: string, key: string): Promise<T | undefined> {
  const response = await fetch(`${url}${path}`, { headers: { 'X-API-Key': key } })
  return response.ok ? ((await response.json()) as { data: T }).data : undefined
}

async function heap(): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${ADMIN_PORT}/metrics`)
  const bytes = /^nodejs_heap_size_used_bytes (\S+)/m.exec(await response.text())?.[1]
  return Math.round(Number(bytes) / 1e6)
}

/** At most sixty bars, each the mean of its stretch. */
function curve(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const step = Math.ceil(values.length / 60)
  let bars = ''
  for (let i = 0; i < values.length; i += step) {
    const share = (mean(values.slice(i, i + step)) - low) / (high - low || 1)
    bars += '▁▂▃▄▅▆▇█'[Math.min(7, Math.floor(share * 8))]
  }
  return bars
}
