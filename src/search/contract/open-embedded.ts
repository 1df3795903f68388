import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../model/clock.ts'
import { ANALYZER_VERSION } from '../../text/analyze.ts'
import type { Open, Opened } from './stage.ts'
import { openEmbeddedIndex } from '../embedded/pool.ts'
import { MERGE_POLICY, SIZES } from '../embedded/postings/postings.ts'
import { openEmbeddedWriter } from '../embedded/writer.ts'

/** A new index in a folder of its own, read by threads as in production. */
async function openNew(
  clock: Clock,
  { mergePolicy = MERGE_POLICY, sizes = SIZES } = {},
): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-index-'))
  const analyzerVersion = ANALYZER_VERSION
  const writer = openEmbeddedWriter({ folder, clock, analyzerVersion, mergePolicy, sizes })
  const index = await openEmbeddedIndex({ folder, clock, workers: 2, reader: { sizes } })
  return {
    index,
    writer,
    openBounded: (limits) =>
      openEmbeddedIndex({ folder, clock, workers: 1, reader: { limits, sizes } }),
    async [Symbol.asyncDispose]() {
      await index[Symbol.asyncDispose]()
      await writer[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true })
    },
  }
}

export const openEmbedded: Open = (clock) => openNew(clock)

const MERGING = { ...MERGE_POLICY, fanIn: 2, few: 1, step: 400 }

/** The same, merging as much as it can in steps so small that most searches fall between two of them. */
export const openMerging: Open = (clock) => openNew(clock, { mergePolicy: MERGING })

/** Sizes so small that a few posts exercise every layout. */
const SMALL_SIZES = {
  inlineBytes: 3,
  rowPosts: 6,
  rowDocs: 64,
  window: 32,
  sideBySide: 2,
  backwardDocs: 10,
}

export const openShortRows: Open = (clock) =>
  openNew(clock, { mergePolicy: MERGING, sizes: SMALL_SIZES })
