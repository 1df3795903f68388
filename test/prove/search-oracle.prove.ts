/**
 * The embedded index against the oracle on many random corpora, with the usual bounds and with tiny ones, merging seldom
 * and always, with lists in long rows and in short ones.
 */
import { compareWithOracle, shrinkLimits } from '../../src/search/contract.ts'
import { openInline, openLaidOut, openMerging } from '../../src/search/embedded/open-inline.ts'

const WAYS = [openInline, openMerging, openLaidOut]
const seeds = Number(process.argv[2] ?? 60)
const queries = 40
for (let seed = 1; seed <= seeds; seed++) {
  const restore = seed % 2 === 0 ? shrinkLimits() : () => {}
  try {
    await compareWithOracle(WAYS[Math.floor(seed / 2) % WAYS.length]!, 5_000 + seed, queries)
  } finally {
    restore()
  }
}
console.log(`${seeds} corpora, ${seeds * 6 * queries} walks through all pages: embedded = oracle`)
