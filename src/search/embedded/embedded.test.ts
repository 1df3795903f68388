import { describe } from 'node:test'
import { judgedSet, readJudged } from '../../../test/judged/evaluate.ts'
import { describeBounded } from '../contract/bounded.ts'
import { describeExact } from '../contract/exact.ts'
import { openEmbedded, openShortRows, openMerging } from '../contract/open-embedded.ts'
import { describeCorrections, describeRanked } from '../contract/ranked.ts'

const judged = await judgedSet(readJudged())

describe('embedded', () => {
  describeExact(openEmbedded)
  describeBounded(openEmbedded)
})
describe('embedded, merging at every step', () => describeExact(openMerging, { seed: 2 }))
describe('embedded, with lists in short rows', () => {
  describeExact(openShortRows, { seed: 3 })
  describeBounded(openShortRows)
  describeCorrections(openEmbedded)
  describeRanked(openShortRows, openEmbedded, judged)
})
