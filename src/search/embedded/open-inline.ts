import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../model/clock.ts'
import { ANALYZER_VERSION } from '../../text/analyze.ts'
import type { Opened } from '../contract.ts'
import { MERGE_RULES } from './postings/merge.ts'
import { SIZES } from './postings/sizes.ts'
import { openReader } from './reader.ts'
import { openEmbeddedWriter } from './writer.ts'

/** For tests: a new index in a folder of its own, read in this thread; the threads add nothing to what is found. */
export async function openInline(clock: Clock, mergeRules = MERGE_RULES): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-index-'))
  const writer = openEmbeddedWriter({
    folder,
    clock,
    analyzerVersion: ANALYZER_VERSION,
    mergeRules,
  })
  const reader = openReader(folder)
  return {
    index: {
      search: async (query) => reader.search(query, clock.now()),
      duplicates: async (ref, limit) => reader.duplicates(ref, limit, clock.now()),
      state: async () => reader.state(clock.now()),
      [Symbol.asyncDispose]: async () => reader.close(),
    },
    writer,
    async [Symbol.asyncDispose]() {
      reader.close()
      await writer[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true })
    },
  }
}

/** The same, merging whatever it can in steps so small that most searches fall between two of them. */
export function openMerging(clock: Clock): Promise<Opened> {
  return openInline(clock, { ...MERGE_RULES, fanIn: 2, few: 1, step: 400 })
}

/** The same with lists in rows so short that a few posts are laid out in every way. */
export async function openLaidOut(clock: Clock): Promise<Opened> {
  const usual = { ...SIZES }
  Object.assign(SIZES, {
    inlineBytes: 3,
    rowPosts: 6,
    rowOrds: 64,
    window: 32,
    sideBySide: 2,
    stretch: 10,
    knownFrom: 2,
    known: 7,
  })
  const opened = await openMerging(clock)
  return {
    ...opened,
    async [Symbol.asyncDispose]() {
      Object.assign(SIZES, usual)
      await opened[Symbol.asyncDispose]()
    },
  }
}
