import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPlainIndex } from '../../test/plain-index.ts'
import { RoleTakenError } from './acquire-indexer-role.ts'
import { openWriter } from './open-writer.ts'

const HOUR = 3_600_000

test('each reason why the index cannot be opened is reported, repeatedly but not every time', async () => {
  let now = 0
  const clock = {
    now: () => now,
    elapsed: () => now,
    sleep: async (ms: number) => void (now += ms),
  }
  await using plain = await openPlainIndex(clock)
  const { writer } = plain
  const told: string[] = []
  const opened = await openWriter({
    async open() {
      if (now < HOUR) throw new RoleTakenError()
      if (now < 2 * HOUR) throw new Error(now % 60_000 === 0 ? 'disk full' : 'disk I/O error')
      return writer
    },
    clock,
    signal: new AbortController().signal,
    events: {
      standsBy: (reason) => told.push(reason),
      failed: (error) => told.push((error as Error).message),
    },
  })
  assert.equal(opened, writer)
  assert.deepEqual(told.slice(0, 6), Array(6).fill('another process feeds the index'))
  assert.deepEqual(told.slice(6, 8), ['disk full', 'disk I/O error'])
  assert.equal(told.length, 18)
})

test('openWriter stops waiting when it is aborted', async () => {
  const stopped = new AbortController()
  const clock = { now: () => 0, elapsed: () => 0, sleep: async () => stopped.abort() }
  const opened = await openWriter({
    open: () => Promise.reject(new RoleTakenError()),
    clock,
    signal: stopped.signal,
    events: { standsBy() {}, failed() {} },
  })
  assert.equal(opened, undefined)
})
