import { describe } from 'node:test'
import { whyNoEngines } from '../../../test/engines.ts'
import { judgedSet, readJudged } from '../../../test/judged/evaluate.ts'
import { describeBounded } from '../contract/bounded.ts'
import { describeExact } from '../contract/exact.ts'
import { openEmbedded } from '../contract/open-embedded.ts'
import { openOnCluster } from '../../../test/open-on-cluster.ts'
import {
  describeCorrections,
  describeLongTexts,
  describePrefixRanks,
  describeRanked,
  describeRelaxed,
} from '../contract/ranked.ts'

const skip = whyNoEngines() ?? false

describe('opensearch', { skip }, () => {
  // `opensearch.long.test.ts` asks more.
  describeExact(openOnCluster(), { queries: 3 })
  // The engine reads every list to its end, looks at every member of a group, and expands prefixes to all words of so few posts.
  describeBounded(openOnCluster(), { never: ['postings', 'prefix', 'groups', 'facets'] })
  describeCorrections(openOnCluster())
  describeRelaxed(openOnCluster())
  describeLongTexts(openOnCluster())
  describePrefixRanks(openOnCluster(), openEmbedded)
  describeRanked(openOnCluster(), openEmbedded, () => judgedSet(readJudged()))
})
describe('opensearch, two shards per week', { skip }, () =>
  describeExact(openOnCluster(2), { seed: 2, queries: 2 }),
)
