/**
 * The embedded index against the oracle on many random corpora, with rare and constant merging, and with posting lists in
 * long and in short rows. A number as argument sets the number of corpora.
 */
import { describe } from 'node:test'
import { describeExact } from '../../src/search/contract/exact.ts'
import {
  openEmbedded,
  openShortRows,
  openMerging,
} from '../../src/search/contract/open-embedded.ts'

const WAYS = [openEmbedded, openMerging, openShortRows]
const corpora = Number(process.argv[2] ?? 20)
for (let seed = 1; seed <= corpora; seed++) {
  describe(`corpus ${seed}`, () =>
    describeExact(WAYS[seed % WAYS.length]!, { seed: 5_000 + seed, queries: 40 }))
}
