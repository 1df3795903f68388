import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY, MINUTE, NOON, type OpenStore } from './samples.ts'

export function describeRoles(open: OpenStore): void {
  describe('roles', () => {
    test('have one owner at a time, until they are released or expire', async () => {
      const { store, setNow } = await open()
      const { roles } = store
      const first = await roles.acquire('keeper', 'a', MINUTE)
      assert.deepEqual(first, { name: 'keeper', owner: 'a', token: 1, until: NOON + MINUTE })
      assert.equal(await roles.acquire('keeper', 'b', MINUTE), undefined)
      assert.equal((await roles.acquire('indexer/1', 'b', MINUTE))?.token, 1, 'roles are apart')
      setNow(NOON + MINUTE - 1)
      const kept = await roles.renew(first!, MINUTE)
      assert.equal(kept?.until, NOON + 2 * MINUTE - 1)
      setNow(NOON + MINUTE)
      assert.equal(await roles.acquire('keeper', 'b', MINUTE), undefined)
      await roles.release(kept!)
      assert.equal((await roles.acquire('keeper', 'b', MINUTE))?.token, 2)
      setNow(NOON + 2 * MINUTE)
      assert.equal((await roles.acquire('keeper', 'a', MINUTE))?.token, 3, 'it ran out')
    })

    test('cannot be renewed or released by an owner who lost them', async () => {
      const { store, setNow } = await open()
      const { roles } = store
      const slow = await roles.acquire('keeper', 'slow', MINUTE)
      setNow(NOON + MINUTE)
      const quick = await roles.acquire('keeper', 'quick', MINUTE)
      assert.equal(await roles.renew(slow!, MINUTE), undefined)
      await roles.release(slow!)
      assert.equal(await roles.acquire('keeper', 'third', MINUTE), undefined)
      assert.ok(await roles.renew(quick!, MINUTE))
      const again = await roles.acquire('keeper', 'quick', MINUTE)
      assert.ok(again!.token > quick!.token, 'asking again is a new lease')
      assert.equal(await roles.renew(quick!, MINUTE), undefined)
    })

    test('leased by a clock that was a year ahead are free', async () => {
      const { store, setNow } = await open()
      setNow(NOON + 400 * DAY)
      await store.roles.acquire('keeper', 'a', MINUTE)
      setNow(NOON)
      assert.equal((await store.roles.acquire('keeper', 'b', MINUTE))?.until, NOON + MINUTE)
    })

    test('that expired can be renewed while nobody else has taken them', async () => {
      const { store, setNow } = await open()
      const lease = await store.roles.acquire('keeper', 'a', MINUTE)
      setNow(NOON + 2 * MINUTE)
      assert.equal((await store.roles.renew(lease!, MINUTE))?.until, NOON + 3 * MINUTE)
    })

    test('have a holder until they are given back, even if the lease has run out', async () => {
      const { store, setNow } = await open()
      const { roles } = store
      assert.equal(await roles.holder('keeper'), undefined)
      await roles.acquire('keeper', 'a', 0)
      assert.equal(await roles.holder('keeper'), 'a')
      setNow(NOON + 400 * DAY)
      assert.equal(await roles.holder('keeper'), 'a')
      const again = await roles.acquire('keeper', 'a', 0)
      await roles.release(again!)
      assert.equal(await roles.holder('keeper'), undefined)
    })
  })
}
