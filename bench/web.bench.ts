/**
 * Compares each page with the API calls it is made of: the same questions, in turns, one at a time.
 *
 *     npm run bench -- web [-- <posts> [<folder>]]
 */
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../src/app.ts'
import { createClient } from '../src/client/client.ts'
import { readConfig } from '../src/config.ts'
import { systemClock } from '../src/model/clock.ts'
import { serve } from '../src/serve.ts'
import { generateQueries } from '../test/simulated/bulk-queries.ts'
import { PAGE_FACETS } from '../src/web/search-page.ts'
import { bulkOptions, prepareData } from './data-folder.ts'
import { median } from './quantile.ts'

const posts = Number(process.argv[2] ?? 1_000_000)
const kept = process.argv[3]
const folder = kept ?? join(tmpdir(), `telegrep-web-${process.pid}`)
const SAMPLES = 60
const TARGET = 3
const MAX_BYTES = 60_000

await prepareData(folder, posts)
const tiers = join(folder, 'open-tiers.json')
writeFileSync(tiers, '{ "anonymous": { "burst": 1000000000 } }')
const { config, secrets } = readConfig({
  TELEGREP_DATA: folder,
  TELEGREP_PORT: '0',
  TELEGREP_LOG: 'error',
  TELEGREP_TIERS: tiers,
})

interface Row {
  readonly page: string
  readonly page_p50_ms: number
  readonly api_p50_ms: number
  readonly ratio: number
  readonly largest_bytes: number
}

const rows: Row[] = []
{
  await using app = await createApp(config, secrets)
  const stop = new AbortController()
  const ready = Promise.withResolvers<string>()
  const running = serve(
    app,
    {
      api: true,
      crawl: false,
      index: false,
      onReady: ({ address }) => ready.resolve(address ?? ''),
    },
    stop.signal,
  )
  const url = await ready.promise
  for (const { name, page, api } of await cases(url)) rows.push(await compare(url, name, page, api))
  stop.abort()
  await running
}

console.table(rows)
writeFileSync(
  join(import.meta.dirname, 'results', 'web.json'),
  `${JSON.stringify({ posts, target: TARGET, rows }, null, 2)}\n`,
)
if (kept === undefined) rmSync(folder, { recursive: true })
if (rows.some((row) => row.ratio > TARGET || row.largest_bytes > MAX_BYTES)) process.exitCode = 1

interface Case {
  readonly name: string
  /** The i-th page corresponds to the i-th list of API calls. */
  readonly page: readonly string[]
  readonly api: readonly (readonly string[])[]
}

async function cases(url: string): Promise<Case[]> {
  const client = createClient({ url })
  const { data: channels } = await client.list_channels({ limit: SAMPLES })
  const names = channels.map(({ username }) => username)
  const recent = await client.search_posts({ since: '7d', limit: SAMPLES, detail: 'ids' })
  const ids = (recent.data as { id: string }[]).map(({ id }) => id.replace('/', '/posts/'))
  const queries = [...generateQueries({ ...bulkOptions(posts), queries: SAMPLES })].map(({ q }) =>
    encodeURIComponent(q),
  )
  const search = (name: string, rest: string): Case => ({
    name,
    page: queries.map((q) => `/?q=${q}${rest}`),
    api: queries.map((q) => [`/v1/search?q=${q}${rest}&facets=${PAGE_FACETS}`]),
  })
  return [
    search('search', ''),
    search('search, newest', '&sort=newest'),
    search('search, copies grouped', '&collapse=duplicates'),
    {
      name: 'channel',
      page: names.map((name) => `/channels/${name}`),
      api: names.map((name) => [`/v1/channels/${name}`, `/v1/channels/${name}/posts`]),
    },
    {
      name: 'post',
      page: ids.map((id) => `/channels/${id}`),
      api: ids.map((id) => [`/v1/channels/${id}`]),
    },
    { name: 'channels', page: ['/channels'], api: [['/v1/channels']] },
    { name: 'status', page: ['/status'], api: [['/v1/meta']] },
  ]
}

async function compare(
  url: string,
  name: string,
  page: readonly string[],
  api: readonly (readonly string[])[],
): Promise<Row> {
  const pageMs: number[] = []
  const apiMs: number[] = []
  let largest = 0
  // The first half warms up both; which of the two goes first alternates.
  for (let i = 0; i < 2 * SAMPLES; i++) {
    const at = i % page.length
    const ask = async () => {
      const started = performance.now()
      const bytes = await read(`${url}${page[at]}`)
      if (i >= SAMPLES) pageMs.push(performance.now() - started)
      largest = Math.max(largest, bytes)
    }
    const askApi = async () => {
      const started = performance.now()
      for (const path of api[at]!) await read(`${url}${path}`)
      if (i >= SAMPLES) apiMs.push(performance.now() - started)
    }
    for (const turn of i % 2 === 0 ? [ask, askApi] : [askApi, ask]) {
      await turn()
      // Longer than an answer is shared, so that each request searches for itself.
      await systemClock.sleep(250)
    }
  }
  const [a, b] = [median(pageMs), median(apiMs)]
  return {
    page: name,
    page_p50_ms: round(a),
    api_p50_ms: round(b),
    ratio: round(a / b),
    largest_bytes: largest,
  }
}

/** The size of the body before compression. */
async function read(address: string): Promise<number> {
  const reply = await fetch(address)
  const bytes = (await reply.arrayBuffer()).byteLength
  if (!reply.ok) throw new Error(`${reply.status} for ${address}`)
  return bytes
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
