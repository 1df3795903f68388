import { describeSearchIndex } from '../contract.ts'
import { openInline } from './open-inline.ts'

describeSearchIndex(openInline, { seeds: [1, 2], queries: 12 })
