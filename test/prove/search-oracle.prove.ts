/**
 * The embedded index against the oracle on many random corpora, with the usual bounds and with tiny ones, merging seldom
 * and always, with lists in long rows and in short ones.
 */
import { compareWithOracle, SMALL_LIMITS } from '../../src/search/contract/compare.ts'
import { openEmbedded, openLaidOut, openMerging } from '../../src/search/contract/open-embedded.ts'

const WAYS = [openEmbedded, openMerging, openLaidOut]
const seeds = Number(process.argv[2] ?? 60)
const queries = 40
for (let seed = 1; seed <= seeds; seed++) {
  const open = WAYS[Math.floor(seed / 2) % WAYS.length]!
  await compareWithOracle(open, 5_000 + seed, queries, seed % 2 === 0 ? SMALL_LIMITS : undefined)
}
console.log(`${seeds} corpora, ${seeds * 6 * queries} walks through all pages: embedded = oracle`)
