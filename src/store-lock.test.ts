import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { fromElsewhere, openTemporary } from '../test/open-temporary.ts'
import { createStillClock } from './simulator/clocks.ts'
import { createOwner } from './store/owner.ts'
import { KEEPER } from './store/roles.ts'
import { lockShared, lockExclusive, lockSharedForLong } from './store-lock.ts'

test('an exclusive holder keeps others out, and is aborted if a process gets in all the same', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const clock = createStillClock(Date.UTC(2026, 4, 1))
  await using store = fromElsewhere(await openTemporary(clock))
  {
    await using alone = await lockExclusive(store)
    await assert.rejects(lockExclusive(store), /stop all of them first/)
    // A pause longer than the lease, in which a server starts.
    clock.pass(61_000)
    assert.ok(await store.roles.acquire(KEEPER, createOwner(), 60_000))
    t.mock.timers.tick(20_000)
    await once(alone.signal, 'abort')
    assert.match(String(alone.signal.reason), /a process was started on .* meanwhile/)
  }
  await assert.rejects(lockExclusive(store), /stop all of them first/, 'what is the server’s stays')
})

test('services enter side by side, but not while a command holds the store exclusively', async () => {
  await using store = fromElsewhere(await openTemporary(createStillClock(Date.UTC(2026, 4, 1))))
  {
    await using _ = await lockExclusive(store)
    await assert.rejects(lockShared(store), /a command has .* to itself, such as migrate-store/)
  }
  {
    await using _first = await lockShared(store)
    await using _second = await lockShared(store)
    await assert.rejects(lockExclusive(store), /stop all of them first/, 'before there is a keeper')
  }
  await using _ = await lockExclusive(store)
})

test('a long writer keeps exclusive commands out until it ends', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const clock = createStillClock(Date.UTC(2026, 4, 1))
  await using store = fromElsewhere(await openTemporary(clock))
  {
    await using _ = await lockSharedForLong(store)
    {
      await using _short = await lockShared(store)
    }
    await assert.rejects(
      lockExclusive(store),
      /stop all of them first/,
      'another gave its own back',
    )
    for (let i = 0; i < 6; i++) {
      clock.pass(20_000)
      t.mock.timers.tick(20_000)
      await setImmediate()
    }
    await assert.rejects(lockExclusive(store), /stop all of them first/, 'minutes later')
    await using _beside = await lockSharedForLong(store)
  }
  await using _ = await lockExclusive(store)
  await assert.rejects(lockSharedForLong(store), /a command has .* to itself/)
})
