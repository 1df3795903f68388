/**
 * Compares search over HTTP with the same server answering a constant of the same size.
 *
 *     npm run bench -- http [-- <posts> [<folder>]]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { V8_AT_START } from '../test/v8-at-start.ts'
import { prepareData } from './data-folder.ts'
import { distinctQueries } from './distinct-queries.ts'
import { openConnection, saturate } from './load-client.ts'

const posts = Number(process.argv[2] ?? 1_000_000)
const kept = process.argv[3]
const folder = kept ?? join(tmpdir(), `telegrep-http-${process.pid}`)
/** Few enough that a server on two cores never refuses any of them. */
const CONNECTIONS = 4
const ROUNDS = 3
const SECONDS = 4

await prepareData(folder, posts)
const child = fork(join(import.meta.dirname, 'http-server.ts'), [folder], {
  // Started with the same flags as `serve`.
  execArgv: [V8_AT_START],
})
const [{ port, key }] = (await once(child, 'message')) as [{ port: number; key: string }]
const connections = await Promise.all(
  Array.from({ length: CONNECTIONS }, () => openConnection(port, `X-API-Key: ${key}\r\n`)),
)

const queries = distinctQueries(posts, ({ kind, q }) =>
  kind === 'words' ? q.split(' ').slice(0, 2).join(' ') : undefined,
)
const search = (rest: string) => queries.map((q) => `/v1/search?q=${encodeURIComponent(q)}&${rest}`)
const CASES = [
  { name: 'newest, detail=ids', paths: search('sort=newest&detail=ids'), target: 0.3 },
  { name: 'newest, snippets', paths: search('sort=newest'), target: 0.1 },
  { name: 'relevance, snippets', paths: search('sort=relevance'), target: null },
  { name: 'newest, full', paths: search('sort=newest&detail=full'), target: null },
]

/** A real reply of about that size: characters beyond ASCII cost more to send. */
async function typicalReply(paths: readonly string[], bytes: number): Promise<string> {
  let best = ''
  for (const path of paths.slice(0, 60)) {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'X-API-Key': key } })
    const text = await reply.text()
    const distance = (body: string) => Math.abs(Buffer.byteLength(body) - bytes)
    if (best === '' || distance(text) < distance(best)) best = text
  }
  return best
}

const rows = []
for (const { name, paths, target } of CASES) {
  await saturate(connections, paths, 2)
  let best = { ratio: 0, perS: 0, constantPerS: 0, p50: 0, p95: 0, p99: 0, bytes: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const measured = await saturate(connections, paths, SECONDS)
    child.send({ constant: await typicalReply(paths, measured.meanBytes) })
    const constant = await saturate(connections, ['/constant'], SECONDS / 2)
    const ratio = measured.perS / constant.perS
    if (ratio > best.ratio) {
      const { perS, p50, p95, p99, meanBytes } = measured
      best = {
        ratio,
        perS,
        constantPerS: constant.perS,
        p50,
        p95,
        p99,
        bytes: Math.round(meanBytes),
      }
    }
    const odd = Object.keys(measured.statuses).filter((status) => status !== '200')
    if (odd.length > 0) console.log(`statuses: ${JSON.stringify(measured.statuses)}`)
  }
  rows.push({ name, target, ...best })
}
child.send('usage')
const [{ rss }] = (await once(child, 'message')) as [{ rss: number }]
for (const connection of connections) connection.close()
child.disconnect()
await once(child, 'exit')
if (kept === undefined) rmSync(folder, { recursive: true })

console.log(
  `\nHTTP over ${posts} posts, limit 20, ${CONNECTIONS} connections; rss ${Math.round(rss / 1e6)} MB`,
)
console.table(
  rows.map(({ name, perS, constantPerS, ratio, target, p50, p95, p99, bytes }) => ({
    name,
    'requests/s': Math.round(perS),
    'constant/s': Math.round(constantPerS),
    ratio: ratio.toFixed(2),
    target: target ?? '',
    p50: p50.toFixed(1),
    p95: p95.toFixed(1),
    p99: p99.toFixed(1),
    bytes,
  })),
)
const results = join(import.meta.dirname, 'results')
mkdirSync(results, { recursive: true })
writeFileSync(join(results, 'http.json'), `${JSON.stringify({ posts, rss, rows }, null, 2)}\n`)
if (rows.some(({ ratio, target }) => target !== null && ratio < target)) process.exitCode = 1
