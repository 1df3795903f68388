import assert from 'node:assert/strict'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { test } from 'node:test'
import { createSemaphore } from './semaphore.ts'

/** Work that lasts until it is released. */
function heldWork() {
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  return {
    begun,
    work: (name: string) => () => {
      const end = Promise.withResolvers<void>()
      begun.push(name)
      ends.set(name, end)
      return end.promise
    },
    end: (name: string) => ends.get(name)!.resolve(),
    fail: (name: string) => ends.get(name)!.reject(new Error(`${name} failed`)),
  }
}

test('a limited number of tasks run at a time, first come first served, even if one fails', async () => {
  const semaphore = createSemaphore(2)
  const held = heldWork()
  const taken = ['a', 'b', 'c', 'd'].map((name) => semaphore.run(held.work(name)))
  assert.deepEqual(held.begun, ['a', 'b'])
  assert.equal(semaphore.waiting, 2)
  held.fail('b')
  await assert.rejects(taken[1]!, /b failed/)
  await yieldToEventLoop()
  assert.deepEqual(held.begun, ['a', 'b', 'c'])
  held.end('a')
  await yieldToEventLoop()
  assert.deepEqual(held.begun, ['a', 'b', 'c', 'd'])
  held.end('c')
  held.end('d')
  await Promise.all([taken[0], taken[2], taken[3]])
  assert.equal(await semaphore.run(async () => 'free again'), 'free again')
})

test('an aborted task leaves the queue at once, and the queue goes on', async () => {
  const semaphore = createSemaphore(1)
  const held = heldWork()
  const gone = new AbortController()
  const first = semaphore.run(held.work('first'))
  const second = semaphore.run(held.work('second'), gone.signal)
  const third = semaphore.run(held.work('third'))
  gone.abort(new Error('gone'))
  await assert.rejects(second, /gone/)
  assert.equal(semaphore.waiting, 1)
  held.end('first')
  await first
  await yieldToEventLoop()
  assert.deepEqual(held.begun, ['first', 'third'])
  await assert.rejects(semaphore.run(held.work('late'), gone.signal), /gone/)
  held.end('third')
  await third
})

test('a turn granted at the moment its task is aborted goes to the next', async () => {
  // The turn is passed on some microtasks after the work has ended; in one of these rounds it coincides with the abort.
  for (let steps = 0; steps < 10; steps++) {
    const semaphore = createSemaphore(1)
    const held = heldWork()
    const gone = new AbortController()
    const first = semaphore.run(held.work('first'))
    const second = semaphore.run(async () => {}, gone.signal)
    const third = semaphore.run(held.work('third'))
    held.end('first')
    for (let i = 0; i < steps; i++) await Promise.resolve()
    gone.abort(new Error('gone'))
    await Promise.allSettled([first, second])
    await yieldToEventLoop()
    assert.deepEqual(held.begun, ['first', 'third'], `after ${steps} steps`)
    held.end('third')
    await third
  }
})
