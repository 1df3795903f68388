import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../model/clock.ts'
import { createWorld } from '../simulator/world.ts'
import { openMemoryStore } from '../store/contract/memory/memory-store.ts'
import { prepareDemo } from './prepare-demo.ts'

test('the demo reads the channels of its story as well as all others', async () => {
  const retention = { deleted: 'redact', versions: 'keep' } as const
  await using store = openMemoryStore({ retention })
  const at = systemClock.now()
  const world = createWorld({ seed: 'demo', channels: 6, startAt: at, days: 40 })
  const names = await prepareDemo(store, { world, now: () => at }, systemClock)
  for (const name of ['showcase', 'ferry_desk', 'harbour_wire']) {
    assert.ok(names.includes(name), name)
    assert.equal((await store.archive.channel(name))?.status, 'queued', name)
  }
})
