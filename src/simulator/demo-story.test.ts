import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tellDemoStory } from './demo-story.ts'
import { createWorld } from './world.ts'

const HOUR = 3_600_000

test('the demo story is published, forwarded, corrected and reversed, and one copy is deleted', () => {
  const now = Date.UTC(2026, 9, 1, 12)
  const world = createWorld({
    seed: 'story',
    channels: 0,
    startAt: now,
    groups: 0,
    users: 0,
    bots: 0,
  })
  const editAt = now - HOUR
  tellDemoStory(world.script, { at: now - 9 * HOUR, editAt })
  const textAt = (name: string, number: number, at: number) =>
    world.truth.post(name, number, at)?.text
  assert.match(
    textAt('ferry_desk', 1, editAt - 1) ?? '',
    /^The ferry[^]*12 people[^]*not been warned/,
  )
  assert.match(textAt('ferry_desk', 1, editAt) ?? '', /21 people[^]*had not been warned/)
  assert.match(textAt('ferry_desk', 1, now) ?? '', /21 people[^]*had been warned/)
  const forward = world.truth.post('quay_quotes', 1, now)
  assert.equal(forward?.forwardedFrom?.postUrl, 'https://t.me/ferry_desk/1')
  assert.match(textAt('eastmere_live', 2, now) ?? '', /t\.me\/ferry_desk\/1/)
  assert.ok(textAt('harbour_wire', 2, editAt - 1))
  assert.equal(textAt('harbour_wire', 2, now), undefined)
  assert.ok(textAt('harbour_wire', 1, now), 'the channel is not empty then')
})
