/** The platform in a process of its own, so that its cost is not counted as the service's. */
import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { systemClock } from '../src/model/clock.ts'
import { renderPage } from '../src/simulator/render-page.ts'
import { startSimulator } from '../src/simulator/server.ts'
import { createWorld, type World } from '../src/simulator/world.ts'

interface Platform extends AsyncDisposable {
  readonly url: string
  readonly names: readonly string[]
  /** Number of page requests so far. */
  requests(): Promise<number>
  /** Delays every answer from now on. */
  delay(ms: number): Promise<void>
}

type Told = { readonly url: string; readonly names: string[] } | number

/** `constant` serves the newest page of each channel, rendered once, so that it takes nearly no time itself. */
export async function startPlatform(
  kind: 'simulated' | 'constant',
  channels: number,
): Promise<Platform> {
  const child = fork(import.meta.filename, [kind, String(channels)])
  const reply = () => new Promise<Told>((resolve) => child.once('message', resolve as () => void))
  const { url, names } = (await reply()) as Exclude<Told, number>
  const ask = async (message: number | 'requests') => {
    child.send(message)
    return (await reply()) as number
  }
  return {
    url,
    names,
    requests: () => ask('requests'),
    delay: async (ms) => void (await ask(ms)),
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.disconnect()
      await ended
    },
  }
}

async function serveConstant(world: World, at: number) {
  let requests = 0
  let delayMs = 0
  const pages = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const name = request.url?.match(/^\/s\/(\w+)/)?.[1] ?? ''
    const body = pages.get(name) ?? pageOf(world, name, at)
    pages.set(name, body)
    requests++
    const send = () => {
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-encoding': 'gzip',
        'content-length': body.length,
      })
      response.end(body)
    }
    if (delayMs === 0) send()
    else void systemClock.sleep(delayMs).then(send)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    delay: (ms: number) => void (delayMs = ms),
    close: () => server.close(),
  }
}

function pageOf(world: World, requestedName: string, at: number): Buffer {
  const channel = world.resolve(requestedName, at)
  if (channel?.kind !== 'channel') return Buffer.alloc(0)
  const request = { before: null, after: null, around: null, q: null }
  return gzipSync(renderPage({ world, channel, requestedName, at, request }))
}

if (import.meta.main) {
  const [kind, channels] = process.argv.slice(2)
  const at = systemClock.now()
  const world = createWorld({
    seed: 'platform',
    channels: Number(channels),
    startAt: at,
    days: 29,
    activity: 8,
    steady: true,
  })
  const names = world.truth.readableNames(at)
  const simulator = kind === 'simulated' ? await startSimulator({ world }) : undefined
  const constant = simulator ? undefined : await serveConstant(world, at)
  process.on('message', (message: number | 'requests') => {
    if (message === 'requests') process.send!(simulator?.log.total ?? constant!.requests())
    else {
      constant?.delay(message)
      process.send!(message)
    }
  })
  process.on('disconnect', () => {
    constant?.close()
    void simulator?.close()
    process.exit()
  })
  process.send!({ url: simulator?.url ?? constant!.url, names })
}
