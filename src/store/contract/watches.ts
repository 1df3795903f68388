import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NewWatch } from '../watches.ts'
import { NOON, type OpenStore } from './samples.ts'

export function sampleWatch(name: string, fields: Partial<NewWatch> = {}): NewWatch {
  return {
    name,
    query: { q: 'storm', lang: 'en' },
    sinks: {
      webhook: {
        url: 'https://example.com/hook',
        secret: 'whsec_c2VjcmV0',
        body: 'standard',
        allowPrivate: false,
      },
      feed: { token: 'unguessable' },
    },
    options: { oncePerStory: true, edits: false, deletions: true, digestMinutes: 30, quiet: null },
    createdAt: NOON,
    since: 0,
    ...fields,
  }
}

export function describeWatches(open: OpenStore): void {
  describe('watches', () => {
    test('are stored as given, and replaced by name', async () => {
      const { watches } = (await open()).store
      const first = await watches.put(sampleWatch('storms'))
      assert.deepEqual(first, { ...sampleWatch('storms'), id: first.id, stopped: {} })
      assert.deepEqual(await watches.get('storms'), first)
      assert.deepEqual(await watches.byId(first.id), first)
      assert.equal(await watches.get('Storms'), undefined)
      const quiet = { from: 1320, to: 420, zone: 'Europe/Berlin' }
      const options = { ...first.options, quiet, digestMinutes: null }
      const second = await watches.put(sampleWatch('storms', { query: { q: 'gale' }, options }))
      assert.equal(second.id, first.id)
      assert.deepEqual(await watches.get('storms'), second)
      assert.deepEqual(second.options, options)
      assert.equal(await watches.count(), 1)
    })

    test('are listed by name, page by page', async () => {
      const { watches } = (await open()).store
      for (const name of ['b', 'a', 'B', 'ё', 'c']) await watches.put(sampleWatch(name))
      const names = async (after: string | null, limit: number) =>
        (await watches.list(after, limit)).map(({ name }) => name)
      assert.deepEqual(await names(null, 3), ['B', 'a', 'b'])
      assert.deepEqual(await names('b', 3), ['c', 'ё'])
    })

    test('that were put, stopped or removed since a revision are listed as changes', async () => {
      const { watches } = (await open()).store
      assert.deepEqual(await watches.changesSince(0, 10), [])
      assert.equal(await watches.revision(), 0)
      const a = await watches.put(sampleWatch('a'))
      const b = await watches.put(sampleWatch('b'))
      const first = await watches.changesSince(0, 1)
      assert.deepEqual(
        first.map(({ id, watch }) => [id, watch?.name]),
        [[a.id, 'a']],
      )
      const rest = await watches.changesSince(first[0]!.revision, 10)
      assert.deepEqual(
        rest.map(({ id }) => id),
        [b.id],
      )
      assert.equal(await watches.stop(b, 'webhook', 'answered 410'), true)
      assert.equal(await watches.remove('a'), true)
      assert.equal(await watches.remove('a'), false)
      const later = await watches.changesSince(rest[0]!.revision, 10)
      assert.deepEqual(
        later.map(({ id, watch }) => [id, watch?.stopped]),
        [
          [b.id, { webhook: 'answered 410' }],
          [a.id, undefined],
        ],
      )
      assert.deepEqual(await watches.changesSince(later.at(-1)!.revision, 10), [])
      assert.equal(await watches.revision(), later.at(-1)!.revision)
      const again = await watches.put(sampleWatch('a'))
      assert.notEqual(again.id, a.id, 'another watch, though of the same name')
      assert.deepEqual((await watches.put(sampleWatch('b'))).stopped, {}, 'begins anew')
      assert.equal(await watches.count(), 2)
    })

    test('are not stopped for a sink that they no longer have', async () => {
      const { watches, deliveries } = (await open()).store
      const old = await watches.put(sampleWatch('storms'))
      const webhook = { ...old.sinks.webhook!, url: 'https://example.com/new' }
      const moved = await watches.put(sampleWatch('storms', { sinks: { ...old.sinks, webhook } }))
      const event = { kind: 'post', channelId: 7, number: 1, seq: 1, at: NOON } as const
      const due = { event, at: NOON, dueAt: NOON, together: false }
      const revision = await watches.revision()
      const queued = [{ watchId: old.id, sink: 'webhook', ...due } as const]
      await deliveries.advance({ from: null, to: 1, revision, told: [], queued })
      assert.equal(await watches.stop(old, 'webhook', 'answered 410'), false)
      assert.deepEqual(await watches.get('storms'), moved)
      assert.deepEqual(await deliveries.overview(), { pending: 1, dead: 0 })
      assert.equal(await watches.revision(), revision)
      await watches.remove('storms')
      assert.equal(await watches.stop(moved, 'webhook', 'answered 410'), false)
    })
  })
}
