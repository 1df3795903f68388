import { describeSearchIndex } from '../contract/compare.ts'
import { openEmbedded, openLaidOut, openMerging } from '../contract/open-embedded.ts'

describeSearchIndex(openEmbedded, { seeds: [1, 2], queries: 12 })
describeSearchIndex(openMerging, { seeds: [3, 4], queries: 12 })
describeSearchIndex(openLaidOut, { seeds: [5, 6], queries: 12 })
