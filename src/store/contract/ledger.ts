import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HOUR, MINUTE, NOON, type OpenStore } from './samples.ts'

export function describeLedger(open: OpenStore): void {
  describe('ledger', () => {
    const key = { id: 'abc', name: 'mine', tier: 'free', createdAt: NOON, secretHash: 'h1' }
    const charge = {
      caller: 'key:abc',
      policy: 'burst',
      limit: 10,
      windowMs: MINUTE,
      starts: 'first',
    } as const

    test('keys have at most two secrets and stay revoked', async () => {
      const { store } = await open()
      const { ledger } = store
      await ledger.addKey(key)
      await assert.rejects(ledger.addKey(key), 'an id is given once')
      assert.deepEqual(await ledger.key('abc'), {
        id: 'abc',
        name: 'mine',
        tier: 'free',
        createdAt: NOON,
        revokedAt: null,
        lastUsedAt: null,
        secretHashes: ['h1'],
      })
      assert.equal(await ledger.addSecret('abc', 'h2'), true)
      assert.equal(await ledger.addSecret('abc', 'h3'), true)
      assert.deepEqual((await ledger.key('abc'))?.secretHashes, ['h2', 'h3'])
      await ledger.touchKey('abc', NOON + 5)
      await ledger.touchKey('abc', NOON + 4)
      assert.equal((await ledger.key('abc'))?.lastUsedAt, NOON + 5)
      assert.equal(await ledger.revokeKey('abc', NOON + 6), true)
      assert.equal(await ledger.revokeKey('abc', NOON + 7), true)
      assert.equal((await ledger.key('abc'))?.revokedAt, NOON + 6)
      assert.equal(await ledger.addSecret('abc', 'h4'), false)
      assert.equal(await ledger.revokeKey('zzz', NOON), false)
      assert.equal(await ledger.key('zzz'), undefined)
      await ledger.addKey({ ...key, id: 'aaa', createdAt: NOON - 1 })
      assert.deepEqual(
        (await ledger.keys()).map((k) => k.id),
        ['aaa', 'abc'],
      )
    })

    test('a window starts with the first charge and grants no more than its limit', async () => {
      const { store, setNow } = await open()
      const { ledger } = store
      const spend = (amount: number, now: number) => {
        setNow(now)
        return ledger.charge({ ...charge, amount })
      }
      assert.deepEqual(await spend(7, NOON), { startedAt: NOON, used: 7, granted: 7 })
      assert.deepEqual(await spend(7, NOON + 1), { startedAt: NOON, used: 10, granted: 3 })
      assert.deepEqual(await spend(1, NOON + MINUTE - 1), { startedAt: NOON, used: 10, granted: 0 })
      assert.deepEqual(await spend(1, NOON + MINUTE), {
        startedAt: NOON + MINUTE,
        used: 1,
        granted: 1,
      })
      assert.equal((await ledger.charge({ ...charge, policy: 'live', amount: 1 })).used, 1)
      assert.equal((await ledger.charge({ ...charge, caller: 'other', amount: 1 })).used, 1)
    })

    test('a window may start at full days of UTC', async () => {
      const { store, setNow } = await open()
      const daily = { ...charge, policy: 'daily', windowMs: 24 * HOUR, starts: 'clock' } as const
      const first = await store.ledger.charge({ ...daily, amount: 10 })
      assert.deepEqual(first, { startedAt: NOON - 12 * HOUR, used: 10, granted: 10 })
      setNow(NOON + 12 * HOUR - 1)
      assert.equal((await store.ledger.charge({ ...daily, amount: 10 })).granted, 0)
      setNow(NOON + 12 * HOUR)
      assert.equal((await store.ledger.charge({ ...daily, amount: 10 })).granted, 10)
    })

    test('a refund can be spent again, in the same window only', async () => {
      const { store, setNow } = await open()
      const { ledger } = store
      const usage = () => ledger.usage(charge.caller, 'burst', MINUTE)
      await ledger.charge({ ...charge, amount: 10 })
      const back = { caller: charge.caller, policy: charge.policy, amount: 4 }
      await ledger.refund({ ...back, startedAt: NOON - 1 })
      assert.equal((await usage())?.used, 10)
      await ledger.refund({ ...back, startedAt: NOON })
      assert.deepEqual(await usage(), { startedAt: NOON, used: 6 })
      setNow(NOON + MINUTE - 1)
      await ledger.sweep()
      setNow(NOON)
      assert.equal((await usage())?.used, 6)
      setNow(NOON + MINUTE)
      assert.equal(await usage(), undefined)
      await ledger.sweep()
      setNow(NOON)
      assert.equal(await usage(), undefined)
    })

    test('a clock that is set back ends a window only if it lies out of reach', async () => {
      const { store, setNow } = await open()
      const { ledger } = store
      const usage = () => ledger.usage(charge.caller, 'burst', MINUTE)
      await ledger.charge({ ...charge, amount: 10 })
      for (const now of [NOON - MINUTE + 1, NOON, NOON - 1]) {
        setNow(now)
        assert.equal((await ledger.charge({ ...charge, amount: 1 })).granted, 0)
        assert.equal((await usage())?.used, 10)
      }
      const now = NOON - MINUTE
      setNow(now)
      assert.equal(await usage(), undefined)
      assert.deepEqual(await ledger.charge({ ...charge, amount: 4 }), {
        startedAt: now,
        used: 4,
        granted: 4,
      })
    })

    test('concurrent charges are granted exactly the limit', async () => {
      const { store } = await open()
      const spenders = Array.from({ length: 64 }, () =>
        store.ledger.charge({ ...charge, amount: 1 }),
      )
      const granted = (await Promise.all(spenders)).map((usage) => usage.granted)
      assert.equal(
        granted.reduce((sum, amount) => sum + amount, 0),
        10,
      )
    })
  })
}
