import assert from 'node:assert/strict'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { test } from 'node:test'
import { fromElsewhere, openTemporary } from '../../test/open-temporary.ts'
import { createStillClock } from '../simulator/clocks.ts'
import { acquireRole } from './acquire-role.ts'
import type { Roles } from './roles.ts'

const TTL_MS = 30_000

test('a role is held for as long as the work takes, and is free when it ends', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const clock = createStillClock(Date.UTC(2026, 4, 1))
  await using store = fromElsewhere(await openTemporary(clock))
  let losses = 0
  {
    await using held = await acquireRole(store.roles, 'work', {
      ttlMs: TTL_MS,
      onLost: () => losses++,
    })
    assert.ok(held)
    for (let i = 0; i < 6; i++) {
      clock.pass(TTL_MS / 2)
      t.mock.timers.tick(TTL_MS / 2)
      await yieldToEventLoop()
      assert.equal(await store.roles.acquire('work', 'another', TTL_MS), undefined)
    }
  }
  assert.ok(await store.roles.acquire('work', 'another', TTL_MS))
  assert.equal(losses, 0)
})

test('a role that was lost is not renewed any more', async (t) => {
  await using store = fromElsewhere(await openTemporary(createStillClock(Date.UTC(2026, 4, 1))))
  const cleared = t.mock.method(globalThis, 'clearInterval')
  const roles: Roles = { ...store.roles, renew: async () => undefined }
  await new Promise<void>((resolve, reject) => {
    acquireRole(roles, 'work', { ttlMs: 30, onLost: resolve }).catch(reject)
  })
  assert.equal(cleared.mock.callCount(), 1)
})

test('a store that fails for a moment neither loses the role nor makes its release fail', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  await using store = fromElsewhere(await openTemporary(createStillClock(Date.UTC(2026, 4, 1))))
  let isAway = false
  const away = async <T>(ask: () => Promise<T>): Promise<T> => {
    if (isAway) throw new Error('the store is away')
    return ask()
  }
  const roles: Roles = {
    acquire: (...asked) => store.roles.acquire(...asked),
    renew: (...asked) => away(() => store.roles.renew(...asked)),
    release: (...asked) => away(() => store.roles.release(...asked)),
    holder: (...asked) => away(() => store.roles.holder(...asked)),
  }
  let losses = 0
  const held = await acquireRole(roles, 'work', { ttlMs: TTL_MS, onLost: () => losses++ })
  isAway = true
  t.mock.timers.tick(TTL_MS / 3)
  await yieldToEventLoop()
  assert.equal(losses, 0)
  await held![Symbol.asyncDispose]()
})
