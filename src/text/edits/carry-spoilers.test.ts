import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskSpoilers } from '../spoilers.ts'
import { carrySpoilers } from './carry-spoilers.ts'

/** `now` with its spoiler between bars; the other wording as it is masked. */
function masked(now: string, other: string): string {
  const offset = now.indexOf('|')
  const length = now.lastIndexOf('|') - offset - 1
  const text = now.replaceAll('|', '')
  return maskSpoilers(other, carrySpoilers(text, [{ type: 'spoiler', offset, length }], other))
}

test('a spoiler is found in another wording where its words stand', () => {
  assert.equal(
    masked('The winner is |the red team|.', 'The winner is the red team.'),
    'The winner is ███ ███ ████.',
  )
  assert.equal(masked('The winner is |red|, again', 'So the winner is red'), 'So the winner is ███')
  assert.equal(
    masked('In the final (|red|) won', 'At the final (red) won'),
    'At the final (███) won',
  )
})

test('words in place of a spoiler or beside it are hidden, and no others', () => {
  assert.equal(
    masked('The winner is |red|, by far', 'The winner is blue, by far'),
    'The winner is █████ by far',
  )
  assert.equal(masked('It is |red|', 'It is red team'), 'It is ███ ████')
  assert.equal(masked('It is |red| today', 'It is today'), 'It is today')
  assert.equal(
    masked('Played on Sunday, won by |red|', 'Played on Monday, won by red'),
    'Played on Monday, won by ███',
  )
  assert.equal(masked('Nothing |left| here', 'Other words altogether'), '█████ █████ ██████████')
})

test('a spoiler may reach beyond the end', () => {
  const entities = [{ type: 'spoiler' as const, offset: 3, length: 99 }]
  assert.deepEqual(carrySpoilers('is red', entities, 'is red'), [
    { type: 'spoiler', offset: 3, length: 3 },
  ])
})
