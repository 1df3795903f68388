import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createDeadlines } from '../operations/deadlines.ts'
import { createManualClock } from '../simulator/clocks.ts'
import { createAdmission, createLine } from './admission.ts'

function open(places: number) {
  const clock = createManualClock(0)
  const line = createLine(places, { clock, deadlines: createDeadlines(clock) })
  const started: number[] = []
  const refused: number[] = []
  const leaves: (() => void)[] = []
  const join = (id: number) =>
    line.join(
      (leave) => {
        started.push(id)
        leaves.push(leave)
      },
      () => refused.push(id),
    )
  /** One after the other leaves, `gapMs` apart, and the next takes its place. */
  const pass = async (count: number, gapMs: number) => {
    for (let i = 0; i < count; i++) {
      await clock.advance(gapMs)
      leaves.shift()?.()
      await nextTurn()
    }
  }
  const turns = async (count: number) => {
    for (let i = 0; i < count; i++) await nextTurn()
  }
  return { clock, line, started, refused, leaves, join, pass, turns }
}

test('those who arrive together start in order, one in each turn, until all places are taken', async () => {
  const { line, started, refused, leaves, join, turns } = open(3)
  for (let id = 0; id < 6; id++) join(id)
  assert.deepEqual(started, [])
  await turns(1)
  assert.deepEqual(started, [0])
  await turns(9)
  assert.deepEqual(started, [0, 1, 2])
  leaves[1]!()
  leaves[1]!()
  await turns(3)
  assert.deepEqual(started, [0, 1, 2, 3])
  assert.equal(line.atWork, 3)
  assert.deepEqual(refused, [])
})

test('who would wait longer than a second by the present pace is refused at once', async () => {
  const { refused, join, pass, turns } = open(2)
  // The line moves every 20 ms, so that fifty wait for a second.
  for (let id = 0; id < 40; id++) join(id)
  await turns(4)
  for (let id = 40; id < 240; id++) {
    await pass(1, 20)
    join(id)
  }
  assert.deepEqual(refused, [])
  for (let id = 240; id < 300; id++) join(id)
  assert.ok(refused.length >= 40 && refused.length <= 55, `${refused.length} were refused`)
  assert.equal(refused.at(-1), 299)
  // Once most of them were served there is room again.
  await pass(40, 20)
  join(300)
  assert.equal(refused.at(-1), 299)
})

test('a line that does not move refuses newcomers after a second, and those who wait after two', async () => {
  const { clock, started, refused, leaves, join, turns } = open(1)
  join(0)
  await turns(2)
  join(1)
  await clock.advance(1_001)
  join(2)
  assert.deepEqual(refused, [2])
  await clock.advance(1_499)
  assert.deepEqual(refused, [2, 1])
  leaves[0]!()
  join(3)
  await turns(2)
  assert.deepEqual(started, [0, 3])
})

test('a free place is never refused, however slow the line was', async () => {
  const { clock, refused, leaves, join, pass, turns } = open(4)
  for (let id = 0; id < 40; id++) {
    join(id)
    await turns(2)
    await pass(1, 900)
  }
  await clock.advance(5_000)
  for (const leave of leaves) leave()
  const before = refused.length
  for (let id = 40; id < 44; id++) join(id)
  assert.equal(refused.length, before)
})

test('who gives up makes room for those behind', async () => {
  const { started, leaves, join, turns } = open(1)
  join(0)
  await turns(2)
  const giveUp = join(1)
  join(2)
  giveUp()
  leaves[0]!()
  await turns(2)
  assert.deepEqual(started, [0, 2])
})

test('live reads have places of their own, and a message of MCP waits only for its turn', async () => {
  const clock = createManualClock(0)
  const time = { clock, deadlines: createDeadlines(clock) }
  const admission = createAdmission({ other: 1, elsewhere: 1 }, time)
  const started: string[] = []
  const ask = (url: string) =>
    admission.join(
      url,
      () => started.push(url),
      () => {},
    )
  const urls = ['/v1/search?q=/live', '/v1/channels/live', '/v1/channels/x/live?q=1', '/x/mcp']
  for (const url of [...urls, '/channels/y/live', '/mcp', '/mcp/', '/mcp?x']) ask(url)
  for (let i = 0; i < 9; i++) await nextTurn()
  assert.deepEqual(new Set(started), new Set(['/mcp', '/mcp/', '/mcp?x', urls[2], urls[0]]))
  assert.equal(admission.atWork, 2)
  const refusals: unknown[] = []
  admission.enter('other').catch((error: unknown) => refusals.push(error))
  await clock.advance(2_500)
  await nextTurn()
  assert.match(String(refusals), /the service is busy/)
})
