import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnsOf } from '../../test/turns-of.ts'
import { mapInTurns, spareTurn, turn } from './turns.ts'

function work(ms: number): void {
  const since = performance.now()
  while (performance.now() - since < ms);
}

test('long work is done over many turns of the event loop, in order', async () => {
  const [turns, made] = await turnsOf(
    mapInTurns(Array.from({ length: 100 }), (_, i) => {
      work(1)
      return i
    }),
  )
  assert.deepEqual(made, [...made.keys()])
  assert.ok(turns >= 30, `${turns} turns`)
})

test('short work is done in one turn', async () => {
  const [turns] = await turnsOf(mapInTurns(Array.from({ length: 20 }), (_, i) => i))
  assert.ok(turns <= 1, `${turns} turns`)
})

test('what many do at a time takes no longer of a turn than what one does, and each gets on', async () => {
  let inTurn = 0
  let most = 0
  let isOver = false
  const look = () => {
    most = Math.max(most, inTurn)
    inTurn = 0
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  const order: number[] = []
  await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      for (let piece = 0; piece < 5; piece++) {
        await (i % 2 === 0 ? turn() : spareTurn())
        work(1)
        inTurn++
      }
      order.push(i)
    }),
  )
  isOver = true
  // Two slices, each of two pieces or three.
  assert.ok(most <= 6, `${most} pieces in one turn`)
  const even = order.filter((i) => i % 2 === 0)
  assert.deepEqual(
    even,
    even.toSorted((a, b) => a - b),
    'those who came first were first',
  )
})

test('work for which nobody waits lets a reply pass', async () => {
  const order: string[] = []
  const loop = async (name: string, next: typeof turn) => {
    for (let piece = 0; piece < 10; piece++) {
      await next()
      work(1)
    }
    order.push(name)
  }
  const loops = Array.from({ length: 10 }, () => loop('spare', spareTurn))
  await Promise.all([...loops, loop('reply', turn)])
  assert.equal(order[0], 'reply')
})
