import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTemporary } from '../../test/open-temporary.ts'
import { systemClock } from '../model/clock.ts'
import { createWorld } from '../simulator/world.ts'
import { rememberGrowth } from './demo-growth.ts'

test('the first channels of the demo have a month of growth and are still queued', async () => {
  await using store = await openTemporary()
  const at = systemClock.now()
  const world = createWorld({ seed: 'demo', channels: 20, startAt: at, days: 40 })
  const names = world.truth.readableNames(at)
  await rememberGrowth(store, { world, names, at }, systemClock)
  const first = await store.archive.channel(names[0]!)
  assert.equal(first?.status, 'queued')
  const stats = await store.archive.stats(first.id, at)
  assert.ok(stats.growth.length >= 8, `${stats.growth.length} days`)
  const told = stats.growth.map(({ subscribers }) => subscribers)
  assert.ok(told.every((value) => value !== null))
  assert.ok(new Set(told).size > 1, 'it does not stand still')
  assert.equal(await store.archive.channel(names.at(-1)!), undefined)
})
