import { describe } from 'node:test'
import { whyNoEngines } from '../../../test/engines.ts'
import { openOnCluster } from '../../../test/open-on-cluster.ts'
import { describeExact } from '../contract/exact.ts'

const skip = whyNoEngines() ?? false

describe('opensearch', { skip }, () => describeExact(openOnCluster()))
describe('opensearch, two shards per week', { skip }, () =>
  describeExact(openOnCluster(2), { seed: 2 }),
)
