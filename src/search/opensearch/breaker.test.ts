import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBreaker } from './breaker.ts'

function setUp() {
  let now = 0
  const breaker = createBreaker(() => now)
  const fail = (times: number, everyMs: number) => {
    for (let i = 0; i < times; i++) {
      breaker.failed()
      now += everyMs
    }
  }
  return { breaker, fail, pass: (ms: number) => (now += ms) }
}

test('five failures within ten seconds open the breaker, and no fewer', () => {
  const { breaker, fail } = setUp()
  fail(4, 100)
  assert.ok(breaker.tryAcquire())
  fail(1, 0)
  assert.ok(!breaker.tryAcquire())
})

test('failures that are far apart do not open the breaker', () => {
  const { breaker, fail } = setUp()
  fail(20, 2_600)
  assert.ok(breaker.tryAcquire())
})

test('a success resets the count of failures', () => {
  const { breaker, fail } = setUp()
  fail(4, 1)
  breaker.succeeded()
  fail(4, 1)
  assert.ok(breaker.tryAcquire())
})

test('after five seconds one probe is let through, and its success closes the breaker', () => {
  const { breaker, fail, pass } = setUp()
  fail(5, 0)
  pass(4_999)
  assert.ok(!breaker.tryAcquire())
  pass(1)
  assert.ok(breaker.tryAcquire())
  assert.ok(!breaker.tryAcquire(), 'a second one waits for the outcome of the first')
  breaker.succeeded()
  assert.ok(breaker.tryAcquire())
  assert.ok(breaker.tryAcquire())
})

test('a failed probe keeps the breaker open for another five seconds, an abandoned one lets the next try', () => {
  const { breaker, fail, pass } = setUp()
  fail(5, 0)
  pass(5_000)
  assert.ok(breaker.tryAcquire())
  breaker.failed()
  pass(4_999)
  assert.ok(!breaker.tryAcquire())
  pass(1)
  assert.ok(breaker.tryAcquire())
  breaker.unknown()
  assert.ok(breaker.tryAcquire())
})
