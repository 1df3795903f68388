import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../src/model/clock.ts'
import { openReader } from '../src/search/embedded/reader.ts'
import { openEmbeddedWriter } from '../src/search/embedded/writer.ts'
import type { IndexWriter, SearchIndex } from '../src/search/search-index.ts'
import { ANALYZER_VERSION } from '../src/text/analyze.ts'

export interface PlainIndex extends AsyncDisposable {
  readonly index: SearchIndex
  readonly writer: IndexWriter
}

/** A new index that is read in this thread: the production engine without its threads, which take a while to start. */
export async function openPlainIndex(clock: Clock): Promise<PlainIndex> {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-plain-'))
  const writer = openEmbeddedWriter({ folder, clock, analyzerVersion: ANALYZER_VERSION })
  const reader = openReader(folder)
  return {
    writer,
    index: {
      capacity: 1,
      async search(query, signal) {
        signal?.throwIfAborted()
        return reader.search(query, clock.now())
      },
      duplicates: async (ref, limit) => reader.duplicates(ref, limit, clock.now()),
      state: async () => reader.state(clock.now()),
      [Symbol.asyncDispose]: async () => reader.close(),
    },
    async [Symbol.asyncDispose]() {
      reader.close()
      await writer[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
