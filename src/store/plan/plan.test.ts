import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTemporary } from '../../../test/open-temporary.ts'
import { NOON, samplePost, sampleProfile, sampleReading } from '../contract/samples.ts'
import { newSchedule, type Lease } from '../frontier.ts'
import { planAddition } from './archive-writes.ts'
import type { Draft } from './draft.ts'
import { planReading } from './reading.ts'
import { planPostRemoval } from './removal.ts'
import type { Plan, Writes } from './rows.ts'
import { planSettle } from './visit.ts'

const RETENTION = { deleted: 'redact', versions: 'keep' } as const
const PROFILE = sampleProfile('known', { platformId: 7 })

/** Runs plans in a store and returns how often each asked for rows, and what it wrote. */
async function openRows() {
  const store = await openTemporary()
  return async <T>(plan: (draft: Draft) => Plan<T>) => {
    let asked = 0
    const drafts: Draft[] = []
    const result = await store.run(function* (draft) {
      drafts.push(draft)
      const steps = plan(draft)
      let step = steps.next()
      for (; !step.done; asked++) step = steps.next(yield step.value)
      return step.value
    })
    return { result, writes: drafts[0]!.writes(), asked }
  }
}

async function added(run: Awaited<ReturnType<typeof openRows>>, name: string): Promise<number> {
  const { result } = await run((draft) => planAddition(draft, name, { at: NOON, status: 'queued' }))
  assert.ok(result.outcome === 'added')
  return result.id
}

test('a reading loads all its rows at once, and so does the end of a visit', async () => {
  const run = await openRows()
  const id = await added(run, 'known')
  const posts = [1, 2, 3].map((number) => samplePost(number))
  const album = samplePost(4, { albumNumbers: [4, 5, 6] })
  const reading = sampleReading(id, { profile: PROFILE, posts: [...posts, album] })
  assert.equal((await run((draft) => planReading(draft, reading, RETENTION))).asked, 1)
  const edited = samplePost(2, { text: 'edited' })
  const again = { ...reading, at: NOON + 1, posts: [edited, album, samplePost(7)] }
  assert.equal((await run((draft) => planReading(draft, again, RETENTION))).asked, 1)
  const lease: Lease = { channelId: id, owner: 'nobody', token: 1, until: NOON }
  const end = {
    reading: again,
    schedule: newSchedule(NOON),
    status: 'active',
    reason: null,
    gaps: [],
    walked: [],
  } as const
  const stale = await run((draft) => planSettle(draft, lease, end, RETENTION))
  assert.deepEqual([stale.result, stale.asked], [undefined, 1])
})

test('only rare cases load rows again: a deletion, another channel under the name', async () => {
  const run = await openRows()
  const id = await added(run, 'known')
  const posts = [samplePost(1), samplePost(2)]
  await run((draft) =>
    planReading(draft, sampleReading(id, { profile: PROFILE, posts }), RETENTION),
  )
  const deletion = sampleReading(id, { at: NOON + 1, deleted: [2] })
  assert.equal((await run((draft) => planReading(draft, deletion, RETENTION))).asked, 2)
  const other = sampleProfile('known', { platformId: 8 })
  const taken = await run((draft) =>
    planReading(draft, sampleReading(id, { at: NOON + 2, profile: other, posts }), RETENTION),
  )
  assert.notEqual(taken.result.channelId, id)
  assert.ok(taken.asked <= 4, `asked ${taken.asked} times`)
})

test('a reading without news writes only channel, counters and growth', async () => {
  const run = await openRows()
  const id = await added(run, 'known')
  const reading = sampleReading(id, { profile: PROFILE, posts: [samplePost(1)] })
  await run((draft) => planReading(draft, reading, RETENTION))
  const { writes } = await run((draft) =>
    planReading(draft, { ...reading, at: NOON + 1 }, RETENTION),
  )
  const isWritten = ([, rows]: [string, Writes[keyof Writes]]) =>
    Array.isArray(rows) && rows.length > 0
  const sets = Object.entries(writes)
    .filter(isWritten)
    .map(([set]) => set)
  assert.deepEqual(sets.toSorted(), ['channels', 'counted', 'growth'])
  assert.deepEqual(writes.totals, { posts: 0, removals: 0 })
})

test('a reading tells the register nothing of a removed post while the numeric id of its channel is unknown', async () => {
  const run = await openRows()
  const id = await added(run, 'known')
  await run((draft) => planPostRemoval(draft, 'known', 2, 'asked', NOON))
  const read = async (platformId: number | null) => {
    const reading = sampleReading(id, { profile: sampleProfile('known', { platformId }) })
    const { removals } = (await run((draft) => planReading(draft, reading, RETENTION))).writes
    return removals.map((entry) => entry.platformId)
  }
  assert.deepEqual([await read(null), await read(7), await read(7)], [[], [7], []])
})
