import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTemporary } from '../../test/open-temporary.ts'
import { createManualClock } from '../simulator/clocks.ts'
import { createChannelCards } from './channel-cards.ts'
import { NO_PICTURES } from './views/picture.ts'

const NONE = {
  of: async () => NO_PICTURES,
  ofChannels: async () => () => undefined,
  kept: async () => undefined,
}

test('a removed channel has no card after 5 s, even if the clock was set back', async () => {
  const clock = createManualClock(Date.UTC(2026, 8, 1))
  await using store = await openTemporary(clock)
  const status = 'imported'
  const added = await store.archive.addChannel('gone_soon', { at: clock.now(), status })
  assert.ok(added.outcome !== 'removed')
  const { id } = added.channel
  const cards = createChannelCards(store.archive, NONE, clock)
  assert.equal((await cards.byId([id])).size, 1)
  clock.set(clock.now() - 3_600_000)
  await store.removals.removeChannel('gone_soon', 'asked by its owner', clock.now())
  await clock.advance(5_000)
  assert.equal((await cards.byId([id])).size, 0)
})
