import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { createRandom } from '../../src/search/contract/sample.ts'
import { addChannel, samplePost, sampleReading } from '../../src/store/contract/samples.ts'
import { sampleWatch } from '../../src/store/contract/watches.ts'
import { openStore } from '../../src/store/open-store.ts'
import { locateStore } from '../../src/store/store-location.ts'
import { packWatch } from '../../src/store/watch-codec.ts'
import { createWatchMatcher } from '../../src/watch/watch-matcher.ts'
import { readWatch } from '../../src/watch/watch-query.ts'
import { whyNoEngines } from '../engines.ts'
import { openPair } from '../pairs.ts'
import { startReceiver } from '../watch/receiver.ts'
import { webhookTo } from '../watch/samples.ts'

/**
 * Posts arrive while the process that indexes and sends is killed again and again, and the receiver fails, hangs, redirects, is
 * slow or drops the connection. In the end everything has arrived, each message signed. Then 100 000 watches are loaded from a
 * store.
 *
 *   npm run prove -- watches [-- <posts> <kills> <seed>]
 *
 * Uses PostgreSQL and OpenSearch if tests have them: put `env $(npm run --silent engines -- env --test)` before the command.
 */
const [posts = 60, kills = 5, seed = 1] = process.argv.slice(2).map(Number)
const random = createRandom(seed)
const folder = mkdtempSync(join(tmpdir(), 'telegrep-prove-watches-'))
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const retention = { deleted: 'redact', versions: 'keep' } as const
const pair =
  whyNoEngines() === undefined
    ? await openPair({ store: 'postgres', index: 'opensearch' })
    : undefined

function startProcess(): ChildProcess {
  const env = { ...process.env, TELEGREP_DATA: folder, TELEGREP_LOG: 'error', ...pair?.env }
  return spawn(process.execPath, [MAIN, 'index'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

async function proveArrival(): Promise<void> {
  await using receiver = await startReceiver()
  let isWell = false
  receiver.answer = (response) => {
    const what = isWell ? 9 : Math.floor(random() * 7)
    if (what === 0) response.writeHead(500).end()
    else if (what === 1) response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end()
    else if (what === 2) response.destroy()
    else if (what === 3) setTimeout(() => response.end(), 3_000).unref()
    else if (what > 3 || isWell) response.end()
    // Otherwise it hangs.
  }
  const place = locateStore({ folder, url: pair?.env['TELEGREP_DATABASE_URL'] })
  await using store = await openStore({ ...place, retention })
  const { id } = await addChannel(store, 'gales', Date.now())
  const { sinks } = webhookTo(receiver.url)
  const options = { ...sampleWatch('').options, oncePerStory: false, digestMinutes: null }
  await store.watches.put(sampleWatch('storms', { query: { q: 'storm' }, sinks, options }))
  let child = startProcess()
  let heard = 0
  for (let number = 1; number <= posts; number++) {
    const text = `storm number ${number} of ${Math.floor(random() * 1e9)}`
    const post = samplePost(number, { text, publishedAt: Date.now() - 1000 })
    await store.archive.record(sampleReading(id, { at: Date.now(), posts: [post] }))
    await sleep(random() * 1000)
    if (number % Math.ceil(posts / kills) !== 0) continue
    // Not before it has sent something, or there is nothing to interrupt.
    const giveUpAt = Date.now() + 5 * 60_000
    while (receiver.received.length < heard + 3 && Date.now() < giveUpAt) await sleep(50)
    assert.ok(receiver.received.length >= heard + 3, 'nothing was sent')
    heard = receiver.received.length
    child.kill('SIGKILL')
    console.log(`killed after post ${number}, ${receiver.received.length} requests so far`)
    child = startProcess()
  }
  isWell = true
  const library = new Webhook(sinks.webhook!.secret)
  const arrived = () =>
    new Set(
      receiver.received.map(({ body, headers }) => {
        const told = JSON.parse(body) as { data: { post: { slug: string } } }
        // Messages older than some minutes are rejected by the library; they were verified when they arrived.
        if (Date.now() / 1000 - Number(headers['webhook-timestamp']) < 240)
          library.verify(body, headers as Record<string, string>)
        return Number(told.data.post.slug)
      }),
    )
  const endAt = Date.now() + 15 * 60_000
  const isDone = async () => {
    const { pending } = await store.deliveries.overview()
    const { last } = await store.events.bounds()
    return last >= posts && (await store.deliveries.position()) === last && pending === 0
  }
  while (!(await isDone())) {
    assert.ok(Date.now() < endAt, 'not all arrived')
    arrived()
    await sleep(1_000)
  }
  child.kill('SIGKILL')
  const { dead } = await store.deliveries.overview()
  const missing = Array.from({ length: posts }, (_, i) => i + 1).filter((n) => !arrived().has(n))
  assert.deepEqual(missing, [])
  assert.ok(!receiver.received.some(({ path }) => path === '/elsewhere'))
  const requests = receiver.received.length
  console.log(
    `${posts} posts, ${kills} kills: all arrived in ${requests} requests, ${dead} dead letters`,
  )
}

async function proveMany(): Promise<void> {
  const many = join(folder, 'many')
  const { config, secrets } = readConfig({ TELEGREP_DATA: many, TELEGREP_LOG: 'error' })
  await (await openStore({ kind: 'sqlite', folder: many, retention }))[Symbol.asyncDispose]()
  const COUNT = 100_000
  const db = new DatabaseSync(join(many, 'store.db'))
  db.exec('begin')
  const insert = db.prepare('insert into watches (name, revision, body) values (?, ?, ?)')
  for (let i = 1; i <= COUNT; i++) {
    const words = Array.from({ length: 2 }, () => `word${Math.floor(random() * 50_000)}`)
    const watch = sampleWatch(`w${i}`, { query: { q: words.join(' ') } })
    insert.run(watch.name, i, packWatch({ ...watch, stopped: {} }))
  }
  db.exec(`update watch_position set revision = ${COUNT}; commit`)
  db.close()
  await using app = await createApp(config, secrets)
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = () => {
    collect()
    return process.memoryUsage().heapUsed / 1e6
  }
  const before = used()
  const started = performance.now()
  const matcher = createWatchMatcher({
    store: app.store,
    clock: app.clock,
    read: (query) => readWatch(app.context, query),
    onEventLost({ seq }) {
      throw new Error(`event ${seq} cannot be read`)
    },
    onUnreadable(_watch, error) {
      throw error
    },
  })
  await matcher.loadWatches()
  const took = (performance.now() - started) / 1000
  const grown = used() - before
  console.log(`${matcher.size} watches loaded in ${took.toFixed(1)} s, ${grown.toFixed(0)} MB`)
  assert.equal(matcher.size, COUNT)
  assert.ok(grown <= 200, `${grown} MB`)
}

try {
  await proveArrival()
  await proveMany()
} finally {
  await pair?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
}
