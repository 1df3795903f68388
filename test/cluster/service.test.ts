import { describeService } from '../describe-service.ts'
import { whyNoEngines } from '../engines.ts'
import { PAIRS, openPair } from '../pairs.ts'

const skip = whyNoEngines() ?? false

for (const pair of PAIRS)
  describeService(`the whole service on ${pair.name}`, { skip, engines: () => openPair(pair) })
