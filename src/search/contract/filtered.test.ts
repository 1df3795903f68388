import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SearchFilters } from '../../model/query.ts'
import { FILTERED } from './filtered.ts'
import { NO_FILTERS } from './sample.ts'

test('every filter has a case of its own, which fails if an engine ignores it', () => {
  const cases = Object.values(FILTERED).flatMap(({ filters }) => filters ?? [])
  const untried = (Object.keys(NO_FILTERS) as (keyof SearchFilters)[]).filter((name) =>
    cases.every((filters) => filters[name] === NO_FILTERS[name]),
  )
  assert.deepEqual(untried, [])
})
