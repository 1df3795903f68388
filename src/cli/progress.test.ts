import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStillClock } from '../simulator/clocks.ts'
import { createPrinter } from './print.ts'
import { createProgress } from './progress.ts'

function start(isTTY: boolean) {
  const written: string[] = []
  const stream = { write: (text: string) => written.push(text) > 0, columns: 120, isTTY }
  const clock = createStillClock(0)
  const print = createPrinter({ color: false }, { stdout: stream, stderr: stream })
  return { written, clock, progress: createProgress(print, clock, 'rebuilding', 'posts') }
}

test('where there is no terminal, a line each minute says how far a long job is', () => {
  const { written, clock, progress } = start(false)
  for (let second = 1; second <= 150; second++) {
    clock.pass(1_000)
    progress.update(second * 1_000, 600_000)
  }
  progress.end()
  assert.deepEqual(written, [
    'rebuilding 60,000/600,000 posts  1,000 posts/s  9 min left\n',
    'rebuilding 120,000/600,000 posts  1,000 posts/s  8 min left\n',
  ])
})

test('where there is no terminal, a job of less than a minute leaves no line', () => {
  const { written, clock, progress } = start(false)
  clock.pass(59_000)
  progress.update(10, 10)
  progress.end()
  assert.deepEqual(written, [])
})

test('on a terminal, a bar is redrawn in place and cleared at the end', () => {
  const { written, clock, progress } = start(true)
  clock.pass(10_000)
  progress.update(50, 100)
  clock.pass(50)
  progress.update(51, 100)
  progress.end()
  assert.deepEqual(written, [
    `rebuilding ${'█'.repeat(12)}${'░'.repeat(12)} 50/100 posts  5 posts/s  10 s left`,
    '\r\u001b[K',
  ])
})
