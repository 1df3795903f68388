import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { parseTiers } from '../../src/access/tiers.ts'
import type { LiveReader } from '../../src/crawl/live.ts'
import { until } from '../until.ts'
import { startService } from './harness.ts'

interface Asker {
  readonly socket: Socket
  /** What has been received on the connection so far. */
  text: string
}

async function open(url: string): Promise<Asker> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const asker: Asker = { socket, text: '' }
  socket.on('error', () => {})
  socket.on('data', (chunk) => (asker.text += chunk.toString('latin1')))
  // One request first, so that the server itself has accepted the connection and not only the kernel.
  ask(asker, '/healthz')
  await once(socket, 'data')
  asker.text = ''
  return asker
}

function ask({ socket }: Asker, path: string): void {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
}

/** A platform that never answers. */
const SILENT: LiveReader = { cached: () => undefined, read: () => new Promise(() => {}) }

describe('a flood of requests', () => {
  for (const path of ['/v1/languages', '/v1/meta', '/v1/openapi.json', '/docs', '/errors']) {
    test(`for ${path} does not delay the health probe, and is served in turns`, async () => {
      await using service = await startService({ tiers: parseTiers('{"anonymous": {}}') })
      const flood = await Promise.all(Array.from({ length: 300 }, () => open(service.url)))
      const health = await open(service.url)
      try {
        for (const asker of flood) ask(asker, path)
        ask(health, '/healthz')
        await once(health.socket, 'data')
        const answered = flood.filter(({ text }) => text !== '').length
        assert.match(health.text, /^HTTP\/1.1 200 /)
        assert.ok(answered < 32, `${answered} were answered before`)
        await until(() => flood.every(({ text }) => text !== ''))
        const served = flood.filter(({ text }) => text.startsWith('HTTP/1.1 200'))
        assert.ok(served.length >= 16, `${served.length} were served`)
        ask(served[0]!, path)
        await until(() => served[0]!.text.lastIndexOf('HTTP/1.1 200') > 0)
      } finally {
        for (const { socket } of [...flood, health]) socket.destroy()
      }
    })
  }

  test('is refused at once while nothing moves on, and tells when to ask again', async () => {
    await using service = await startService({
      tiers: parseTiers('{"anonymous": {}}'),
      live: () => SILENT,
      places: { elsewhere: 1 },
    })
    const flood = await Promise.all(Array.from({ length: 100 }, () => open(service.url)))
    const waiting = [await open(service.url), await open(service.url)]
    try {
      for (const asker of waiting) ask(asker, '/v1/channels/durov/live')
      // Both were read, since this was asked after them.
      assert.equal((await fetch(`${service.url}/v1/languages`)).status, 200)
      service.pass(1_001)
      for (const asker of flood) ask(asker, '/v1/channels/durov/live')
      // The head of a reply may arrive before its body.
      await until(() => flood.every(({ text }) => text.endsWith('}')))
      for (const { text } of flood) {
        assert.match(text, /^HTTP\/1.1 503 /)
        assert.match(text, /"code":"overloaded"/)
        assert.match(text, /^Retry-After: 1\r$/im)
        assert.match(text, /^RateLimit-Policy: /im)
      }
      assert.deepEqual(
        waiting.map(({ text }) => text),
        ['', ''],
      )
      assert.equal((await fetch(`${service.url}/v1/languages`)).status, 200)
    } finally {
      for (const { socket } of [...flood, ...waiting]) socket.destroy()
    }
  })

  test('of health probes on one connection does not keep others waiting', async () => {
    await using service = await startService()
    const flood = await open(service.url)
    const caller = await open(service.url)
    try {
      for (let i = 0; i < 64; i++) ask(flood, '/healthz')
      ask(caller, '/v1/languages')
      await once(caller.socket, 'data')
      const answered = flood.text.split('HTTP/1.1 200').length - 1
      assert.ok(answered < 64, `${answered} were answered before`)
      await until(() => flood.text.split('HTTP/1.1 200').length === 65)
    } finally {
      for (const { socket } of [flood, caller]) socket.destroy()
    }
  })
})
