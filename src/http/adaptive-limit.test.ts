import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAdaptiveLimit } from './adaptive-limit.ts'

/** A machine that works on `cores` requests at a time, `serviceMs` each, asked as often as the limit lets in. */
function simulate(
  most: number,
  options: { cores: number; serviceMs: () => number; seconds: number; offered: number },
) {
  const adaptive = createAdaptiveLimit(most)
  const started: number[] = []
  const latencies: number[] = []
  const limits: number[] = []
  let shed = 0
  let free = Array.from({ length: options.cores }, () => 0)
  let inFlight: { end: number; at: number }[] = []
  for (let tick = 0; tick < options.seconds * options.offered; tick++) {
    const now = 1 + (tick * 1000) / options.offered
    for (const done of inFlight.filter(({ end }) => end <= now).toSorted((a, b) => a.end - b.end)) {
      adaptive.left(done.end - done.at, done.end)
      latencies.push(done.end - done.at)
    }
    inFlight = inFlight.filter(({ end }) => end > now)
    limits.push(adaptive.limit)
    if (inFlight.length >= adaptive.limit) {
      shed++
      continue
    }
    free = free.toSorted((a, b) => a - b)
    const end = Math.max(now, free[0]!) + options.serviceMs()
    free[0] = end
    inFlight.push({ end, at: now })
    started.push(now)
    adaptive.entered(inFlight.length, now)
  }
  const tail = latencies.slice(latencies.length / 2).toSorted((a, b) => a - b)
  return { shed, limits, p99: tail[Math.floor(tail.length * 0.99)]!, served: latencies.length }
}

test('below what can be done nothing is turned away', () => {
  const { shed, limits } = simulate(64, { cores: 1, serviceMs: () => 5, seconds: 30, offered: 150 })
  assert.equal(shed, 0)
  assert.equal(limits.at(-1), 64)
})

test('at twice what can be done half is served, and nobody waits behind a crowd', () => {
  const capacity = 200
  const { p99, served } = simulate(64, {
    cores: 1,
    serviceMs: () => 5,
    seconds: 60,
    offered: 2 * capacity,
  })
  assert.ok(served > 0.9 * 60 * capacity, `${served} served`)
  assert.ok(p99 <= 110, `p99 ${p99} ms`)
})

test('work that becomes heavier is served as before once that is known', () => {
  let ms = 2
  const adaptive = createAdaptiveLimit(64)
  let now = 1
  const run = (seconds: number) => {
    for (let i = 0; i < seconds * 50; i++) {
      adaptive.entered(4, now)
      now += 20
      adaptive.left(ms, now)
    }
  }
  run(20)
  ms = 40
  run(30)
  for (let i = 0; i < 20_000; i++) {
    adaptive.entered(adaptive.limit, now)
    now += 10
    adaptive.left(ms, now)
  }
  assert.ok(adaptive.limit > 32, String(adaptive.limit))
})
