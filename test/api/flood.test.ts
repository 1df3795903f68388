import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { parseTiers } from '../../src/access/tiers.ts'
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

describe('a flood of requests', () => {
  for (const path of ['/v1/languages', '/v1/meta', '/v1/openapi.json', '/docs', '/errors']) {
    test(`for ${path} does not delay the health probe; the excess gets 503`, async () => {
      await using service = await startService({ tiers: parseTiers('{"anonymous": {}}') })
      const flood = await Promise.all(Array.from({ length: 300 }, () => open(service.url)))
      const health = await open(service.url)
      try {
        for (const asker of flood) ask(asker, path)
        ask(health, '/healthz')
        await once(health.socket, 'data')
        const answered = flood.filter(({ text }) => text.startsWith('HTTP/1.1 200')).length
        assert.match(health.text, /^HTTP\/1.1 200 /)
        assert.ok(answered < 32, `${answered} were answered before`)
        await until(() => flood.every(({ text }) => text !== ''))
        const refused = flood.filter(({ text }) => text.startsWith('HTTP/1.1 503'))
        assert.ok(refused.length > 100, `${refused.length} were turned away`)
        // The head of a reply may arrive before its body.
        await until(() => refused.every(({ text }) => text.endsWith('}')))
        for (const { text } of refused) {
          assert.match(text, /"code":"overloaded"/)
          assert.match(text, /^Retry-After: 1\r$/im)
          assert.match(text, /^RateLimit-Policy: /im)
        }
        // All others were admitted, one after the other.
        const served = flood.filter(({ text }) => text.startsWith('HTTP/1.1 200'))
        assert.ok(served.length >= 16, `${served.length} were served`)
        ask(served[0]!, path)
        await until(() => served[0]!.text.lastIndexOf('HTTP/1.1 200') > 0)
      } finally {
        for (const { socket } of [...flood, health]) socket.destroy()
      }
    })
  }

  test('of health probes does not keep a request waiting for all of them', async () => {
    await using service = await startService()
    const flood = await Promise.all(Array.from({ length: 300 }, () => open(service.url)))
    const caller = await open(service.url)
    try {
      for (const asker of flood) ask(asker, '/healthz')
      ask(caller, '/v1/languages')
      await once(caller.socket, 'data')
      assert.match(caller.text, /^HTTP\/1.1 200 /)
      const answered = flood.filter(({ text }) => text !== '').length
      assert.ok(answered < 290, `${answered} were answered before`)
      await until(() => flood.every(({ text }) => text.startsWith('HTTP/1.1 200')))
    } finally {
      for (const { socket } of [...flood, caller]) socket.destroy()
    }
  })

  test('from one caller beyond its quota is slowed down by pauses in reading its connection', async () => {
    await using service = await startService({ tiers: parseTiers('{"anonymous": {"burst": 1}}') })
    const asker = await open(service.url)
    const answers = () => asker.text.match(/HTTP\/1\.1 \d+/g)?.length ?? 0
    ask(asker, '/v1/languages')
    await until(() => answers() === 1)
    const startedAt = performance.now()
    for (let asked = 2; asked <= 4; asked++) {
      ask(asker, '/v1/languages')
      await until(() => answers() === asked)
    }
    assert.match(asker.text, /HTTP\/1.1 429/)
    // The first refusal comes at once; each of the others waits until the connection is read again. A busy machine only makes
    // the pauses longer.
    assert.ok(performance.now() - startedAt >= 2 * 490)
    asker.socket.destroy()
  })
})
