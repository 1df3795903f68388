import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LeasedVisit, Stretch, VisitResult } from '../frontier.ts'
import type { Store } from '../store.ts'
import {
  DAY,
  HOUR,
  NOON,
  addChannel,
  ended,
  samplePost,
  sampleProfile,
  sampleReading,
  take,
  type OpenStore,
} from './samples.ts'

const MANY = [95, 96, 97, 98, 99, 100]
const postsOf = (numbers: readonly number[]) => numbers.map((number) => samplePost(number))

/** What a channel's archive claims: since when it is complete, whether from the first post on, and down to which number. */
async function claimOf(store: Store, name: string) {
  const channel = (await store.archive.channel(name))!
  const schedule = await store.frontier.schedule(channel.id)
  return {
    from: channel.archiveFrom,
    isComplete: channel.archiveComplete,
    walkedTo: schedule?.walkedTo ?? null,
  }
}

/** The claim of an archive that is complete since this post, but not from the first one on. */
function since(number: number) {
  return { from: samplePost(number).publishedAt, isComplete: false, walkedTo: number }
}

const NOTHING = { from: null, isComplete: false, walkedTo: null }

/** The result of a visit that read these posts on these stretches. */
function walkedOver(
  visit: LeasedVisit,
  numbers: readonly number[],
  walked: readonly Stretch[],
  fields: Partial<VisitResult> = {},
): VisitResult {
  const newestNumber = Math.max(visit.schedule.newestNumber ?? 0, ...numbers)
  return ended(visit, {
    reading: sampleReading(visit.lease.channelId, { posts: postsOf(numbers) }),
    schedule: { ...visit.schedule, newestNumber, nextVisitAt: NOON, earliestVisitAt: NOON },
    walked,
    ...fields,
  })
}

/** A channel whose newest posts were walked, and whose next visit is due. */
async function openWalked(open: OpenStore) {
  const { store, setNow } = await open()
  const { id } = await addChannel(store, 'walked')
  const settle = async (
    numbers: readonly number[],
    walked: readonly Stretch[],
    fields: Partial<VisitResult> = {},
  ) => {
    const [visit] = await take(store)
    await store.frontier.settle(visit!.lease, walkedOver(visit!, numbers, walked, fields))
  }
  await settle(MANY, [{ before: 101, downTo: 95 }])
  return { store, setNow, id, settle, claim: () => claimOf(store, 'walked') }
}

export function describeWalked(open: OpenStore): void {
  describe('the walked range', () => {
    test('alone determines what an archive claims to hold, whatever live reads and imports add', async () => {
      const { store, id, claim } = await openWalked(open)
      for (const capture of ['live', 'import'] as const) {
        const posts = postsOf(capture === 'live' ? [10, 11, 94] : [1, 50])
        await store.archive.record(sampleReading(id, { capture, posts }))
        assert.deepEqual(await claim(), since(95))
      }
    })

    test('is empty if nobody walked', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'read_live')
      const posts = postsOf([1, 2])
      await store.archive.record(sampleReading(id, { capture: 'live', posts }))
      assert.deepEqual(await claimOf(store, 'read_live'), NOTHING)
      const [visit] = await take(store)
      await store.frontier.settle(visit!.lease, ended(visit!))
      assert.deepEqual(await claimOf(store, 'read_live'), NOTHING)
    })

    test('grows only by adjoining walks, down to the first post', async () => {
      const { settle, claim } = await openWalked(open)
      await settle([20], [{ before: 94, downTo: 20 }])
      assert.deepEqual(await claim(), since(95), 'post 94 may be missing')
      await settle([90], [{ before: 95, downTo: 90 }])
      assert.deepEqual(await claim(), since(90))
      await settle([], [])
      assert.deepEqual(await claim(), since(90))
      const lower = [
        { before: 101, downTo: 98 },
        { before: 98, downTo: 1 },
      ]
      await settle([3], lower)
      const from = samplePost(3).publishedAt
      assert.deepEqual(await claim(), { from, isComplete: true, walkedTo: 1 })
    })

    test('does not cover recorded gaps', async () => {
      const { settle, claim } = await openWalked(open)
      const gap = { kind: 'gap', before: 97, downTo: 96, until: null } as const
      await settle([], [{ before: 101, downTo: 1 }], { gaps: [gap] })
      const from = samplePost(97).publishedAt
      assert.deepEqual(await claim(), { from, isComplete: false, walkedTo: 1 })
    })

    test('is stored by a checkpoint together with what was read', async () => {
      const { store, id, claim } = await openWalked(open)
      const [visit] = await take(store)
      const reading = sampleReading(id, { posts: postsOf([40, 60]) })
      const gaps = [{ kind: 'backfill', before: 40, downTo: 1, until: null } as const]
      const walked = [{ before: 95, downTo: 40 }]
      await store.frontier.checkpoint(visit!.lease, { reading, gaps, walked })
      assert.deepEqual(await claim(), since(40))
      await store.frontier.release(visit!.lease)
      assert.deepEqual(await claim(), since(40))
    })

    test('ends above what is pruned, also during a visit', async () => {
      const { store, settle, claim } = await openWalked(open)
      await settle([1, 2], [{ before: 101, downTo: 1 }])
      assert.equal((await claim()).isComplete, true)
      const [visit] = await take(store)
      await store.archive.prune(samplePost(95).publishedAt, 100)
      assert.deepEqual(await claim(), { ...since(95), walkedTo: 3 })
      const newest = walkedOver(visit!, [101], [{ before: 102, downTo: 90 }])
      await store.frontier.settle(visit!.lease, newest)
      assert.deepEqual(await claim(), { ...since(95), walkedTo: 3 })
    })

    test('is unknown for a channel that was merged or whose name was taken', async () => {
      const { store, setNow, id, claim } = await openWalked(open)
      const profile = sampleProfile('walked', { platformId: 7 })
      await store.archive.record(sampleReading(id, { profile }))
      assert.deepEqual(await claim(), since(95))
      const taker = sampleProfile('walked', { platformId: 8 })
      await store.archive.record(sampleReading(id, { at: NOON + HOUR, profile: taker }))
      const [former] = await store.archive.channelsById([id])
      assert.deepEqual([former?.reason, former?.archiveFrom], ['name_taken', null])
      assert.deepEqual(await claim(), NOTHING)

      setNow(NOON + DAY)
      const twin = await addChannel(store, 'new_name')
      const visit = (await take(store)).find(({ channel }) => channel.id === twin.id)!
      await store.frontier.settle(
        visit.lease,
        walkedOver(visit, [200], [{ before: 201, downTo: 200 }]),
      )
      assert.deepEqual(await claimOf(store, 'new_name'), since(200))
      const back = sampleProfile('new_name', { platformId: 7 })
      await store.archive.record(sampleReading(twin.id, { at: NOON + DAY, profile: back }))
      assert.equal((await store.archive.channel('new_name'))?.id, id)
      assert.deepEqual(await claimOf(store, 'new_name'), NOTHING)
    })
  })
}
