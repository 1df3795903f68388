import { describe } from 'node:test'
import { describeBounded } from '../contract/bounded.ts'
import { describeExact } from '../contract/exact.ts'
import { openEmbedded, openMerging, openShortRows } from '../contract/open-embedded.ts'

describe('embedded', () => describeExact(openEmbedded))
describe('embedded, merging at every step', () => describeExact(openMerging, { seed: 2 }))
describe('embedded, with lists in short rows', () => {
  describeExact(openShortRows, { seed: 3 })
  describeBounded(openShortRows)
})
