import { whyNoEngines } from '../engines.ts'
import { openPair } from '../pairs.ts'
import { describeKept } from '../pictures/describe-kept.ts'

describeKept('kept pictures, told of in PostgreSQL', {
  skip: whyNoEngines() ?? false,
  engines: () => openPair({ store: 'postgres', index: null }),
})
