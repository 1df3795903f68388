import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashSecret, containsKey, makeId, makeKey, matchesAny, parseKey } from './key.ts'

test('a key is parsed back into its id and secret', () => {
  const id = makeId()
  const { key, secret } = makeKey(id)
  assert.match(key, /^tgr_[0-9A-Za-z]{8}_[0-9A-Za-z]{28}$/)
  assert.deepEqual(parseKey(key), { id, secret })
})

test('a secret carries at least 128 bits', () => {
  const { secret } = makeKey(makeId())
  assert.ok(secret.length * Math.log2(62) >= 128)
})

test('a typo of one character is detected without a look-up', () => {
  const { key } = makeKey(makeId())
  for (let i = 4; i < key.length; i++) {
    const other = key[i] === 'a' ? 'b' : 'a'
    assert.equal(parseKey(key.slice(0, i) + other + key.slice(i + 1)), undefined)
  }
})

test('keys are recognised inside other text', () => {
  const { key } = makeKey(makeId())
  assert.ok(containsKey(`see ${key} there`))
  assert.ok(!containsKey('tgr_short_one'))
})

test('a secret is accepted only if its hash with the same pepper is stored', () => {
  const { secret } = makeKey(makeId())
  const hash = hashSecret(secret, 'pepper')
  assert.ok(matchesAny(hash, ['other', hash]))
  assert.ok(!matchesAny(hash, [hashSecret(secret, 'salt')]))
  assert.ok(!matchesAny(hash, []))
})
