import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryTime } from './delivery-time.ts'

const at = (text: string) => Date.parse(`${text}:00Z`)
const night = { from: 22 * 60, to: 7 * 60, zone: 'Europe/Berlin' }
const due = (options: Parameters<typeof deliveryTime>[0], now: string) => {
  const { dueAt, together } = deliveryTime(options, at(now))
  return `${new Date(dueAt).toISOString().slice(0, 16)}${together ? ' together' : ''}`
}

test('without quiet hours and digests everything is due at once', () => {
  assert.equal(due({ digestMinutes: null, quiet: null }, '2026-03-10T12:01'), '2026-03-10T12:01')
})

test('a digest is due at the next full period', () => {
  const options = { digestMinutes: 30, quiet: null }
  assert.equal(due(options, '2026-03-10T12:01'), '2026-03-10T12:30 together')
  assert.equal(due(options, '2026-03-10T12:30'), '2026-03-10T13:00 together')
})

test('events in quiet hours are due at their end, in the time zone of the watch', () => {
  const options = { digestMinutes: null, quiet: night }
  assert.equal(due(options, '2026-03-10T20:59'), '2026-03-10T20:59')
  assert.equal(due(options, '2026-03-10T21:00'), '2026-03-11T06:00 together')
  assert.equal(due(options, '2026-03-11T05:59'), '2026-03-11T06:00 together')
  assert.equal(due(options, '2026-03-11T06:00'), '2026-03-11T06:00')
  assert.equal(due(options, '2026-03-28T22:00'), '2026-03-29T05:00 together', 'summer begins')
  const noon = { digestMinutes: null, quiet: { from: 720, to: 780, zone: 'UTC' } }
  assert.equal(due(noon, '2026-03-10T12:30'), '2026-03-10T13:00 together')
  assert.equal(due(noon, '2026-03-10T13:00'), '2026-03-10T13:00')
})

test('a digest that falls in quiet hours is due at their end', () => {
  const options = { digestMinutes: 60, quiet: night }
  assert.equal(due(options, '2026-03-10T20:30'), '2026-03-11T06:00 together')
})
