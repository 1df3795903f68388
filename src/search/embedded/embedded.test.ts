import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../model/clock.ts'
import { describeSearchIndex, type Opened } from '../contract.ts'
import type { SearchIndex } from '../search-index.ts'
import { openReader } from './reader.ts'
import { openEmbeddedWriter } from './writer.ts'

/** The reader in this thread: the threads add nothing to what is found. */
async function openInline(clock: Clock): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-index-'))
  const writer = openEmbeddedWriter({ folder, clock, analyzerVersion: 1 })
  const reader = openReader(folder)
  const index: SearchIndex = {
    search: async (query) => reader.search(query, clock.now()),
    duplicates: async (ref, limit) => reader.duplicates(ref, limit, clock.now()),
    state: async () => reader.state(clock.now()),
    [Symbol.asyncDispose]: async () => reader.close(),
  }
  return {
    index,
    writer,
    async [Symbol.asyncDispose]() {
      reader.close()
      await writer[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true })
    },
  }
}

describeSearchIndex(openInline, { seeds: [1, 2, 3], queries: 15 })
