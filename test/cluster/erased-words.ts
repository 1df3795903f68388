import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../src/model/clock.ts'
import { createRandom, sampleDocument } from '../../src/search/contract/sample.ts'
import type { ClusterLocation } from '../../src/search/index-location.ts'
import { deleteIndex, openIndexWriter } from '../../src/search/open-search-index.ts'
import { openClient, type Client } from '../../src/search/opensearch/client.ts'
import { createNames } from '../../src/search/opensearch/names.ts'
import { WINDOW_MS } from '../../src/search/search-index.ts'
import { ANALYZER_VERSION } from '../../src/text/analyze.ts'

const LIMIT_MS = 180_000

/** Checks that the words of a removed post and a removed channel leave the files of a cluster without a rebuild. */
export async function loseWords(nodes: readonly string[]): Promise<{ readonly tookMs: number }> {
  const location: ClusterLocation = { kind: 'opensearch', nodes, prefix: 'prove-erased' }
  await using owned = new AsyncDisposableStack()
  owned.defer(() => deleteIndex(location))
  const client = owned.use(await openClient(location))
  const writer = owned.use(await openIndexWriter(location, systemClock))
  const publishedAt = Math.floor(Date.now() / 1000) * 1000
  const words = ['xylophone', 'zeppelin', 'quixotic']
  const puts = words.map((word, i) => ({
    ...sampleDocument(createRandom(i), publishedAt, []),
    publishedAt,
    channelId: i + 1,
    number: 1,
    toks: [word],
    stems: [word],
  }))
  // In segments of their own, which are merged while the words are erased.
  for (const put of puts) await writer.apply({ puts: [put] })
  await writer.apply({ removals: [puts[0]!], removedChannels: [2] })
  const week = createNames(location.prefix, ANALYZER_VERSION).week(
    1,
    Math.floor(publishedAt / 1000 / 604_800),
  )
  const left = () => Promise.all(words.map((word) => traces(client, week, word)))
  assert.deepEqual(await left(), [1, 1, 1], 'what was taken out is still in the files')
  const since = performance.now()
  const windowStart = publishedAt - WINDOW_MS
  for (
    await writer.expire(windowStart);
    !(await writer.erase!(7));
    await writer.expire(windowStart)
  ) {
    assert.equal((await writer.state()).removals, 0)
    assert.ok(performance.now() - since < LIMIT_MS, `${String(await left())} are left`)
    await sleep(500)
  }
  assert.deepEqual(await left(), [0, 0, 1])
  const { removals, generation } = await writer.state()
  assert.deepEqual({ removals, generation }, { removals: 7, generation: 1 })
  return { tookMs: Math.round(performance.now() - since) }
}

/** How many posts with this word the files of an index hold, deleted ones included. */
async function traces(client: Client, index: string, word: string): Promise<number> {
  const doc = { _index: index, doc: { w: word }, fields: ['w'], term_statistics: true }
  const request = { method: 'POST', path: '/_mtermvectors', body: { docs: [doc] } } as const
  const answer = await client.request({ ...request, deadline: performance.now() + 30_000 })
  const [found] = (answer.body as { docs: { term_vectors?: { w?: Vector } }[] }).docs
  return found?.term_vectors?.w?.terms[word]?.doc_freq ?? 0
}

interface Vector {
  readonly terms: Readonly<Record<string, { readonly doc_freq?: number }>>
}
