import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  MAX_TOGETHER,
  type Deliveries,
  type Delivery,
  type Queued,
  type WatchEvent,
} from '../deliveries.ts'
import { DAY, HOUR, MINUTE, NOON, type OpenStore } from './samples.ts'
import { sampleWatch } from './watches.ts'

function event(seq: number, fields: Partial<WatchEvent> = {}): WatchEvent {
  return { kind: 'post', channelId: 7, number: seq, seq, at: NOON, ...fields }
}

function queued(watchId: number, seq: number, fields: Partial<Queued> = {}): Queued {
  return {
    watchId,
    sink: 'webhook',
    event: event(seq),
    at: NOON,
    dueAt: NOON,
    together: false,
    ...fields,
  }
}

const FAILED = {
  kind: 'again',
  dueAt: NOON + MINUTE,
  restUntil: NOON + 10_000,
  error: 'status 500',
} as const

export function describeDeliveries(open: OpenStore): void {
  const opened = async () => {
    const { store, setNow } = await open()
    const { id } = await store.watches.put(sampleWatch('storms'))
    const { deliveries } = store
    let position: number | null = null
    const queue = async (...all: readonly Queued[]) => {
      const to = (position ?? 0) + 1
      const revision = await store.watches.revision()
      const step = { from: position, to, revision, told: [], queued: all }
      assert.equal(await deliveries.advance(step), true)
      position = to
    }
    return { store, setNow, deliveries, id, queue }
  }
  const seqs = (delivery: Delivery | undefined) => delivery?.events.map(({ seq }) => seq)

  describe('deliveries', () => {
    test('the position advances together with what is told and queued, and only once', async () => {
      const { store, deliveries, id } = await opened()
      assert.deepEqual(await deliveries.position(), null)
      const revision = await store.watches.revision()
      const told = [{ watchId: id, channelId: 7, number: 3, story: null, at: NOON }]
      const step = { from: null, to: 12, revision, told, queued: [queued(id, 12)] }
      assert.equal(await deliveries.advance(step), true)
      assert.equal(await deliveries.advance(step), false, 'somebody else has read on')
      assert.deepEqual(await deliveries.position(), 12)
      assert.equal((await deliveries.overview()).pending, 1)
      assert.equal(
        await deliveries.advance({ ...step, from: 12, to: 13, queued: [] }),
        true,
        'what was told before is no error',
      )
      assert.equal((await deliveries.lastTold(id, 10)).length, 1)
      await store.watches.put(sampleWatch('gales'))
      assert.equal(
        await deliveries.advance({ ...step, from: 13, to: 14 }),
        false,
        'a watch has come that was not asked',
      )
      assert.deepEqual(await deliveries.position(), 13)
    })

    test('told posts are found by post, by story and by watch', async () => {
      const { store, deliveries, id } = await opened()
      const other = (await store.watches.put(sampleWatch('gales'))).id
      const told = [
        { watchId: id, channelId: 7, number: 3, story: 5, at: NOON },
        { watchId: id, channelId: 8, number: 3, story: null, at: NOON + 1 },
        { watchId: other, channelId: 7, number: 3, story: 6, at: NOON },
        { watchId: 999, channelId: 7, number: 3, story: 6, at: NOON },
      ]
      const revision = await store.watches.revision()
      await deliveries.advance({ from: null, to: 1, revision, told, queued: [] })
      const by = await deliveries.toldBy([
        { channelId: 7, number: 3 },
        { channelId: 7, number: 4 },
      ])
      assert.deepEqual(
        by.toSorted((a, b) => a.watchId - b.watchId),
        [
          { watchId: id, channelId: 7, number: 3 },
          { watchId: other, channelId: 7, number: 3 },
        ],
      )
      const pairs = [
        { watchId: id, story: 5 },
        { watchId: id, story: 6 },
        { watchId: other, story: 6 },
      ]
      const stories = await deliveries.toldStories(pairs)
      assert.deepEqual(
        stories.toSorted((a, b) => a.watchId - b.watchId),
        [pairs[0], pairs[2]],
      )
      assert.deepEqual(await deliveries.lastTold(id, 10), [
        { channelId: 8, number: 3, at: NOON + 1 },
        { channelId: 7, number: 3, at: NOON },
      ])
      assert.equal((await deliveries.lastTold(id, 1)).length, 1)
      await deliveries.expire(NOON + 1)
      assert.equal((await deliveries.lastTold(id, 10)).length, 1)
    })

    test('due deliveries are leased one at a time per sink, longest due first', async () => {
      const { store, deliveries, id, queue } = await opened()
      const other = (await store.watches.put(sampleWatch('gales'))).id
      await queue(
        queued(id, 1),
        queued(id, 2, { dueAt: NOON - 1 }),
        queued(id, 3, { sink: 'email' }),
        queued(other, 4),
        queued(other, 5, { sink: 'command', dueAt: NOON + HOUR }),
      )
      const first = await deliveries.lease(MINUTE)
      assert.deepEqual(first, {
        id: first!.id,
        watchId: id,
        sink: 'webhook',
        events: [event(2)],
        createdAt: NOON,
        attempt: 1,
        triedSince: NOON,
        failingSince: null,
        heldUntil: NOON + MINUTE,
      })
      const rest = [await deliveries.lease(MINUTE), await deliveries.lease(MINUTE)]
      assert.deepEqual(new Set(rest.flatMap((one) => seqs(one) ?? [])), new Set([3, 4]))
      assert.equal(await deliveries.lease(MINUTE), undefined, 'the sink has one under way')
      assert.equal(await deliveries.settle(first!, { kind: 'sent' }), true)
      assert.equal(await deliveries.settle(first!, { kind: 'sent' }), false)
      assert.deepEqual(seqs(await deliveries.lease(MINUTE)), [1])
      assert.deepEqual(await deliveries.overview(), { pending: 4, dead: 0 })
    })

    test('a failed delivery is retried with the same id, and its sink rests meanwhile', async () => {
      const { setNow, deliveries, id, queue } = await opened()
      await queue(queued(id, 1), queued(id, 2))
      const first = await deliveries.lease(MINUTE)
      assert.equal(await deliveries.settle(first!, FAILED), true)
      assert.equal(await deliveries.lease(MINUTE), undefined)
      setNow(FAILED.restUntil)
      const second = await deliveries.lease(MINUTE)
      assert.deepEqual(seqs(second), [2])
      await deliveries.settle(second!, { kind: 'sent' })
      assert.equal(await deliveries.lease(MINUTE), undefined)
      setNow(FAILED.dueAt)
      const again = await deliveries.lease(MINUTE)
      assert.deepEqual(again, { ...first, attempt: 2, heldUntil: FAILED.dueAt + MINUTE })
    })

    test('deliveries that wait for a failing sink count as tried, until something gets through', async () => {
      const { setNow, deliveries, id, queue } = await opened()
      const email = queued(id, 7, { sink: 'email', dueAt: NOON + 2 })
      const [second, third] = [
        queued(id, 2, { dueAt: NOON + 1 }),
        queued(id, 3, { dueAt: NOON + 2 }),
      ]
      const later = queued(id, 4, { dueAt: NOON + HOUR })
      await queue(queued(id, 1), second, third, later, email)
      const first = await deliveries.lease(MINUTE)
      assert.equal(first?.failingSince, null)
      setNow(NOON + 5_000)
      await deliveries.settle(first!, { kind: 'back' })
      const again = await deliveries.lease(MINUTE)
      assert.deepEqual([seqs(again), again?.failingSince], [[1], null], 'given back, it is next')
      setNow(NOON + 6_000)
      const failed = { kind: 'again', dueAt: NOON + 3 * HOUR, restUntil: 0, error: '500' } as const
      await deliveries.settle(again!, failed)
      setNow(NOON + 2 * HOUR)
      for (const [seq, since] of [
        [2, 6_000],
        [3, 6_000],
        [4, HOUR],
      ] as const) {
        const waited = await takeSink(deliveries, 'webhook')
        assert.deepEqual(seqs(waited), [seq])
        assert.deepEqual([waited!.triedSince, waited!.failingSince], [NOON + since, NOON + 6_000])
        await deliveries.settle(waited!, failed)
      }
      setNow(failed.dueAt)
      const through = await takeSink(deliveries, 'webhook')
      assert.equal(through?.triedSince, NOON)
      await queue(queued(id, 5, { dueAt: failed.dueAt - 1 }))
      await deliveries.settle(through!, { kind: 'sent' })
      const fresh = await takeSink(deliveries, 'webhook')
      assert.deepEqual([seqs(fresh), fresh?.failingSince], [[5], null])
      assert.equal(fresh?.triedSince, failed.dueAt)
    })

    test('deliveries planned by a clock that was a year ahead are due, and their sinks are free', async () => {
      const { setNow, deliveries, id, queue } = await opened()
      const year = 400 * DAY
      setNow(NOON + year)
      await queue(queued(id, 1), queued(id, 2, { dueAt: NOON + year + HOUR, sink: 'email' }))
      const ahead = await deliveries.lease(MINUTE)
      const again = {
        dueAt: NOON + year + HOUR,
        restUntil: NOON + year + MINUTE,
        error: 'status 500',
      }
      await deliveries.settle(ahead!, { kind: 'again', ...again })
      setNow(NOON)
      await queue(queued(id, 3, { dueAt: NOON + 2 * DAY, sink: 'command' }))
      const due = [await deliveries.lease(MINUTE), await deliveries.lease(MINUTE)]
      assert.deepEqual(new Set(due.flatMap((one) => seqs(one) ?? [])), new Set([1, 2]))
      const triedSince = due.map((one) => one?.triedSince)
      assert.deepEqual(triedSince, [NOON, NOON], 'given up a day from now')
      assert.equal(await deliveries.lease(MINUTE), undefined, 'a digest waits for its time')
    })

    test('a sender whose lease has expired cannot settle', async () => {
      const { setNow, deliveries, id, queue } = await opened()
      await queue(queued(id, 1))
      const slow = await deliveries.lease(MINUTE)
      setNow(NOON + MINUTE)
      const quick = await deliveries.lease(MINUTE)
      assert.equal(quick?.id, slow?.id)
      assert.equal(await deliveries.settle(slow!, { kind: 'sent' }), false)
      assert.equal(await deliveries.lease(MINUTE), undefined, 'it is still held')
      assert.equal(await deliveries.settle(quick!, { kind: 'sent' }), true)
      assert.deepEqual(await deliveries.overview(), { pending: 0, dead: 0 })
    })

    test('a sender that settles after its hold leaves the hold of the next one', async () => {
      for (const outcome of [{ kind: 'sent' }, FAILED] as const) {
        const { setNow, deliveries, id, queue } = await opened()
        await queue(queued(id, 1))
        const slow = await deliveries.lease(MINUTE)
        await queue(queued(id, 2, { dueAt: NOON - 1 }))
        setNow(NOON + MINUTE)
        const quick = await deliveries.lease(MINUTE)
        assert.deepEqual(seqs(quick), [2])
        assert.equal(await deliveries.settle(slow!, outcome), true)
        await queue(queued(id, 3))
        setNow(NOON + 2 * MINUTE - 1)
        assert.equal(await deliveries.lease(MINUTE), undefined, 'one at a time')
        assert.equal(await deliveries.settle(quick!, { kind: 'sent' }), true)
        assert.ok(await deliveries.lease(MINUTE), 'nobody holds it any more')
      }
    })

    test('dead letters are listed, can be sent again, and expire', async () => {
      const { setNow, deliveries, id, queue } = await opened()
      await queue(queued(id, 1), queued(id, 2))
      for (const error of ['status 500', 'timeout']) {
        const delivery = await deliveries.lease(MINUTE)
        await deliveries.settle(delivery!, { kind: 'dead', error })
      }
      const letters = await deliveries.dead(10)
      assert.deepEqual(
        letters.map(({ events, error, attempts, diedAt }) => [
          events[0]!.seq,
          error,
          attempts,
          diedAt,
        ]),
        [
          [1, 'status 500', 1, NOON],
          [2, 'timeout', 1, NOON],
        ],
      )
      assert.deepEqual(await deliveries.overview(), { pending: 0, dead: 2 })
      assert.equal(await deliveries.lease(MINUTE), undefined)
      setNow(NOON + DAY)
      assert.equal(await deliveries.resend(id + 1), 0)
      assert.equal(await deliveries.resend(id), 2)
      const again = await deliveries.lease(MINUTE)
      assert.equal(again?.id, letters[0]!.id)
      assert.equal(again?.triedSince, NOON + DAY)
      await deliveries.settle(again!, { kind: 'dead', error: 'status 500' })
      await deliveries.expire(NOON + DAY + 1)
      assert.deepEqual(await deliveries.overview(), { pending: 1, dead: 0 })
      assert.equal(await deliveries.resend(null), 0)
    })

    test('events told together share one delivery until it is full or leased', async () => {
      const { setNow, deliveries, id, queue } = await opened()
      const later = { together: true, dueAt: NOON + HOUR }
      await queue(queued(id, 1, later), queued(id, 2, { ...later, sink: 'email' }))
      await queue(
        queued(id, 3, later),
        queued(id, 4, { ...later, together: false }),
        queued(id, 5, { ...later, dueAt: NOON + 2 * HOUR }),
      )
      assert.equal((await deliveries.overview()).pending, 4)
      setNow(NOON + HOUR)
      const digest = await takeSink(deliveries, 'webhook')
      assert.deepEqual(digest?.events, [event(1), event(3)])
      await queue(queued(id, 6, later))
      assert.equal((await deliveries.overview()).pending, 5, 'one under way takes nothing more')
      const many = Array.from({ length: MAX_TOGETHER + 1 }, (_, i) =>
        queued(id, 100 + i, { together: true, dueAt: NOON + 3 * HOUR }),
      )
      await queue(...many)
      assert.equal((await deliveries.overview()).pending, 7)
      const most = many.slice(1).map((one) => ({ ...one, sink: 'email' as const }))
      await queue(...most.slice(0, MAX_TOGETHER - 1))
      await queue(...most.slice(-3), queued(id, 300, { sink: 'email' }))
      setNow(NOON + 3 * HOUR)
      const sizes = []
      for (let i = 0; i < 4; i++) {
        const mail = await takeSink(deliveries, 'email')
        sizes.push(mail!.events.length)
        await deliveries.settle(mail!, { kind: 'sent' })
      }
      assert.deepEqual(sizes, [1, 1, MAX_TOGETHER, 2], 'the one that waits is filled first')
    })

    test('what is due at the same moment is sent in the order in which it was queued', async () => {
      const { store, deliveries, id, queue } = await opened()
      const others = []
      for (let i = 0; i < 20; i++) others.push(await store.watches.put(sampleWatch(`other ${i}`)))
      const mixed = others.flatMap((other, i) => [queued(other.id, i), queued(id, 100 - i)])
      await queue(...mixed)
      const sent: number[] = []
      for (;;) {
        const delivery = await deliveries.lease(MINUTE)
        if (!delivery) break
        if (delivery.watchId === id) sent.push(...delivery.events.map(({ seq }) => seq))
        await deliveries.settle(delivery, { kind: 'sent' })
      }
      assert.deepEqual(
        sent,
        others.map((_, i) => 100 - i),
      )
    })

    test('nothing is sent for a removed watch or a stopped sink', async () => {
      const { store, deliveries, id, queue } = await opened()
      const other = (await store.watches.put(sampleWatch('gales'))).id
      await queue(queued(id, 1), queued(id, 2, { sink: 'email' }), queued(other, 3))
      const under = await takeSink(deliveries, 'webhook')
      assert.equal(under?.watchId, id)
      await store.watches.stop((await store.watches.byId(id))!, 'webhook', 'answered 410')
      assert.equal(await deliveries.settle(under!, FAILED), false)
      const [letter] = await deliveries.dead(10)
      assert.deepEqual([letter?.sink, letter?.error], ['webhook', 'answered 410'])
      await store.watches.remove('storms')
      assert.deepEqual(await deliveries.overview(), { pending: 1, dead: 0 })
      await queue(queued(id, 4))
      assert.equal((await deliveries.overview()).pending, 1, 'for nobody')
      assert.deepEqual(seqs(await deliveries.lease(MINUTE)), [3])
      assert.equal(await deliveries.lease(MINUTE), undefined)
    })
  })
}

/** Leases deliveries until one for that sink comes. */
async function takeSink(deliveries: Deliveries, sink: string): Promise<Delivery | undefined> {
  for (;;) {
    const delivery = await deliveries.lease(MINUTE)
    if (!delivery || delivery.sink === sink) return delivery
  }
}
