import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../src/model/clock.ts'
import { isUnavailable } from '../../src/model/errors.ts'
import { createRandom, sampleDocument } from '../../src/search/contract/sample.ts'
import type { ClusterLocation } from '../../src/search/index-location.ts'
import { deleteIndex, openIndexWriter } from '../../src/search/open-search-index.ts'
import { openClient, type Client } from '../../src/search/opensearch/client.ts'
import { createNames } from '../../src/search/opensearch/names.ts'
import { segmentsOf } from '../../src/search/opensearch/segments.ts'
import { WINDOW_MS } from '../../src/search/search-index.ts'
import { ANALYZER_VERSION } from '../../src/text/analyze.ts'
import { openProxy, type Fate } from '../cutting-proxy.ts'

const LIMIT_MS = 300_000

/**
 * Checks that the words of a removed post and a removed channel leave the files of a cluster without a rebuild, whatever
 * happens to a node that holds them just before these are merged.
 */
export async function loseWords(
  nodes: readonly [string, ...string[]],
  harm?: (node: number) => Promise<void>,
): Promise<{ readonly tookMs: number }> {
  const location: ClusterLocation = { kind: 'opensearch', nodes, prefix: 'prove-erased' }
  await using owned = new AsyncDisposableStack()
  owned.defer(() => deleteIndex(location))
  const client = owned.use(await openClient(location))
  let harmed: Promise<void> | undefined
  const between = await openProxy(nodes[0], async ({ url = '' }): Promise<Fate> => {
    if (url.includes('only_expunge_deletes') && harm) harmed ??= harm(await holderBeside(nodes[0]))
    return 'pass'
  })
  owned.use(between)
  const through = { ...location, nodes: [between.origin] }
  const writer = owned.use(await openIndexWriter(through, systemClock))
  const publishedAt = Math.floor(Date.now() / 1000) * 1000
  const words = ['xylophone', 'zeppelin', 'quixotic']
  const others = Array.from({ length: 42 }, (_, i) => `other${i}`)
  const puts = [...words, ...others].map((word, i) => ({
    ...sampleDocument(createRandom(i), publishedAt, []),
    publishedAt,
    channelId: i + 1,
    number: 1,
    toks: [word],
    stems: [word],
  }))
  // In three segments, which are merged while the words are erased. Each word is among so many others that the engine would
  // not rewrite a segment for its sake.
  for (const part of [0, 1, 2]) {
    await writer.apply({ puts: puts.filter((_, i) => i % 3 === part) })
  }
  await writer.apply({ removals: [puts[0]!], removedChannels: [2] })
  const week = createNames(location.prefix, ANALYZER_VERSION).week(
    1,
    Math.floor(publishedAt / 1000 / 604_800),
  )
  /** By copy of the shard. */
  const left = async () => {
    const holders = new Set((await segmentsOf(client, week))?.map(({ node }) => node))
    const found = [...holders].map((node) =>
      Promise.all(words.map((word) => traces(client, { week, node, word }))),
    )
    return Promise.all(found)
  }
  /** The place among `nodes` of one that holds a copy and is not asked. */
  async function holderBeside(asked: string): Promise<number> {
    const { body } = await client.request({ method: 'GET', path: '/_nodes/http' })
    const { nodes: told } = body as { nodes: Record<string, { http: { publish_address: string } }> }
    const holders = ((await segmentsOf(client, week)) ?? []).map(
      ({ node }) => `http://${told[node]!.http.publish_address}`,
    )
    return nodes.indexOf(holders.find((origin) => origin !== asked)!)
  }
  const before = await left()
  assert.deepEqual(before, Array(before.length).fill([1, 1, 1]), 'they are still in the files')
  const since = performance.now()
  const windowStart = publishedAt - WINDOW_MS
  const work = async () => {
    await writer.expire(windowStart)
    return writer.erase!(7)
  }
  // While a node dies, requests may fail, and the indexer tries again.
  const tryAgain = (error: unknown) => {
    if (!harmed || !isUnavailable(error)) throw error
    return false
  }
  while (!(await work().catch(tryAgain))) {
    assert.equal((await writer.state()).removals, 0)
    assert.ok(performance.now() - since < LIMIT_MS, 'words are left')
    await sleep(500)
  }
  await harmed
  const after = await left()
  assert.deepEqual(after, Array(before.length).fill([0, 0, 1]))
  const { removals, generation } = await writer.state()
  assert.deepEqual({ removals, generation }, { removals: 7, generation: 1 })
  return { tookMs: Math.round(performance.now() - since) }
}

/** How many posts with this word the files of a copy hold, deleted ones included. */
async function traces(
  client: Client,
  { week, node, word }: { readonly week: string; readonly node: string; readonly word: string },
): Promise<number> {
  const doc = { _index: week, doc: { w: word }, fields: ['w'], term_statistics: true }
  const path = `/_mtermvectors?preference=_only_nodes:${node}`
  const request = { method: 'POST', path, body: { docs: [doc] } } as const
  const answer = await client.request({ ...request, deadline: performance.now() + 30_000 })
  const [found] = (answer.body as { docs: { term_vectors?: { w?: Vector } }[] }).docs
  return found?.term_vectors?.w?.terms[word]?.doc_freq ?? 0
}

interface Vector {
  readonly terms: Readonly<Record<string, { readonly doc_freq?: number }>>
}
