import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../model/clock.ts'
import { ANALYZER_VERSION } from '../../text/analyze.ts'
import type { Open, Opened } from './stage.ts'
import type { SearchLimits } from '../limits.ts'
import { openEmbeddedIndex } from '../embedded/pool.ts'
import { MERGE_RULES } from '../embedded/postings/merge.ts'
import { SIZES } from '../embedded/postings/sizes.ts'
import { openEmbeddedWriter } from '../embedded/writer.ts'

/** A new index in a folder of its own, read by threads as it is in earnest. */
async function openNew(
  clock: Clock,
  limits: SearchLimits,
  { mergeRules = MERGE_RULES, sizes = SIZES } = {},
): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-index-'))
  const analyzerVersion = ANALYZER_VERSION
  const writer = openEmbeddedWriter({ folder, clock, analyzerVersion, mergeRules, sizes })
  const index = await openEmbeddedIndex({ folder, clock, workers: 2, reader: { limits, sizes } })
  return {
    index,
    writer,
    async [Symbol.asyncDispose]() {
      await index[Symbol.asyncDispose]()
      await writer[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true })
    },
  }
}

export const openEmbedded: Open = (clock, limits) => openNew(clock, limits)

const MERGING = { ...MERGE_RULES, fanIn: 2, few: 1, step: 400 }

/** The same, merging whatever it can in steps so small that most searches fall between two of them. */
export const openMerging: Open = (clock, limits) => openNew(clock, limits, { mergeRules: MERGING })

/** Lists in rows so short that a few posts are laid out in every way. */
const SMALL_SIZES = {
  inlineBytes: 3,
  rowPosts: 6,
  rowOrds: 64,
  window: 32,
  sideBySide: 2,
  stretch: 10,
  knownFrom: 2,
  known: 7,
}

export const openLaidOut: Open = (clock, limits) =>
  openNew(clock, limits, { mergeRules: MERGING, sizes: SMALL_SIZES })
