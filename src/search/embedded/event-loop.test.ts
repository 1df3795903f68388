import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { yardstickMs } from '../../../test/processor-time.ts'
import { createStillClock } from '../../simulator/clocks.ts'
import { openIndexWriter, openSearchIndex } from '../open-search-index.ts'
import { createRandom, sampleDocument, sampleQuery } from '../contract/sample.ts'
import type { SearchIndex } from '../search-index.ts'

const NOW = Date.UTC(2026, 5, 1)

test('searching never blocks the event loop for long', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-loop-'))
  const clock = createStillClock(NOW)
  const location = { kind: 'embedded' as const, folder, workers: 2 }
  const random = createRandom(3)
  {
    await using writer = await openIndexWriter(location, clock)
    const texts: string[] = []
    const documents = Array.from({ length: 3000 }, (_, i) => ({
      ...sampleDocument(random, NOW, texts),
      number: i + 1,
    }))
    await writer.apply({ puts: documents })
  }
  {
    await using index = await openSearchIndex(location, clock)
    // Three rounds: a short halt of the machine spoils only one of them.
    const worst: number[] = []
    while (worst.length < 3) worst.push(await longestTurnMs(() => searchMuch(index, random)))
    // About 20 ms on an idle machine.
    assert.ok(Math.min(...worst) < 16 * yardstickMs(), `${worst.join(', ')} ms at a time`)
  }
  rmSync(folder, { recursive: true })
})

async function searchMuch(index: SearchIndex, random: () => number): Promise<void> {
  const queries = Array.from({ length: 100 }, () => ({ ...sampleQuery(random, NOW), limit: 100 }))
  let answered = 0
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (let query = queries.pop(); query; query = queries.pop()) {
        await index.search(query).catch(() => undefined)
        answered++
      }
    }),
  )
  assert.equal(answered, 100)
}

/** The longest work of this thread between two turns of its event loop, in processor time: other processes do not count. */
async function longestTurnMs(work: () => Promise<void>): Promise<number> {
  let worst = 0
  let last = process.threadCpuUsage()
  let isRunning = true
  const watch = () => {
    const used = process.threadCpuUsage(last)
    worst = Math.max(worst, used.user + used.system)
    last = process.threadCpuUsage()
    if (isRunning) setImmediate(watch)
  }
  setImmediate(watch)
  await work()
  isRunning = false
  return worst / 1000
}
