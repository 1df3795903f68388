import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTemporary } from '../../test/open-temporary.ts'
import { openPlainIndex } from '../../test/plain-index.ts'
import { AppError } from '../model/errors.ts'
import { EMPTY_STATE, LACKS_POSTS } from '../search/search-index.ts'
import { createManualClock } from '../simulator/clocks.ts'
import { createOverview, indexProblemOf } from './overview.ts'

const settings = { crawlRatePerS: 1 }

test('totals are recounted after 2 s, even if the clock was set back', async () => {
  const clock = createManualClock(Date.UTC(2026, 8, 1))
  await using store = await openTemporary(clock)
  await using plain = await openPlainIndex(clock)
  const { index } = plain
  const overview = createOverview({ store, index, clock, settings })
  const channels = async () => (await overview.totals()).channels
  assert.equal(await channels(), 0)
  await store.archive.addChannel('daily_news', { at: clock.now(), status: 'imported' })
  assert.equal(await channels(), 0)
  clock.set(clock.now() - 3_600_000)
  await clock.advance(2_000)
  assert.equal(await channels(), 1)
})

test('index figures stay as last known when they cannot be read, and are `unavailable` if never read', async () => {
  const clock = createManualClock(Date.UTC(2026, 8, 1))
  await using store = await openTemporary(clock)
  await using plain = await openPlainIndex(clock)
  const { index } = plain
  let isFull = true
  const state = () =>
    isFull ? Promise.reject(new Error('disk I/O error')) : Promise.resolve(index.state())
  const overview = createOverview({ store, index: { ...index, state }, clock, settings })
  await assert.rejects(overview.index(), { code: 'unavailable' })
  isFull = false
  const known = await overview.index()
  isFull = true
  await clock.advance(3_000)
  assert.deepEqual(await overview.index(), known)
})

test('an index that is only overloaded is not reported as away', async () => {
  const clock = createManualClock(Date.UTC(2026, 8, 1))
  await using store = await openTemporary(clock)
  await using plain = await openPlainIndex(clock)
  const { index } = plain
  let isBusy = false
  const busy = new AppError('overloaded', 'too many searches wait')
  const state = () => (isBusy ? Promise.reject(busy) : index.state())
  const overview = createOverview({ store, index: { ...index, state }, clock, settings })
  const known = await overview.index()
  isBusy = true
  await clock.advance(3_000)
  assert.deepEqual(await overview.index(), known)
})

test('an index that can no longer be reached keeps its last known figures and says so until it is back', async () => {
  const clock = createManualClock(Date.UTC(2026, 8, 1))
  await using store = await openTemporary(clock)
  await using plain = await openPlainIndex(clock)
  const { index } = plain
  let isAway = false
  const away = new AppError('unavailable', 'node 7 is down', { detail: 'it cannot be reached' })
  const state = async () => {
    if (isAway) throw away
    return { ...(await index.state()), rebuilding: true }
  }
  const overview = createOverview({ store, index: { ...index, state }, clock, settings })
  const known = await overview.index()
  isAway = true
  await clock.advance(3_000)
  const told = { ...known, rebuilding: false, problem: 'it cannot be reached' }
  assert.deepEqual(await overview.index(), told)
  isAway = false
  await clock.advance(3_000)
  assert.deepEqual(await overview.index(), known)
})

test('an index that was fed posts but does not exist is a named problem', () => {
  assert.equal(indexProblemOf(EMPTY_STATE, 5, 0), 'no index is there')
  assert.equal(indexProblemOf(EMPTY_STATE, 5, 5), null, 'it is only behind')
  assert.equal(
    indexProblemOf({ ...EMPTY_STATE, generation: 1 }, 5, 0),
    null,
    'all may be too old for it',
  )
  assert.equal(indexProblemOf({ ...EMPTY_STATE, problem: LACKS_POSTS }, 0, 0), LACKS_POSTS)
})
