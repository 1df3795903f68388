import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Watch } from '../../src/model/watch.ts'
import type { WatchStep } from '../../src/store/deliveries.ts'
import { AppError, isUnavailable } from '../../src/model/errors.ts'
import { createWatchMatcher } from '../../src/watch/watch-matcher.ts'
import { readWatch } from '../../src/watch/watch-query.ts'
import { startReceiver, type Receiver } from './receiver.ts'
import { openStage, type Stage } from './stage.ts'
import { webhookTo } from './samples.ts'

const MINUTE = 60_000
const DAY = 86_400_000

/** What arrived: `post gales/1`, and `digest` with its events. */
function heard({ received }: Receiver): string[] {
  return received.map(({ body }) => {
    const { type, data } = JSON.parse(body) as Told
    const events = data.events ?? [{ type, post: data.post! }]
    const said = events.map((event) => `${event.type} ${event.post.id}`).join(', ')
    return type === 'digest' ? `digest: ${said}` : said
  })
}

interface Told {
  readonly type: string
  readonly data: {
    readonly post?: { readonly id: string }
    readonly events?: readonly { readonly type: string; readonly post: { readonly id: string } }[]
  }
}

const to = ({ url }: Receiver) => webhookTo(url).sinks

describe('a watch', () => {
  test('notifies of new posts that match its search, once each', async () => {
    await using receiver = await startReceiver()
    await using stage = await openStage()
    await stage.publish('gales', { 1: 'a storm before' })
    await stage.watch('storms', 'storm -tea', { sinks: to(receiver) })
    await stage.watch('ru', 'lang:ru', { sinks: to(receiver) })
    await stage.publish('gales', { 2: 'storms at sea', 3: 'storm in a tea cup', 4: 'calm' })
    await stage.publish('seas', { 1: 'Шторм на море' })
    await stage.tell()
    await stage.send()
    await stage.publish('gales', { 2: 'storms at sea' })
    await stage.tell()
    await stage.send()
    assert.deepEqual(heard(receiver).toSorted(), ['post gales/2', 'post seas/1'])
    assert.deepEqual(stage.delivered, ['webhook sent', 'webhook sent'])
  })

  test('added while events arrive misses none and repeats none', async () => {
    await using receiver = await startReceiver()
    await using stage = await openStage()
    await stage.watch('first', 'storm', { sinks: to(receiver) })
    await stage.publish('gales', { 1: 'storm one' })
    await stage.matcher.loadWatches()
    await stage.watch('second', 'storm', { sinks: to(receiver) })
    await stage.publish('gales', { 2: 'storm two' })
    // Read by a matcher that does not know the second watch yet: nothing of it counts.
    await stage.matcher.step()
    await stage.tell()
    await stage.send()
    assert.deepEqual(heard(receiver).toSorted(), ['post gales/1', 'post gales/2', 'post gales/2'])
  })

  test('that names an unknown channel finds its posts once it is added', async () => {
    await using receiver = await startReceiver()
    await using stage = await openStage()
    await stage.watch('one', '', { sinks: to(receiver), query: { channel: 'newcomer' } })
    await stage.tell()
    await stage.publish('gales', { 1: 'from another' })
    await stage.publish('newcomer', { 1: 'the first' })
    stage.pass(MINUTE)
    await stage.tell()
    stage.pass(MINUTE)
    await stage.publish('newcomer', { 2: 'the second' })
    await stage.tell()
    await stage.send()
    assert.ok(heard(receiver).includes('post newcomer/2'))
    assert.ok(!heard(receiver).includes('post gales/1'))
  })

  test('that excludes an unknown channel leaves out its posts once it is added', async () => {
    await using receiver = await startReceiver()
    await using stage = await openStage()
    const query = { exclude_channel: 'newcomer' }
    await stage.watch('by filter', 'storm', { sinks: to(receiver), query })
    await stage.watch('in the query', 'storm -from:newcomer', { sinks: to(receiver) })
    await stage.tell()
    await stage.publish('newcomer', { 1: 'calm' })
    await stage.tell()
    stage.pass(MINUTE)
    await stage.tell()
    await stage.publish('newcomer', { 2: 'a storm of spam' })
    await stage.publish('gales', { 1: 'a storm' })
    await stage.tell()
    await stage.send()
    assert.deepEqual(heard(receiver), ['post gales/1', 'post gales/1'])
  })

  test('is matched in steps that write little each, however many others find the same', async () => {
    await using stage = await openStage()
    for (let i = 0; i < 30; i++)
      await stage.watch(`watch ${i}`, 'storm', { options: { oncePerStory: i % 2 === 0 } })
    const texts = Array.from({ length: 60 }, (_, i) => [i + 1, `storm ${i}`] as const)
    await stage.publish('gales', Object.fromEntries(texts))
    const { deliveries } = stage.app.store
    const sizes: number[] = []
    const store = {
      ...stage.app.store,
      deliveries: {
        ...deliveries,
        advance(step: WatchStep) {
          sizes.push(step.queued.length)
          return deliveries.advance(step)
        },
      },
    }
    const { clock } = stage.options
    const read = (query: Watch['query']) => readWatch(stage.app.context, query)
    const matcher = createWatchMatcher({
      store,
      clock,
      read,
      onUnreadable: assert.fail,
      onEventLost: () => assert.fail(),
    })
    await matcher.loadWatches()
    while (await matcher.step());
    assert.ok(Math.max(...sizes) < 1_000, `${sizes}`)
    assert.equal((await deliveries.overview()).pending, 30 * 60)
    assert.deepEqual(await deliveries.position(), 60)
  })

  test('added after a time without any does not wait until the events of that time are read', async () => {
    await using receiver = await startReceiver()
    await using stage = await openStage()
    await stage.watch('first', 'storm')
    await stage.publish('gales', { 1: 'a storm' })
    await stage.tell()
    await stage.app.store.watches.remove('first')
    await stage.matcher.loadWatches()
    const texts = Array.from({ length: 250 }, (_, i) => [i + 2, `storm ${i}`] as const)
    await stage.publish('gales', Object.fromEntries(texts))
    await stage.watch('second', 'storm', { sinks: to(receiver) })
    await stage.matcher.loadWatches()
    await stage.matcher.step()
    assert.equal(await stage.app.store.deliveries.position(), 251)
    await stage.publish('gales', { 300: 'one more storm' })
    await stage.tell()
    await stage.send()
    assert.deepEqual(heard(receiver), ['post gales/300'])
  })

  test('is not forgotten when the store fails for a moment while it is read', async () => {
    await using stage = await openStage()
    let isAway = false
    const matcher = createWatchMatcher({
      store: stage.app.store,
      clock: stage.options.clock,
      async read(query) {
        if (isAway) throw new AppError('unavailable', 'the connection was cut')
        const read = await readWatch(stage.app.context, query)
        return { ...read, unknown: ['gales'] }
      },
      onUnreadable: (_watch, error) => assert.fail(error),
      onEventLost: () => assert.fail(),
    })
    await stage.watch('first', 'storm')
    await matcher.loadWatches()
    await stage.publish('gales', { 1: 'calm' })
    isAway = true
    await stage.watch('second', 'storm')
    await assert.rejects(matcher.loadWatches(), isUnavailable)
    stage.pass(MINUTE)
    await assert.rejects(matcher.loadWatches(), isUnavailable, 'those read again each minute')
    isAway = false
    await matcher.loadWatches()
    assert.equal(matcher.size, 2)
  })

  test('is told what comes after an event that cannot be read', async () => {
    await using receiver = await startReceiver()
    await using stage = await openStage()
    const { events, archive } = stage.app.store
    await stage.publish('gales', { 1: 'a storm before' })
    await stage.watch('storms', 'storm', { sinks: to(receiver), options: { edits: true } })
    await stage.publish('gales', { 2: 'a storm' })
    const channelId = (await archive.channel('gales'))!.id
    const at = stage.now()
    const edit = { channelId, revision: 9, publishedAt: at, firstCapturedAt: at }
    const damaged = new Uint8Array([1, 2, 3])
    await events.append([1, 2].map((number) => ({ ...edit, number, document: () => damaged })))
    await stage.publish('gales', { 3: 'another storm' })
    await stage.tell()
    await stage.send()
    // What was told of before is told of as it is now.
    assert.deepEqual(heard(receiver).toSorted(), ['edit gales/2', 'post gales/2', 'post gales/3'])
    assert.deepEqual(stage.lost, [3, 4])
    // The next process learns the terms of the same events.
    const matcher = createWatchMatcher({
      store: stage.app.store,
      clock: stage.options.clock,
      read: (query) => readWatch(stage.app.context, query),
      onUnreadable: assert.fail,
      onEventLost: () => assert.fail(),
    })
    await matcher.loadWatches()
    assert.equal(matcher.size, 1)
  })

  test('notifies of edits and deletions of reported posts, if it is set to', async () => {
    await using receiver = await startReceiver()
    await using stage = await openStage()
    const options = { edits: true, deletions: true }
    await stage.watch('all', 'storm', { sinks: to(receiver), options })
    await stage.watch('plain', 'storm', { sinks: to(receiver) })
    await stage.publish('gales', { 1: 'a storm', 2: 'nothing', 3: 'storm again' })
    await stage.tell()
    stage.pass(MINUTE)
    await stage.publish('gales', { 1: 'a breeze after all', 2: 'nothing, or a storm' })
    await stage.tell()
    await stage.send()
    stage.pass(MINUTE)
    await stage.erase('gales', [1, 3])
    await stage.tell()
    await stage.send()
    const counts = new Map<string, number>()
    for (const one of heard(receiver)) counts.set(one, (counts.get(one) ?? 0) + 1)
    assert.deepEqual(Object.fromEntries(counts), {
      'post gales/1': 2,
      'post gales/2': 2,
      'post gales/3': 2,
      'edit gales/1': 1,
      'deleted gales/1': 1,
      'deleted gales/3': 1,
    })
    const deletion = receiver.received.find(({ body }) => body.includes('"deleted"'))
    assert.ok(!deletion!.body.includes('storm again'), 'in no words of its author')
  })

  test('notifies of near-identical posts once, if it is set to', async () => {
    await using receiver = await startReceiver()
    await using stage = await openStage()
    await stage.watch('once', 'storm', { sinks: to(receiver), options: { oncePerStory: true } })
    const story =
      'The storm of the century reached the coast this morning and took three roofs with it'
    await stage.publish('gales', { 1: story })
    await stage.tell()
    await stage.publish('seas', { 1: story })
    await stage.tell()
    await stage.publish('winds', { 1: story })
    await stage.publish('winds', {
      2: 'another storm, far away from the coast, is on its way to us',
    })
    await stage.tell()
    await stage.send()
    assert.deepEqual(heard(receiver), ['post gales/1', 'post winds/2'])
  })

  test('collects a digest for as long as it is set to', async () => {
    await using receiver = await startReceiver()
    await using stage = await openStage()
    await stage.watch('digest', 'storm', { sinks: to(receiver), options: { digestMinutes: 30 } })
    await stage.publish('gales', { 1: 'storm one' })
    await stage.tell()
    stage.pass(10 * MINUTE)
    await stage.publish('gales', { 2: 'storm two' })
    await stage.tell()
    await stage.send()
    assert.deepEqual(heard(receiver), [])
    stage.pass(20 * MINUTE)
    await stage.send()
    assert.deepEqual(heard(receiver), ['digest: post gales/1, post gales/2'])
  })

  test('leaves out posts that were removed or deleted before they were sent', async () => {
    await using receiver = await startReceiver()
    await using stage = await openStage()
    await stage.watch('storms', 'storm', { sinks: to(receiver) })
    await stage.publish('gone', { 1: 'a storm that nobody may read' })
    await stage.publish('gales', { 1: 'a storm taken back', 2: 'a storm that stays' })
    await stage.tell()
    await stage.app.store.removals.removeChannel('gone', 'asked', stage.now())
    await stage.erase('gales', [1])
    stage.pass(MINUTE)
    await stage.send()
    assert.deepEqual(heard(receiver), ['post gales/2'])
    assert.equal((await stage.app.store.deliveries.overview()).pending, 0)
  })
})

describe('a receiver', () => {
  const opened = async (receiver: Receiver): Promise<Stage> => {
    const stage = await openStage()
    await stage.watch('storms', 'storm', { sinks: to(receiver) })
    await stage.publish('gales', { 1: 'storm one', 2: 'storm two' })
    await stage.tell()
    return stage
  }

  test('that fails is retried at growing intervals, until everything has arrived', async () => {
    await using receiver = await startReceiver()
    await using stage = await opened(receiver)
    receiver.answer = (response) => response.writeHead(500).end()
    const tries: number[] = []
    const start = stage.now()
    for (let i = 0; i < 7; i++) {
      await stage.send()
      tries.push(receiver.received.length)
      stage.pass(15_000)
    }
    assert.equal(
      tries[0],
      2,
      'each is tried, and once nothing gets through the receiver is left alone',
    )
    assert.ok(tries.at(-1)! < 10, `${tries}`)
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
    assert.equal(ids.size, 2, 'by the same ids')
    receiver.answer = (response) => response.end()
    while (stage.now() < start + DAY) {
      stage.pass(10 * MINUTE)
      await stage.send()
    }
    assert.deepEqual(new Set(heard(receiver)), new Set(['post gales/1', 'post gales/2']))
    assert.deepEqual(await stage.app.store.deliveries.overview(), { pending: 0, dead: 0 })
  })

  test('that fails for a day leaves dead letters, which can be resent', async () => {
    await using receiver = await startReceiver()
    await using stage = await opened(receiver)
    receiver.answer = (response) => response.writeHead(503).end('closed')
    for (let at = 0; at < DAY + 3 * 3_600_000; at += 10 * MINUTE) {
      await stage.send()
      stage.pass(10 * MINUTE)
    }
    const { deliveries } = stage.app.store
    assert.deepEqual(
      (await deliveries.dead(10)).map(({ error }) => error),
      ['status 503: closed', 'status 503: closed'],
    )
    assert.ok(receiver.received.length < 60, `${receiver.received.length} tries`)
    receiver.answer = (response) => response.end()
    receiver.received.length = 0
    assert.equal(await deliveries.resend(null), 2)
    await stage.send()
    assert.deepEqual(heard(receiver), ['post gales/1', 'post gales/2'])
  })

  test('that answers 429 is not tried again before its Retry-After', async () => {
    await using receiver = await startReceiver()
    await using stage = await opened(receiver)
    receiver.answer = (response) => response.writeHead(429, { 'retry-after': '3600' }).end()
    await stage.send()
    stage.pass(59 * MINUTE)
    await stage.send()
    assert.equal(receiver.received.length, 1)
    receiver.answer = (response) => response.end()
    stage.pass(MINUTE)
    await stage.send()
    assert.deepEqual(new Set(heard(receiver).slice(1)), new Set(['post gales/1', 'post gales/2']))
  })

  test('that answers 410 is sent nothing more, and what was pending becomes a dead letter', async () => {
    await using receiver = await startReceiver()
    await using stage = await opened(receiver)
    receiver.answer = (response) => response.writeHead(410).end()
    await stage.send()
    assert.equal(receiver.received.length, 1)
    const watch = await stage.app.store.watches.get('storms')
    assert.match(watch!.stopped.webhook!, /410/)
    assert.equal((await stage.app.store.deliveries.overview()).dead, 2)
    await stage.publish('gales', { 3: 'storm three' })
    await stage.tell()
    await stage.send()
    assert.equal(receiver.received.length, 1)
  })
})
