import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { MUTATIONS } from './prove/mutations.ts'

test('every code fragment that the mutation proof replaces still exists', () => {
  const isThere = ({ file, find }: (typeof MUTATIONS)[number]) =>
    readFileSync(new URL(`../${file}`, import.meta.url), 'utf8').includes(find)
  assert.deepEqual(
    MUTATIONS.filter((each) => !isThere(each)),
    [],
  )
})
