import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLines } from './read-lines.ts'

async function lines(chunks: string[], max = 100) {
  async function* bytes() {
    for (const chunk of chunks) yield Buffer.from(chunk, 'latin1')
  }
  return Array.fromAsync(readLines(bytes(), max))
}

test('lines are the same however the bytes are split into chunks', async () => {
  const text = Buffer.from('один\nдва\n\nтри').toString('latin1')
  const whole = await lines([text])
  assert.deepEqual(
    whole.map((l) => l.text),
    ['один', 'два', '', 'три'],
  )
  assert.deepEqual(await lines([...text]), whole)
})

test('a line over the limit is marked as too long and dropped, and the next one is read', async () => {
  const read = await lines(['a'.repeat(60), 'a'.repeat(60), '\nb\n'])
  assert.deepEqual(read, [
    { number: 1, text: '', tooLong: true },
    { number: 2, text: 'b', tooLong: false },
  ])
})
