import { describe } from 'node:test'
import { judgedSet, readJudged } from '../../../test/judged/evaluate.ts'
import { describeBounded } from '../contract/bounded.ts'
import { describeExact } from '../contract/exact.ts'
import { openEmbedded, openShortRows } from '../contract/open-embedded.ts'
import {
  describeCorrections,
  describeLongTexts,
  describeRanked,
  describeRelaxed,
} from '../contract/ranked.ts'

describe('embedded', () => {
  describeExact(openEmbedded, { queries: 3 })
  describeBounded(openEmbedded)
})
// These also merge at every step; `embedded.long.test.ts` asks each of them more.
describe('embedded, with lists in short rows', () => {
  describeExact(openShortRows, { seed: 3, queries: 2 })
  describeCorrections(openEmbedded)
  describeRelaxed(openEmbedded)
  describeLongTexts(openEmbedded)
  describeRanked(openShortRows, openEmbedded, () => judgedSet(readJudged()))
})
