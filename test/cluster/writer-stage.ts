import type { Clock } from '../../src/model/clock.ts'
import { createRandom, plainSearch, sampleDocument } from '../../src/search/contract/sample.ts'
import { openSearchIndex } from '../../src/search/open-search-index.ts'
import { openClient } from '../../src/search/opensearch/client.ts'
import { createNames } from '../../src/search/opensearch/names.ts'
import type { IndexDocument } from '../../src/search/search-index.ts'
import { ANALYZER_VERSION } from '../../src/text/analyze.ts'
import { ownLocation } from '../open-on-cluster.ts'

export const NOW = Date.UTC(2026, 2, 14, 9, 26, 53)
export const WEEK = Math.floor(NOW / 1000 / 604_800)
/** A post of another week. */
export const OLDER = { publishedAt: NOW - 9 * 86_400_000 }

/** A writer's own location in the cluster, a client to inspect it, and a clock that only `pass` moves. */
export async function setUp() {
  let now = NOW
  const clock: Clock = { now: () => now, elapsed: () => now, sleep: () => Promise.resolve() }
  const location = ownLocation()
  const client = await openClient(location)
  const index = await openSearchIndex(location, clock)
  const names = createNames(location.prefix, ANALYZER_VERSION)
  const search = async () => {
    const { hits } = await index.search(plainSearch(clock.now(), { limit: 50 }))
    return hits.map((hit) => hit.number).sort((a, b) => a - b)
  }
  return {
    clock,
    location,
    client,
    index,
    names,
    search,
    pass: (ms: number) => (now += ms),
    async [Symbol.asyncDispose]() {
      await index[Symbol.asyncDispose]()
      await client[Symbol.asyncDispose]()
      await location[Symbol.asyncDispose]()
    },
  }
}

export function documentOf(number: number, said: Partial<IndexDocument> = {}): IndexDocument {
  const made = sampleDocument(createRandom(number), NOW, [])
  return { ...made, channelId: 1, number, revision: 1, publishedAt: NOW - number * 1_000, ...said }
}
