import { WINDOW_MS, type IndexWriter } from '../search/search-index.ts'
import type { Clock } from '../model/clock.ts'
import type { Archive } from '../store/archive.ts'
import type { Groups } from '../store/groups.ts'
import { channelsOf, grouped, type Derive } from './derive.ts'

const BATCH = 2_000

/** A new generation being filled from the archive while the old one serves. */
export interface Rebuild extends AsyncDisposable {
  /** Changes that come meanwhile go here too. */
  readonly writer: IndexWriter
  /** Puts the archive in, batch by batch; yields how many posts have been read. */
  steps(): AsyncIterable<number>
  swap(): Promise<void>
}

interface RebuildOptions {
  readonly archive: Archive
  readonly groups: Groups
  readonly writer: IndexWriter
  readonly derive: Derive
  readonly clock: Clock
}

export async function openRebuild(options: RebuildOptions): Promise<Rebuild> {
  const { archive, clock } = options
  const { removals } = await archive.totals()
  const writer = await options.writer.startGeneration(removals)
  return {
    writer,
    async *steps() {
      let done = 0
      const publishedSince = clock.now() - WINDOW_MS
      for await (const posts of archive.scan({ publishedSince, batch: BATCH })) {
        const ids = posts.map((post) => post.channelId)
        const { searchable, derived } = await options.derive(posts, await channelsOf(archive, ids))
        await archive.saveDerived(derived)
        await writer.apply({ puts: await grouped(options.groups, searchable) })
        done += posts.length
        yield done
      }
    },
    swap: () => writer.swap(),
    [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
  }
}
