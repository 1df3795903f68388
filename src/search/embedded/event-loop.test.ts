import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { yardstickMs } from '../../../test/processor-time.ts'
import { createStillClock } from '../../simulator/clocks.ts'
import { openIndexWriter, openSearchIndex } from '../open-search-index.ts'
import { createRandom, sampleDocument, sampleQuery } from '../contract/sample.ts'

const NOW = Date.UTC(2026, 5, 1)

test('the event loop is never busy with searching for long at a time', async () => {
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
    // Work of this thread between two turns of its loop, as time on the processor: what others do on it does not count.
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
    const queries = Array.from({ length: 300 }, () => ({ ...sampleQuery(random, NOW), limit: 100 }))
    let answered = 0
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        for (let query = queries.pop(); query; query = queries.pop()) {
          await index.search(query).catch(() => undefined)
          answered++
        }
      }),
    )
    isRunning = false
    assert.equal(answered, 300)
    // About 20 ms on a quiet machine.
    assert.ok(worst / 1000 < 16 * yardstickMs(), `${worst / 1000} ms at a time`)
  }
  rmSync(folder, { recursive: true })
})
