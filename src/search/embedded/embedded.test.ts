import { describe } from 'node:test'
import { describeExact } from '../contract/exact.ts'
import { openEmbedded, openLaidOut, openMerging } from '../contract/open-embedded.ts'

describe('embedded', () => describeExact(openEmbedded))
describe('embedded, merging at every step', () => describeExact(openMerging, { seed: 2 }))
describe('embedded, with lists in short rows', () => describeExact(openLaidOut, { seed: 3 }))
