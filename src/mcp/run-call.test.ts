import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import type { Caller } from '../access/caller.ts'
import type { Clock } from '../model/clock.ts'
import type { Context } from '../operations/context.ts'
import { createDeadlines, TOO_LATE } from '../operations/deadlines.ts'
import { createRunCall } from './run-call.ts'

/** Runs work that notices nothing until its deadline has passed; resolves to why its signal was aborted. */
async function reasonOf(hangsUp: boolean): Promise<unknown> {
  let elapsed = 0
  const clock: Clock = { now: () => elapsed, elapsed: () => elapsed, sleep: () => setImmediate() }
  const ctx = { deadlines: createDeadlines(clock) } as Context
  const events = { toolFailed() {}, requestRefused() {}, requestServed() {} }
  const caller = { tier: { name: 'anonymous' } } as Caller
  const runCall = createRunCall({ ctx, events } as never, { caller } as never)
  const gone = new AbortController()
  let seen: AbortSignal | undefined
  const call = { name: 'search_posts', kind: 'other', gone: gone.signal } as const
  const running = runCall(call, ({ signal }) => {
    seen = signal
    return new Promise(() => {})
  })
  // A call is let in first, and its deadline counts from then.
  while (seen === undefined) await setImmediate()
  if (hangsUp) gone.abort('left')
  elapsed = 60_000
  await assert.rejects(running)
  return (seen as AbortSignal | undefined)?.reason
}

test('a call ends for the first of two reasons: its caller left, or it is late', async () => {
  assert.equal(await reasonOf(false), TOO_LATE)
  assert.equal(await reasonOf(true), 'left')
})
