import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deliver, deliverAll } from '../../src/watch/deliver.ts'
import type { Sender } from '../../src/watch/sender.ts'
import { createRandom } from '../../src/search/contract/sample.ts'
import { openStage, type Stage } from './stage.ts'

const DAY = 86_400_000
const MINUTE = 60_000

describe('a delivery', () => {
  const opened = async (sender: Sender): Promise<Stage> => {
    const stage = await openStage({}, { command: sender })
    await stage.watch('storms', 'storm')
    await stage.publish('gales', { 1: 'storm one' })
    await stage.tell()
    return stage
  }

  test('that fails by a bug is retried like any other, and becomes a dead letter', async () => {
    let tries = 0
    await using stage = await opened({
      async send() {
        tries++
        throw new Error('a bug')
      },
    })
    for (let at = 0; at < DAY + 3 * 3_600_000; at += 10 * MINUTE) {
      await stage.send()
      stage.pass(10 * MINUTE)
    }
    const dead = await stage.app.store.deliveries.dead(10)
    assert.deepEqual(
      dead.map(({ error }) => error),
      ['something went wrong on our side'],
    )
    assert.ok(tries > 1 && tries < 30, `${tries} tries`)
    assert.equal(stage.failed.length, tries, 'each is told')
  })

  test('that waits behind many others to a dead sink also becomes a dead letter after a day', async () => {
    await using stage = await openStage(
      {},
      { command: { send: async () => ({ kind: 'failed', detail: 'it is down' }) } },
    )
    await stage.watch('storms', 'storm')
    const texts = Array.from({ length: 200 }, (_, at) => [at + 1, `storm ${at}`] as const)
    await stage.publish('gales', Object.fromEntries(texts))
    await stage.tell()
    for (let at = 0; at <= DAY; at += 10 * MINUTE) {
      await stage.send()
      stage.pass(10 * MINUTE)
    }
    const { pending, dead } = await stage.app.store.deliveries.overview()
    assert.deepEqual({ pending, dead }, { pending: 0, dead: 200 })
  })

  /** Publishes that many posts to a watch whose receiver answers as told, and sends until all have arrived. */
  async function arrivals(posts: number, fails: (request: number, id: string) => boolean) {
    const arrivedAt = new Map<string, number>()
    let requests = 0
    const sender: Sender = {
      async send(_watch, { id, items }) {
        if (fails(requests++, items[0]!.post.id)) return { kind: 'failed', detail: 'status 500' }
        arrivedAt.set(id, stage.now() - begunAt)
        return { kind: 'sent', detail: '' }
      },
    }
    await using stage = await openStage({}, { command: sender })
    await stage.watch('storms', 'storm')
    const texts = Array.from({ length: posts }, (_, at) => [at + 1, `storm ${at}`] as const)
    await stage.publish('gales', Object.fromEntries(texts))
    await stage.tell()
    const begunAt = stage.now()
    for (let passed = 0; passed < DAY && arrivedAt.size < posts; passed += 250) {
      await stage.send()
      stage.pass(250)
    }
    return [...arrivedAt.values()]
  }

  test('arrives within two minutes at a receiver that fails at every tenth request', async () => {
    const took = await arrivals(300, (request) => request % 10 === 9)
    assert.equal(took.length, 300)
    assert.ok(Math.max(...took) < 2 * MINUTE, `${Math.max(...took)} ms`)
  })

  test('arrives within minutes at a receiver that fails half the time', async () => {
    const random = createRandom(3)
    const took = await arrivals(200, () => random() < 0.5)
    assert.equal(took.length, 200)
    const within = took.filter((ms) => ms < 5 * MINUTE).length
    assert.ok(within > 170, `${within} of 200 within five minutes`)
  })

  test('does not wait for another one that always fails', async () => {
    let tries = 0
    const took = await arrivals(50, (_, id) => id === 'gales/7' && tries++ < 8)
    assert.equal(took.filter((ms) => ms === 0).length, 49)
  })

  test('ends at its timeout or at a shutdown, even if its sender ignores the signal', async (t) => {
    // A real sender waits on something that keeps the process alive; its time limit alone does not.
    const alive = setInterval(() => {}, 1_000)
    t.after(() => clearInterval(alive))
    await using stage = await opened({ send: () => new Promise(() => {}) })
    const delivery = (await stage.app.store.deliveries.lease(60_000))!
    await deliver({ ...stage.options, timeoutMs: 50 }, delivery, new AbortController().signal)
    assert.deepEqual(stage.delivered, ['command failed'])
    stage.pass(MINUTE)
    const again = (await stage.app.store.deliveries.lease(60_000))!
    const stop = new AbortController()
    const stopped = deliver(stage.options, again, stop.signal)
    stop.abort(new Error('stopped'))
    await stopped
    const next = await stage.app.store.deliveries.lease(60_000)
    assert.equal(next?.id, again.id, 'given back')
  })

  test('is not sent while the clock is wrong', async () => {
    await using stage = await opened({ send: async () => ({ kind: 'sent', detail: 'ok' }) })
    const stop = new AbortController()
    let rounds = 0
    // Each round of an idle sender sleeps once.
    const sleep = async () => void (++rounds === 3 && stop.abort())
    const clock = { ...stage.options.clock, sleep }
    await deliverAll({ ...stage.options, clock, isClockWrong: () => true }, stop.signal)
    assert.deepEqual([rounds, stage.delivered], [3, []])
    assert.equal((await stage.app.store.deliveries.overview()).pending, 1)
  })

  test('follows the previous one without delay', { timeout: 60_000 }, async () => {
    const sent: string[] = []
    const stop = new AbortController()
    await using stage = await openStage(
      {},
      {
        command: {
          async send(_watch, { id }) {
            sent.push(id)
            if (sent.length === 5) stop.abort()
            return { kind: 'sent', detail: '' }
          },
        },
      },
    )
    await stage.watch('storms', 'storm')
    const texts = Array.from({ length: 5 }, (_, at) => [at + 1, `storm ${at}`] as const)
    await stage.publish('gales', Object.fromEntries(texts))
    await stage.tell()
    // Whoever waits for this clock waits for ever.
    const sleep = (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason as Error)),
      )
    const clock = { ...stage.options.clock, sleep }
    await deliverAll({ ...stage.options, clock }, stop.signal)
    assert.equal(new Set(sent).size, 5)
  })
})
