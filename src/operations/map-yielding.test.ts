import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnsOf } from '../../test/turns-of.ts'
import { charsOf, mapYielding } from './map-yielding.ts'

const posts = (count: number, chars: number) =>
  Array.from({ length: count }, (_, i) => ({ i, text: 'x'.repeat(chars) }))

test('long texts are processed over many turns of the event loop, in order', async () => {
  const [turns, made] = await turnsOf(mapYielding(posts(100, 4_000), charsOf, ({ i }) => i))
  assert.deepEqual(made, [...made.keys()])
  assert.equal(made.length, 100)
  assert.ok(turns >= 20, `${turns} turns`)
})

test('a page of ordinary texts is processed in one turn', async () => {
  const [turns] = await turnsOf(mapYielding(posts(20, 300), charsOf, ({ i }) => i))
  assert.equal(turns, 0)
})

test('texts too long for one turn get a turn each', async () => {
  const [turns] = await turnsOf(mapYielding(posts(5, 50_000), charsOf, ({ i }) => i))
  assert.ok(turns >= 3, `${turns} turns`)
})
