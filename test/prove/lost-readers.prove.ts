/**
 * Readers of streams whose network is gone: their connections never end, and nothing they are sent is acknowledged. The
 * service forgets them when the kernel gives up their connections, and gets the memory back.
 *
 *     npm run prove -- lost-readers [-- <streams>]
 *
 * Needs Linux and root: service and readers each get a network namespace (`ip netns`), and that of the readers is cut off. The
 * kernel is configured to give up sooner than after its default quarter of an hour.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { V8_AT_START } from '../v8-at-start.ts'
import { ask } from './streams/ask.ts'
import type { Memory } from './streams/memory-teller.ts'
import type { Answer } from './streams/readers.ts'

const [streams = 5_000] = process.argv.slice(2).map(Number)
const HERE = import.meta.dirname
const MAIN = join(HERE, '../../src/main.ts')
const UNLIMITED = join(HERE, '../fixtures/tiers/open.json')
const PORT = 18_985
const [SERVICE, READERS] = ['10.213.7.1', '10.213.7.2']
/** About 15 s after the first data that is not acknowledged, instead of 15 minutes; data is sent within as much again. */
const RETRIES = 5
const WITHIN_MS = 180_000

const folder = mkdtempSync(join(tmpdir(), 'telegrep-lost-readers-'))
const names = ['service', 'readers'].map((name) => `telegrep-${name}-${process.pid}`) as [
  string,
  string,
]
const children: ChildProcess[] = []

function hold(isHeld: boolean, what: string): void {
  console.log(`${isHeld ? 'held  ' : 'BROKEN'} ${what}`)
  if (!isHeld) process.exitCode = 1
}

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'pipe'] })
const inside = (name: string, ...args: string[]) => ip('netns', 'exec', name, ...args)

function layCable(): void {
  for (const name of names) ip('netns', 'add', name)
  const [service, readers] = names
  ip('link', 'add', 'veth0', 'netns', service, 'type', 'veth', 'peer', 'veth0', 'netns', readers)
  for (const [name, address] of [
    [service, SERVICE],
    [readers, READERS],
  ] as const) {
    ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'veth0')
    ip('-n', name, 'link', 'set', 'veth0', 'up')
    ip('-n', name, 'link', 'set', 'lo', 'up')
  }
  inside(service, 'sysctl', '-qw', `net.ipv4.tcp_retries2=${RETRIES}`)
}

function start(name: string, args: readonly string[]): ChildProcess {
  const child = spawn('ip', ['netns', 'exec', name, process.execPath, ...args], {
    env: {
      ...process.env,
      TELEGREP_DATA: folder,
      TELEGREP_HOST: '0.0.0.0',
      TELEGREP_PORT: String(PORT),
      TELEGREP_TIERS: UNLIMITED,
      TELEGREP_SOURCE_URL: 'http://127.0.0.1:9',
      TELEGREP_LOG: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  children.push(child)
  return child
}

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const endAt = Date.now() + WITHIN_MS; Date.now() < endAt; await sleep(500))
    if (await isSo()) return
  throw new Error(`never: ${what}`)
}

async function prove(): Promise<void> {
  layCable()
  const [service, readers] = names
  const teller = join(HERE, 'streams/memory-teller.ts')
  const flags = [V8_AT_START, '--expose-gc', '--import', teller]
  const server = start(service, [...flags, MAIN, 'serve', '--no-crawl'])
  /** Requested from within the service's own network. */
  const get = (path: string) => {
    try {
      return inside(
        service,
        'curl',
        '-sf',
        '-m',
        '30',
        `http://${SERVICE}:${PORT}${path}`,
      ).toString()
    } catch {
      return undefined
    }
  }
  const open = async () => (await ask<Memory>(server, 'memory')).connections
  await until('the server answers', () => get('/readyz') !== undefined)
  const before = await ask<Memory>(server, 'memory')
  const reading = start(readers, [join(HERE, 'streams/readers.ts'), String(PORT), SERVICE])
  const paths = Array.from({ length: streams }, (_, i) => `/v1/stream?q=topic${i}`)
  await ask<Answer>(reading, { open: paths })
  await until('all streams are open', async () => (await open()) >= streams)
  const during = await ask<Memory>(server, 'memory')
  // Everything they send is dropped on their side, including acknowledgements.
  ip('-n', readers, 'route', 'replace', 'blackhole', `${SERVICE}/32`)
  const cutAt = Date.now()
  await until('the service has forgotten them', async () => (await open()) === 0)
  const tookS = Math.round((Date.now() - cutAt) / 1000)
  await sleep(2_000)
  const after = await ask<Memory>(server, 'memory')
  console.log(`${streams} readers vanished; the last was forgotten after ${tookS} s`)
  const grown = during.heapMb - before.heapMb
  const left = after.heapMb - before.heapMb
  hold(
    left <= 0.1 * grown + 5,
    `heap without garbage: ${before.heapMb.toFixed(0)} MB before, ${during.heapMb.toFixed(0)} MB with them, ${after.heapMb.toFixed(0)} MB after`,
  )
  hold(get('/v1/search?q=topic1') !== undefined, 'searches are answered')
}

try {
  await prove()
} finally {
  for (const child of children) child.kill('SIGKILL')
  for (const name of names) {
    try {
      ip('netns', 'del', name)
    } catch {
      // It was never created.
    }
  }
  rmSync(folder, { recursive: true, force: true })
}
