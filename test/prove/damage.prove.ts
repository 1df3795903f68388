import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createApp, type App } from '../../src/app.ts'
import { explain } from '../../src/cli/explain.ts'
import { readConfig } from '../../src/config.ts'
import { createRandom } from '../../src/search/contract/sample.ts'
import { serve } from '../../src/serve.ts'
import { openStore } from '../../src/store/open-store.ts'
import { startService } from '../start-service.ts'
import { harm, type Below } from './harm.ts'

/**
 * Random damage to the files of a data folder. Damage to the index, half of it before the start and half under a running
 * server: replies are right again within a minute, or are 503 with a reason, and the archive is unchanged. Damage to the
 * store: it is detected and named, or harmless. Arguments: the number of trials of the first kind, of the second, and a
 * seed.
 */

const WITHIN_MS = 60_000
/** A page is compared every five seconds, and a small index has few pages. */
const NOTICED_MS = 8_000
const UNLIMITED = fileURLToPath(new URL('../fixtures/tiers/open.json', import.meta.url))
const WORDS = ['the', 'de', 'und', 'la', 'і', 'не', 'на', 'new', 'today', '2026', 'в', 'per']

const [indexes = 200, stores = 50, seed = Date.now() % 1e6] = process.argv.slice(2).map(Number)
const random = createRandom(seed)
const below: Below = (n) => Math.floor(random() * n)
const folder = mkdtempSync(join(tmpdir(), 'telegrep-damage-'))
const origin = join(folder, 'origin')
const broken: string[] = []

interface Running extends AsyncDisposable {
  readonly app: App
  readonly url: string
}

async function start(data: string): Promise<Running> {
  const { config, secrets } = readConfig({
    TELEGREP_DATA: data,
    TELEGREP_PORT: '0',
    // Nothing listens there, so the archive stays unchanged.
    TELEGREP_SOURCE_URL: 'http://127.0.0.1:9',
    TELEGREP_TIERS: UNLIMITED,
    TELEGREP_LOG: 'silent',
  })
  const app = await createApp(config, secrets)
  const stop = new AbortController()
  const ready = Promise.withResolvers<string>()
  const onReady = (running: { address: string | null }) => ready.resolve(running.address!)
  const running = serve(app, { api: true, crawl: true, index: true, onReady }, stop.signal)
  running.catch(ready.reject)
  return {
    app,
    url: await ready.promise,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await running
      await app[Symbol.asyncDispose]()
    },
  }
}

/** What the words find, as one string; or the status of the first reply that is an error. */
async function answersOf(url: string): Promise<string> {
  const found: unknown[] = []
  for (const word of WORDS) {
    const response = await fetch(`${url}/v1/search?q=${word}&sort=newest&detail=ids&limit=20`)
    const body = (await response.json()) as {
      data?: { id: string }[]
      meta?: { total: unknown }
      reason?: string
      detail?: string
    }
    if (response.status !== 200) return `${response.status} ${body.reason ?? body.detail ?? ''}`
    found.push(word, body.meta!.total, body.data!.map(({ id }) => id).join())
  }
  return JSON.stringify(found)
}

async function digestOf(data: string): Promise<string> {
  await using store = await openStore({
    kind: 'sqlite',
    folder: data,
    retention: { deleted: 'redact', versions: 'keep' },
  })
  const hash = createHash('sha256')
  for await (const posts of store.archive.scan({ publishedSince: 0, batch: 500 })) {
    hash.update(JSON.stringify(posts))
  }
  return hash.digest('hex')
}

/** Queries until the replies are right; counts what came meanwhile. */
async function watch(url: string, right: string, atLeastMs: number) {
  const startedAt = Date.now()
  const seen = { wrong: 0, refused: 0, failed: 0, failure: '' }
  for (;;) {
    const answer = await answersOf(url)
    const ms = Date.now() - startedAt
    if (answer === right && ms >= atLeastMs) return { ...seen, ms }
    if (answer.startsWith('503 index_')) seen.refused++
    else if (/^\d/.test(answer)) {
      seen.failed++
      seen.failure = answer
    } else if (answer !== right) seen.wrong++
    if (ms > WITHIN_MS) return { ...seen, ms, last: answer.slice(0, 80) }
    await sleep(200)
  }
}

async function damageIndexes(): Promise<void> {
  const data = join(folder, 'data')
  cpSync(origin, data, { recursive: true })
  const index = join(data, 'index')
  let running = await start(data)
  let right = await answersOf(running.url)
  const startedAt = Date.now()
  while (!right.startsWith('[') && Date.now() - startedAt < WITHIN_MS) {
    await sleep(200)
    right = await answersOf(running.url)
  }
  const before = await digestOf(data)
  const sums = { healed: 0, harmless: 0, refused: 0, wrong: 0, failed: 0, slowestMs: 0 }
  for (let i = 0; i < indexes; i++) {
    const isRunning = i % 2 === 0
    if (!isRunning) await running[Symbol.asyncDispose]()
    const what = harm(index, readdirSync(index), below, isRunning)
    if (!isRunning) running = await start(data)
    const result = await watch(running.url, right, isRunning ? NOTICED_MS : 2_000)
    sums.refused += result.refused
    sums.wrong += result.wrong
    sums.failed += result.failed
    sums.slowestMs = Math.max(sums.slowestMs, result.ms)
    const line = `${i + 1} ${isRunning ? 'running' : 'before'}: ${what}: ${JSON.stringify(result)}`
    if ('last' in result || result.failed > 0) broken.push(line)
    else if (result.refused > 0) sums.healed++
    else sums.harmless++
    console.log(line)
  }
  await running[Symbol.asyncDispose]()
  assert.equal(await digestOf(data), before, 'the archive is as it was')
  console.log(`index: ${JSON.stringify(sums)}; answers while it healed: refused, wrong, failed`)
}

async function damageStores(): Promise<void> {
  const before = await digestOf(origin)
  const sums = { named: 0, verified: 0, harmless: 0 }
  for (let i = 0; i < stores; i++) {
    const data = join(folder, `store-${i}`)
    cpSync(origin, data, { recursive: true })
    const what = harm(data, ['store.db', 'ledger.db', 'secret'], below, false)
    const outcome = await openDamaged(data, before)
    sums[outcome.kind]++
    console.log(`${i + 1} ${what}: ${outcome.kind} ${outcome.said}`)
    if (outcome.isBroken) broken.push(`store ${i + 1} ${what}: ${outcome.said}`)
    rmSync(data, { recursive: true })
  }
  console.log(`store: ${JSON.stringify(sums)}`)
}

async function openDamaged(data: string, before: string) {
  const { config, secrets } = readConfig({ TELEGREP_DATA: data, TELEGREP_LOG: 'silent' })
  try {
    {
      await using app = await createApp(config, secrets)
      const [problem] = await app.store.verify()
      if (problem !== undefined)
        return { kind: 'verified', said: problem, isBroken: false } as const
    }
    const isBroken = (await digestOf(data)) !== before
    return { kind: 'harmless', said: isBroken ? 'but posts changed' : '', isBroken } as const
  } catch (error) {
    const said = explain(error)
    const isBroken = said.includes('\n    at ') || !/store\.db|ledger\.db|secret/.test(said)
    return { kind: 'named', said, isBroken } as const
  }
}

try {
  console.log(`seed ${seed}`)
  {
    await using service = await startService({ world: { channels: 8, days: 12 } })
    await service.settled()
    await service.app.store.files!.backup(origin)
  }
  if (indexes > 0) await damageIndexes()
  if (stores > 0) await damageStores()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
for (const line of broken) console.error(`broken: ${line}`)
process.exitCode = broken.length === 0 ? 0 : 1
