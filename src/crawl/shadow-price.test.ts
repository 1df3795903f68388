import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTemporary } from '../../test/open-temporary.ts'
import { HOUR_MS, MINUTE_MS } from '../model/time.ts'
import { createManualClock } from '../simulator/clocks.ts'
import { createShadowPrice } from './shadow-price.ts'

test('the price of a visit is recomputed every two minutes, even if the clock was set back', async () => {
  const clock = createManualClock(Date.UTC(2026, 8, 1))
  await using store = await openTemporary(clock)
  let priced = 0
  const sample = (limit: number) => (priced++, store.frontier.sample(limit))
  const counted = { ...store, frontier: { ...store.frontier, sample } }
  const shadowPrice = createShadowPrice({ store: counted, clock, ratePerS: 1 })
  await shadowPrice.refresh()
  clock.set(clock.now() - HOUR_MS)
  await clock.advance(2 * MINUTE_MS - 1)
  await shadowPrice.refresh()
  assert.equal(priced, 1)
  await clock.advance(1)
  await shadowPrice.refresh()
  assert.equal(priced, 2)
})
