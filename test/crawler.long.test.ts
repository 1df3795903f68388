import { describe, test } from 'node:test'
import { keepTheRate, respectOptOut, shareWork, surviveKills } from './crawl-scenarios.ts'

describe('the crawler against the simulated platform', { concurrency: 2 }, () => {
  test('archives exactly what the platform published, despite every fault and two kills', async () => {
    await surviveKills({
      channels: 40,
      days: 4,
      kills: 2,
      killEveryMs: 1_000,
      speed: 60,
      ratePerS: 2,
      limitMs: 60_000,
    })
  })

  test('stays within its request rate across kills', async () => {
    // Arrivals are counted, and a machine that stalls makes them bunch up; then it is tried once more.
    const again = () => keepTheRate({ ratePerS: 4, kills: 2, runMs: 6_000 })
    await again().catch(again)
  })

  test('shares channels between two processes without visiting one twice at a time', async () => {
    await shareWork({ channels: 40, visits: 40 })
  })

  test('never requests a channel of the opt-out register', async () => {
    await respectOptOut()
  })
})
