import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createRandom, plainSearch, sampleDocument } from '../../src/search/contract/sample.ts'
import { packDocument } from '../../src/search/document-codec.ts'
import { addChannel, NOON, samplePost, sampleReading } from '../../src/store/contract/samples.ts'
import { sampleWatch } from '../../src/store/contract/watches.ts'
import type { WatchStep } from '../../src/store/deliveries.ts'
import type { Store } from '../../src/store/store.ts'
import { createWatchMatcher } from '../../src/watch/watch-matcher.ts'
import { whyNoEngines } from '../engines.ts'
import { openTemporary } from '../open-temporary.ts'
import { createSchemas } from '../postgres.ts'

const WATCHES = 20
const ROWS = 8
const clock = { now: () => NOON, elapsed: () => NOON, sleep: async () => {} }
const KINDS = ['post', 'edit', 'deleted'] as const

/** What happened to one post, told by very many watches. */
async function happen(store: Store, channelId: number, kind: (typeof KINDS)[number]) {
  const document = { ...sampleDocument(createRandom(1), NOON, []), channelId, number: 1 }
  const bytes = () => packDocument({ ...document, revision: kind === 'edit' ? 2 : 1 })
  await store.events.append([
    {
      channelId,
      number: 1,
      revision: kind === 'edit' ? 2 : 1,
      publishedAt: NOON,
      firstCapturedAt: NOON,
      document: kind === 'deleted' ? null : bytes,
    },
  ])
}

/** A matcher that dies, with what it holds in memory, before or after it has written the given part. */
function dyingMatcher(store: Store, dies: 'before' | 'after', sizes: number[]) {
  let left = 2
  const { deliveries } = store
  const advance = async (step: WatchStep) => {
    if (dies === 'before' && --left === 0) throw new Error('killed')
    const isWritten = await deliveries.advance(step)
    sizes.push(step.told.length + step.queued.length)
    if (dies === 'after' && --left === 0) throw new Error('killed')
    return isWritten
  }
  return createWatchMatcher({
    store: { ...store, deliveries: { ...deliveries, advance } },
    clock,
    rowsAStep: ROWS,
    read: async () => ({ query: plainSearch(NOON, {}), named: new Map() }),
    onUnreadable: assert.fail,
    onEventLost: () => assert.fail(),
  })
}

/** Each delivery that waits, as watch, kind and number of the event. */
async function queuedBy(store: Store): Promise<string[]> {
  const found: string[] = []
  for (;;) {
    const delivery = await store.deliveries.lease(60_000)
    if (!delivery) return found.toSorted()
    const { watchId, events } = delivery
    found.push(...events.map(({ kind, seq }) => `${watchId} ${kind} ${seq}`))
    await store.deliveries.settle(delivery, { kind: 'sent' })
  }
}

function describeParts(open: () => Promise<Store>): void {
  for (const dies of ['before', 'after'] as const) {
    test(`is told by each once, whoever is killed ${dies} a part is written`, async () => {
      await using store = await open()
      const { id } = await addChannel(store, 'gales')
      await store.archive.record(sampleReading(id, { posts: [samplePost(1)] }))
      const command = { argv: ['true'] }
      const plain = { ...sampleWatch('').options, oncePerStory: false, digestMinutes: null }
      const ids: number[] = []
      for (let i = 0; i < WATCHES; i++) {
        const options = { ...plain, edits: true, deletions: true }
        const watch = sampleWatch(`watch ${i}`, { sinks: { command }, options })
        ids.push((await store.watches.put(watch)).id)
      }
      const sizes: number[] = []
      for (const [i, kind] of KINDS.entries()) {
        await happen(store, id, kind)
        for (let isRead = false, lives = 0; !isRead; lives++) {
          assert.ok(lives < 20)
          const matcher = dyingMatcher(store, dies, sizes)
          await matcher.loadWatches()
          try {
            while (await matcher.step());
            isRead = true
          } catch (error) {
            assert.match(String(error), /killed/)
          }
        }
        const expected = ids.map((watchId) => `${watchId} ${kind} ${i + 1}`).toSorted()
        assert.deepEqual(await queuedBy(store), expected, kind)
        assert.deepEqual(await store.deliveries.position(), { seq: i + 1, part: null })
      }
      assert.ok(Math.max(...sizes) <= ROWS + 1, `${sizes}`)
    })
  }
}

describe('an event that very many watches tell', () => {
  describe('on SQLite', () => describeParts(() => openTemporary(clock)))

  describe('on PostgreSQL', { skip: whyNoEngines() }, () => {
    const schemas = createSchemas()
    after(() => schemas.drop())
    describeParts(async () => (await schemas.open()).store)
  })
})
