import { describeSearchIndex } from '../contract.ts'
import { openInline, openLaidOut, openMerging } from './open-inline.ts'

describeSearchIndex(openInline, { seeds: [1, 2], queries: 12 })
describeSearchIndex(openMerging, { seeds: [3, 4], queries: 12 })
describeSearchIndex(openLaidOut, { seeds: [5, 6], queries: 12 })
