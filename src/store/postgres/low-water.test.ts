import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLowWater } from './low-water.ts'

test('a queue is read from its head of half a minute ago, and once a minute from its beginning', () => {
  let now = 0
  const heads = createLowWater(() => now)
  const at = (seconds: number) => {
    now = seconds * 1000
    return heads.mark('a')
  }
  assert.equal(at(0), 0)
  heads.saw('a', 100)
  assert.equal(at(10), 0, 'a lower number may still be written')
  heads.saw('a', 200)
  assert.equal(at(31), 0)
  heads.saw('a', 300)
  assert.equal(at(32), 100)
  assert.equal(at(59), 100)
  assert.equal(at(61), 0, 'all of it')
  heads.saw('a', 400)
  assert.equal(at(62), 300)
  heads.forget('a')
  assert.equal(at(63), 0, 'what was taken is back')
  assert.equal(heads.mark('b'), 0)
})
