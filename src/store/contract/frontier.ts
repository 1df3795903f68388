import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { describe, test } from 'node:test'
import { NOTHING_WRITTEN } from '../archive.ts'
import type { Schedule } from '../frontier.ts'
import {
  DAY,
  HOUR,
  MINUTE,
  NOON,
  addChannel,
  count,
  ended,
  samplePost,
  sampleProfile,
  sampleReading,
  take,
  type OpenStore,
} from './samples.ts'

export function describeFrontier(open: OpenStore): void {
  describe('frontier', () => {
    test('due channels are leased, longest overdue first, to one owner at a time', async () => {
      const { store, setNow } = await open()
      const late = await addChannel(store, 'late', NOON - 2)
      const later = await addChannel(store, 'later', NOON - 3)
      await addChannel(store, 'not_yet', NOON + 1)
      const visits = await take(store)
      assert.deepEqual(
        visits.map((visit) => visit.channel.id),
        [later.id, late.id],
      )
      assert.deepEqual(await take(store, { owner: 'b' }), [])
      setNow(NOON + MINUTE)
      const again = await take(store, { owner: 'b' })
      assert.equal(
        again.length,
        3,
        'a lease that ran out is given to the next, beside what became due',
      )
      assert.ok(again.find((v) => v.channel.id === late.id)!.lease.token > visits[1]!.lease.token)
    })

    test('visits planned further ahead than any policy plans are due, as by a wrong clock', async () => {
      const { store } = await open()
      await addChannel(store, 'added_by_it', NOON + 400 * DAY)
      await addChannel(store, 'rests_for_long', NOON + 30 * DAY)
      const [visit, ...others] = await take(store)
      assert.equal(visit?.channel.username, 'added_by_it')
      assert.deepEqual([others, await take(store)], [[], []], 'leased once')
    })

    test('gaps of several channels are listed by channel, newest first', async () => {
      const { store } = await open()
      const [one, two] = [await addChannel(store, 'one_name'), await addChannel(store, 'two_name')]
      for (const [{ id: channelId }, before] of [
        [two, 5],
        [one, 7],
        [two, 9],
      ] as const) {
        await store.frontier.addGap({ channelId, kind: 'gap', before, downTo: 1, until: null })
      }
      const gaps = await store.frontier.gaps(two.id, 999_999, one.id)
      assert.deepEqual(
        gaps.map(({ channelId, before }) => [channelId, before]),
        [
          [one.id, 7],
          [two.id, 9],
          [two.id, 5],
        ],
      )
      assert.deepEqual(await store.frontier.gaps(), [])
    })

    test('settling a visit writes posts, schedule, status and gaps at once', async () => {
      const { store, setNow } = await open()
      const { id } = await addChannel(store, 'visited')
      const [visit] = await take(store)
      const schedule: Schedule = {
        nextVisitAt: NOON + HOUR,
        earliestVisitAt: NOON + MINUTE,
        lastVisitAt: NOON,
        seen: 2.5,
        exposureDays: 0.25,
        seenFast: 1.5,
        exposureFastDays: 0.125,
        fails: 1,
        lastFailure: 'unreachable',
        demand: 0.5,
        newestNumber: 20,
        walkedTo: 1,
        refreshedAt: NOON - 1,
        doubt: 'opt_out 5 visited',
        doubtedAt: NOON - 2,
      }
      const profile = sampleProfile('visited', { platformId: 5 })
      const posts = [samplePost(19), samplePost(20)]
      const gaps = [{ kind: 'gap', before: 19, downTo: 3, until: NOON - DAY } as const]
      const reading = sampleReading(id, { profile, posts })
      const result = await store.frontier.settle(visit!.lease, {
        ...ended(visit!),
        reading,
        schedule,
        gaps,
        walked: [{ before: 21, downTo: 1 }],
      })
      assert.deepEqual(result, { ...NOTHING_WRITTEN, added: [19, 20] })
      assert.deepEqual(await store.frontier.schedule(id), schedule)
      const [gap] = await store.frontier.gaps(id)
      assert.deepEqual({ ...gap, id: 0 }, { ...gaps[0], channelId: id, id: 0 })
      const channel = await store.archive.channel('visited')
      assert.deepEqual(
        [channel?.status, channel?.lastVisitedAt, channel?.nextVisitAt],
        ['active', NOON, NOON + HOUR],
      )
      assert.deepEqual(
        [channel?.archiveComplete, channel?.archiveFrom],
        [false, posts[0]?.publishedAt],
      )
      setNow(NOON + HOUR)
      const [next] = await take(store)
      await store.frontier.settle(next!.lease, ended(next!))
      assert.equal((await store.archive.channel('visited'))?.archiveComplete, true)
    })

    test('an owner who lost a lease writes nothing', async () => {
      const { store, setNow } = await open()
      const { id } = await addChannel(store, 'fenced')
      const [slow] = await take(store, { owner: 'slow' })
      setNow(NOON + MINUTE)
      const [quick] = await take(store, { owner: 'quick' })
      const reading = sampleReading(id, { posts: [samplePost(1)] })
      const part = { reading, gaps: [], walked: [] }
      assert.equal(await store.frontier.settle(slow!.lease, ended(slow!, { reading })), 'stale')
      assert.equal(await store.frontier.checkpoint(slow!.lease, part), 'stale')
      assert.deepEqual(await store.frontier.renewAll([slow!.lease, quick!.lease], HOUR), [
        { ...quick!.lease, until: NOON + MINUTE + HOUR },
      ])
      await store.frontier.release(slow!.lease)
      assert.equal(await store.archive.post(id, 1), undefined)
      assert.notEqual(
        await store.frontier.settle(quick!.lease, ended(quick!, { reading })),
        'stale',
      )
      assert.equal(await store.frontier.settle(quick!.lease, ended(quick!)), 'stale', 'only once')
    })

    test('a renewed lease can still be settled as it was first given', async () => {
      const { store } = await open()
      await addChannel(store, 'slow_visit')
      const [visit] = await take(store)
      const [kept] = await store.frontier.renewAll([visit!.lease], 2 * MINUTE)
      assert.equal(kept?.until, NOON + 2 * MINUTE)
      assert.notEqual(await store.frontier.settle(visit!.lease, ended(visit!)), 'stale')
    })

    test('a checkpoint stores what was read and keeps the lease', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'walked')
      const [visit] = await take(store)
      const reading = sampleReading(id, { posts: [samplePost(9)] })
      const gaps = [{ kind: 'backfill', before: 9, downTo: 1, until: null } as const]
      await store.frontier.checkpoint(visit!.lease, { reading, gaps, walked: [] })
      const more = sampleReading(id, { posts: [samplePost(5)] })
      const left = [{ kind: 'backfill', before: 5, downTo: 1, until: null } as const]
      await store.frontier.checkpoint(visit!.lease, { reading: more, gaps: left, walked: [] })
      assert.deepEqual(
        (await store.frontier.gaps(id)).map((gap) => gap.before),
        [5],
      )
      assert.deepEqual(await take(store), [])
    })

    test('a gap added during a visit outlives it', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'asked')
      const gap = { channelId: id, kind: 'backfill', before: 50, downTo: 1, until: null } as const
      await store.frontier.addGap({ ...gap, kind: 'gap' })
      const [visit] = await take(store)
      assert.deepEqual(
        visit!.gaps.map((g) => g.kind),
        ['gap'],
      )
      await store.frontier.addGap(gap)
      await store.frontier.addGap(gap)
      await store.frontier.settle(visit!.lease, ended(visit!))
      assert.deepEqual(
        (await store.frontier.gaps(id)).map((g) => g.kind),
        ['backfill'],
      )
    })

    test('channels may be visited early while there is budget to spare', async () => {
      const { store, setNow } = await open()
      const { id } = await addChannel(store, 'eager')
      const [visit] = await take(store)
      await store.frontier.settle(visit!.lease, ended(visit!))
      setNow(NOON + 31 * MINUTE)
      assert.deepEqual(await take(store), [])
      setNow(NOON + 31 * MINUTE)
      const early = await take(store, { eager: true })
      assert.deepEqual(
        early.map((v) => v.channel.id),
        [id],
      )
    })

    test('demand is passed to the policy once, and demand added during a visit is not lost', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'wanted')
      await store.frontier.addDemand([
        { channelId: id, amount: 2 },
        { channelId: 999, amount: 1 },
      ])
      const [visit] = await take(store)
      assert.equal(visit!.schedule.demand, 2)
      await store.frontier.addDemand([{ channelId: id, amount: 1 }])
      await store.frontier.settle(
        visit!.lease,
        ended(visit!, { schedule: { ...visit!.schedule, demand: 0.5 } }),
      )
      assert.equal((await store.frontier.schedule(id))?.demand, 1.5)
    })

    test('makeDue makes a channel due', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'made_due', NOON + DAY)
      await store.frontier.makeDue(id, NOON)
      assert.equal((await take(store)).length, 1)
    })

    test('a channel made due during its visit is due once after it', async () => {
      const { store, setNow } = await open()
      const { id } = await addChannel(store, 'made_due')
      const [visit] = await take(store)
      await store.frontier.makeDue(id, NOON + 2)
      await store.frontier.makeDue(id, NOON + 3)
      await store.frontier.settle(visit!.lease, ended(visit!))
      assert.equal((await store.frontier.schedule(id))?.nextVisitAt, NOON + 2)
      setNow(NOON + 2)
      const [again] = await take(store)
      await store.frontier.settle(again!.lease, ended(again!))
      assert.equal((await store.frontier.schedule(id))?.nextVisitAt, NOON + HOUR)
    })

    test('an imported channel is not visited until it is made due', async () => {
      const { store, setNow } = await open()
      const added = await store.archive.addChannel('imported', { at: NOON, status: 'imported' })
      assert.ok(added.outcome === 'added' && added.channel.nextVisitAt === null)
      setNow(NOON + DAY)
      assert.deepEqual(await take(store, { eager: true }), [])
      assert.equal(await store.frontier.schedule(added.channel.id), undefined)
      await store.frontier.makeDue(added.channel.id, NOON)
      const [visit] = await take(store)
      await store.frontier.settle(visit!.lease, ended(visit!))
      assert.equal((await store.archive.channel('imported'))?.status, 'active')
      await store.frontier.makeDue(999, NOON)
      assert.equal(await store.frontier.schedule(999), undefined)
    })

    test('a removed channel is never leased, and its visit is not written', async () => {
      const { store, setNow } = await open()
      const { id } = await addChannel(store, 'optout')
      const [visit] = await take(store)
      await store.removals.removeChannel('optout', 'asked', NOON)
      const reading = sampleReading(id, { posts: [samplePost(1)] })
      assert.equal(await store.frontier.settle(visit!.lease, ended(visit!, { reading })), 'stale')
      setNow(NOON + DAY)
      assert.deepEqual(await take(store), [])
    })

    test('a visit that found another channel under the name is settled for that channel', async () => {
      const { store, setNow } = await open()
      const { id } = await addChannel(store, 'handed_over')
      const [first] = await take(store)
      const mine = sampleReading(id, { profile: sampleProfile('handed_over', { platformId: 1 }) })
      await store.frontier.settle(first!.lease, ended(first!, { reading: mine }))
      setNow(NOON + HOUR)
      const [visit] = await take(store)
      const profile = sampleProfile('handed_over', { platformId: 2 })
      const reading = sampleReading(id, { at: NOON + HOUR, profile, posts: [samplePost(4)] })
      const schedule = { ...visit!.schedule, nextVisitAt: NOON + 2 * HOUR, newestNumber: 4 }
      await store.frontier.settle(visit!.lease, ended(visit!, { reading, schedule }))
      const heir = await store.archive.channel('handed_over')
      assert.ok(heir && heir.id !== id)
      assert.equal((await store.frontier.schedule(heir.id))?.newestNumber, 4)
      assert.equal(await store.frontier.schedule(id), undefined)
    })

    test('overview and sample report the state of the frontier', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'viewed', NOON - HOUR)
      await addChannel(store, 'viewed_too', NOON)
      const profile = sampleProfile('viewed', { subscribers: count(77) })
      await store.archive.record(sampleReading(id, { profile }))
      await store.frontier.addGap({
        channelId: id,
        kind: 'refresh',
        before: 9,
        downTo: 1,
        until: null,
      })
      const overview = await store.frontier.overview(NOON)
      assert.deepEqual(overview, {
        due: 2,
        late: 1,
        oldestDueAt: NOON - HOUR,
        leased: 0,
        gaps: { gap: 0, backfill: 0, refresh: 1 },
        failures: {},
      })
      const [visit] = await take(store)
      const schedule = { ...visit!.schedule, fails: 2, lastFailure: 'throttled' }
      await store.frontier.settle(visit!.lease, ended(visit!, { schedule }))
      assert.deepEqual((await store.frontier.overview(NOON)).failures, { throttled: 1 })
      assert.equal((await store.frontier.overview(NOON)).leased, 1)
      const sample = await store.frontier.sample(10)
      assert.equal(sample.total, 2)
      assert.deepEqual(new Set(sample.schedules.map((s) => s.subscribers)), new Set([77, null]))
      assert.equal((await store.frontier.sample(1)).schedules.length, 1)
    })
  })
}

/** For stores that know which processes are dead. */
export function describeDeadOwners(open: OpenStore): void {
  describe('dead owners', () => {
    test('the leases of a dead process on this host are void', async () => {
      const { store } = await open()
      await addChannel(store, 'orphaned')
      const [visit] = await take(store, { owner: `${hostname()}/999999999/dead` })
      assert.equal(await store.frontier.releaseDead!('elsewhere/1/self'), 1)
      assert.equal(await store.frontier.settle(visit!.lease, ended(visit!)), 'stale')
      const [again] = await take(store, { owner: 'elsewhere/2/other' })
      assert.equal(await store.frontier.releaseDead!('elsewhere/1/self'), 0, 'of another host')
      assert.notEqual(await store.frontier.settle(again!.lease, ended(again!)), 'stale')
    })
  })
}
