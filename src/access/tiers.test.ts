import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_TIERS, parseTiers } from './tiers.ts'

test('the built-in tiers have the limits of the contract', () => {
  const limits = [...DEFAULT_TIERS.values()].map(({ name, policies }) => [
    name,
    policies.burst?.limit,
    policies.daily?.limit,
    policies.live?.limit,
  ])
  assert.deepEqual(limits, [
    ['anonymous', 30, 500, 10],
    ['local', 600, undefined, 10],
    ['free', 60, 5_000, 60],
    ['pro', 600, 100_000, 1_000],
    ['unlimited', 60_000, undefined, undefined],
  ])
})

test('a tiers file may leave policies out', () => {
  const tiers = parseTiers('{"anonymous": {"burst": 5}, "press": {"burst": 9, "daily": 10}}')
  assert.equal(tiers.get('anonymous')?.policies.daily, undefined)
  assert.equal(tiers.get('press')?.policies.daily?.limit, 10)
})

test('every problem in a tiers file is reported', () => {
  assert.throws(() => parseTiers('{'), /^Error: expected JSON such as \{"anonymous": .*; .*JSON/)
  assert.throws(() => parseTiers('{"free": {}}'), /needs a tier `anonymous`/)
  assert.throws(
    () => parseTiers('{"anonymous": {"burst": 0, "weekly": 3}}'),
    /anonymous\.burst.*anonymous: accepts burst, daily, live, streams; found weekly/s,
  )
})
