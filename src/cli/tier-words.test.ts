import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_TIERS, parseTiers } from '../access/tiers.ts'
import { offeredTiers, tierWords } from './tier-words.ts'

test('the tiers offered for a key are listed with their limits', () => {
  assert.deepEqual(offeredTiers(DEFAULT_TIERS).split('\n'), [
    '  free       60 requests a minute, 5,000 a day, 60 live reads an hour, 10 streams at a time',
    '  pro        600 requests a minute, 100,000 a day, 1,000 live reads an hour, 100 streams at a time',
    '  unlimited  60,000 requests a minute',
  ])
})

test('a policy that a tier leaves out is not shown as a limit', () => {
  const tiers = parseTiers('{"anonymous": {"burst": 1}, "open": {}, "daily": {"daily": 1}}')
  assert.equal(tierWords(tiers.get('open')!), 'no limit')
  assert.equal(tierWords(tiers.get('daily')!), '1 request a day')
  assert.match(offeredTiers(parseTiers('{"anonymous": {"burst": 1}}')), /anonymous  1 request a/)
})
