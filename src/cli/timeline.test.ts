import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeline } from './timeline.ts'

test('days without posts get a bar too, so that gaps are visible', () => {
  const days = [
    { value: '2026-10-30', count: 1 },
    { value: '2026-11-02', count: 4 },
  ]
  assert.equal(timeline(days, 'day'), '▃▁▁█  2026-10-30 to 2026-11-02, at most 4 a day')
})

test('one time is shown as a single bar, and no times as "none"', () => {
  const one = [{ value: '2026-10-30T09:00:00Z', count: 1 }]
  assert.equal(timeline(one, 'hour'), '█  2026-10-30 09h, at most 1 an hour')
  assert.equal(timeline([], 'day'), 'none')
})

test('a month of hours is grouped to fit one line, and no post is lost', () => {
  const hours = Array.from({ length: 720 }, (_, i) => ({
    value: new Date(Date.UTC(2026, 9, 1) + i * 3_600_000).toISOString().replace('.000', ''),
    count: 2,
  }))
  assert.equal(
    timeline(hours, 'hour'),
    `${'█'.repeat(48)}  2026-10-01 00h to 2026-10-30 23h, at most 30 in 15 hours`,
  )
})
