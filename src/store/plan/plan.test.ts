import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOON, samplePost, sampleProfile, sampleReading } from '../contract/samples.ts'
import { newSchedule, type Lease } from '../frontier.ts'
import { load } from '../contract/memory/load.ts'
import { createState } from '../contract/memory/state.ts'
import { write } from '../contract/memory/write.ts'
import { planAddition } from './archive-writes.ts'
import { Draft } from './draft.ts'
import { planReading } from './reading.ts'
import { planPostRemoval } from './removal.ts'
import type { Plan, Writes } from './rows.ts'
import { planSettle } from './visit.ts'

const RETENTION = { deleted: 'redact', versions: 'keep' } as const
const PROFILE = sampleProfile('known', { platformId: 7 })

/** Runs plans in memory and returns how often each asked for rows, and what it wrote. */
function openRows() {
  const state = createState()
  return <T>(plan: (draft: Draft) => Plan<T>) => {
    let asked = 0
    const draft = new Draft()
    const steps = plan(draft)
    let step = steps.next()
    for (; !step.done; asked++) step = steps.next(load(state, step.value))
    const writes = draft.writes()
    write(state, writes)
    return { result: step.value, writes, asked }
  }
}

function added(run: ReturnType<typeof openRows>, name: string): number {
  const { result } = run((draft) => planAddition(draft, name, { at: NOON, status: 'queued' }))
  assert.ok(result.outcome === 'added')
  return result.id
}

test('a reading loads all its rows at once, and so does the end of a visit', () => {
  const run = openRows()
  const id = added(run, 'known')
  const posts = [1, 2, 3].map((number) => samplePost(number))
  const album = samplePost(4, { albumNumbers: [4, 5, 6] })
  const reading = sampleReading(id, { profile: PROFILE, posts: [...posts, album] })
  assert.equal(run((draft) => planReading(draft, reading, RETENTION)).asked, 1)
  const edited = samplePost(2, { text: 'edited' })
  const again = { ...reading, at: NOON + 1, posts: [edited, album, samplePost(7)] }
  assert.equal(run((draft) => planReading(draft, again, RETENTION)).asked, 1)
  const lease: Lease = { channelId: id, owner: 'nobody', token: 1, until: NOON }
  const end = {
    reading: again,
    schedule: newSchedule(NOON),
    status: 'active',
    reason: null,
    gaps: [],
    walked: [],
  } as const
  const stale = run((draft) => planSettle(draft, lease, end, RETENTION))
  assert.deepEqual([stale.result, stale.asked], [undefined, 1])
})

test('only rare cases load rows again: a deletion, another channel under the name', () => {
  const run = openRows()
  const id = added(run, 'known')
  const posts = [samplePost(1), samplePost(2)]
  run((draft) => planReading(draft, sampleReading(id, { profile: PROFILE, posts }), RETENTION))
  const deletion = sampleReading(id, { at: NOON + 1, deleted: [2] })
  assert.equal(run((draft) => planReading(draft, deletion, RETENTION)).asked, 2)
  const other = sampleProfile('known', { platformId: 8 })
  const taken = run((draft) =>
    planReading(draft, sampleReading(id, { at: NOON + 2, profile: other, posts }), RETENTION),
  )
  assert.notEqual(taken.result.channelId, id)
  assert.ok(taken.asked <= 4, `asked ${taken.asked} times`)
})

test('a reading without news writes only channel, counters and growth', () => {
  const run = openRows()
  const id = added(run, 'known')
  const reading = sampleReading(id, { profile: PROFILE, posts: [samplePost(1)] })
  run((draft) => planReading(draft, reading, RETENTION))
  const { writes } = run((draft) => planReading(draft, { ...reading, at: NOON + 1 }, RETENTION))
  const isWritten = ([, rows]: [string, Writes[keyof Writes]]) =>
    Array.isArray(rows) && rows.length > 0
  const sets = Object.entries(writes)
    .filter(isWritten)
    .map(([set]) => set)
  assert.deepEqual(sets.toSorted(), ['channels', 'counted', 'growth'])
  assert.deepEqual(writes.totals, { posts: 0, removals: 0 })
})

test('a reading tells the register nothing of a removed post while the numeric id of its channel is unknown', () => {
  const run = openRows()
  const id = added(run, 'known')
  run((draft) => planPostRemoval(draft, 'known', 2, 'asked', NOON))
  const read = (platformId: number | null) => {
    const reading = sampleReading(id, { profile: sampleProfile('known', { platformId }) })
    const { removals } = run((draft) => planReading(draft, reading, RETENTION)).writes
    return removals.map((entry) => entry.platformId)
  }
  assert.deepEqual([read(null), read(7), read(7)], [[], [7], []])
})
