import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { MUTATIONS } from './prove/mutations.ts'

test('what the proof of mutations would drop still stands in the program', () => {
  const isThere = ({ file, find }: (typeof MUTATIONS)[number]) =>
    readFileSync(new URL(`../${file}`, import.meta.url), 'utf8').includes(find)
  assert.deepEqual(
    MUTATIONS.filter((each) => !isThere(each)),
    [],
  )
})
