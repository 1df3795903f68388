import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTemporary } from '../../test/open-temporary.ts'
import { openPlainIndex } from '../../test/plain-index.ts'
import { createPlainIndexer } from '../../test/plain-indexer.ts'
import { plainSearch } from '../search/contract/sample.ts'
import { unpackDocument } from '../search/document-codec.ts'
import { createStillClock } from '../simulator/clocks.ts'
import { makePost } from '../store/contract/make-post.ts'

const NOW = Date.UTC(2026, 3, 1, 12)
const DAY = 86_400_000

async function setUp() {
  const clock = createStillClock(NOW)
  const store = await openTemporary(clock)
  const plain = await openPlainIndex(clock)
  const added = await store.archive.addChannel('rivers', { at: NOW, status: 'queued' })
  assert.ok(added.outcome === 'added')
  const channelId = added.channel.id
  const indexer = createPlainIndexer({ store, writer: plain.writer, clock })
  async function record(number: number, text: string, publishedAt = NOW, deleted: number[] = []) {
    const posts = text === '' ? [] : [makePost({ number, text, publishedAt })]
    const reading = { at: clock.now(), capture: 'crawl', parserVersion: 1, profile: null } as const
    await store.archive.record({ ...reading, channelId, posts, deleted })
    clock.pass(1_000)
  }
  const told = async () =>
    (await store.events.after(0, 100)).map(({ kind, number, document, before }) => {
      const [now, then] = [document, before].map(
        (each) => each && unpackDocument(each).toks.join(' '),
      )
      return `${kind} ${number}: ${now} / ${then}`
    })
  return { ...plain, clock, store, indexer, record, told }
}

test('posts, edits and deletions are logged as events once they are searchable', async () => {
  await using stage = await setUp()
  const { indexer, record, told, index } = stage
  await record(1, 'the bridge is closed')
  await record(2, 'an old story', NOW - 3 * DAY)
  assert.deepEqual(await told(), [])
  await indexer.drain()
  assert.equal((await index.search(plainSearch(NOW + DAY, {}))).total.value, 2)
  await record(1, 'the bridge is open')
  await indexer.drain()
  await record(1, '', NOW, [1, 2])
  await indexer.drain()
  const expected = [
    'post 1: the bridge is closed / null',
    'edit 1: the bridge is open / the bridge is closed',
    'deleted 1: null / the bridge is open',
  ]
  assert.deepEqual(await told(), expected, 'what was old when it came is no news')
  await indexer.rebuild(AbortSignal.timeout(60_000))
  assert.deepEqual(await told(), expected, 'nor is an index that is built anew')
})

test('a crash between index and event log loses no event and logs none twice', async () => {
  await using stage = await setUp()
  const { record, told, store, writer, clock } = stage
  let crashes = 2
  const events = {
    ...store.events,
    async append(posts: Parameters<typeof store.events.append>[0]) {
      if (crashes-- === 2) throw new Error('before')
      const appended = await store.events.append(posts)
      if (crashes === 0) throw new Error('behind')
      return appended
    },
  }
  const indexer = createPlainIndexer({ store: { ...store, events }, writer, clock })
  await record(1, 'the bridge is closed')
  await assert.rejects(indexer.drain(), /before/)
  await assert.rejects(indexer.drain(), /behind/)
  assert.ok((await indexer.drain()) > 0, 'the changes were not forgotten')
  assert.deepEqual(await told(), ['post 1: the bridge is closed / null'])
})
