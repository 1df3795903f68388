import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { whyNoEngines } from '../../../test/engines.ts'
import { openOnCluster } from '../../../test/open-on-cluster.ts'
import { yardstickMs } from '../../../test/processor-time.ts'
import { createStillClock } from '../../simulator/clocks.ts'
import { createRandom, plainSearch, sampleDocument, sampleQuery } from '../contract/sample.ts'

const skip = whyNoEngines() ?? false
const NOW = Date.UTC(2026, 5, 1)

describe('searching an OpenSearch cluster', { skip }, () => {
  test('costs the event loop about a millisecond per search at most', async () => {
    await using opened = await openOnCluster()(createStillClock(NOW))
    const random = createRandom(3)
    const texts: string[] = []
    const puts = Array.from({ length: 1_500 }, (_, i) => ({
      ...sampleDocument(random, NOW, texts),
      channelId: 1 + (i % 9),
      number: i,
      publishedAt: NOW - 1_000 * i,
    }))
    await opened.writer.apply({ puts })
    const ask = async (queries: number) => {
      const asked = Array.from({ length: queries }, () =>
        plainSearch(NOW, { root: sampleQuery(random, NOW).root, sort: 'relevance' }),
      )
      for (const query of asked) await opened.index.search(query).catch(() => undefined)
    }
    await ask(20)
    const { user, system } = process.threadCpuUsage()
    await ask(60)
    const { user: userAfter, system: systemAfter } = process.threadCpuUsage()
    const spentMs = (userAfter - user + systemAfter - system) / 1_000
    // A millisecond on a machine where the yardstick takes one; a busy machine stretches both.
    const most = 1.5 * Math.max(1, yardstickMs())
    assert.ok(spentMs / 60 < most, `${spentMs / 60} ms a search, expected at most ${most}`)
  })
})
