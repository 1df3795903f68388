import type { GenerationWriter, IndexWriter } from '../search/search-index.ts'
import type { Clock } from '../model/clock.ts'
import { inBatches } from '../model/in-batches.ts'
import type { ArchivedPost } from '../model/post.ts'
import type { Store } from '../store/store.ts'
import { windowStart } from './window-start.ts'
import { channelsOf, grouped, type Derive, type DerivedBatch } from './derive.ts'

/** Posts read in one step; changes that arrive meanwhile wait until these are in the index. */
const BATCH = 4_000
/** Of these, this many are put into the index while the next are derived. */
const PART = 1_000

/** A new generation being filled from the archive while the old one serves. */
export interface Rebuild extends AsyncDisposable {
  /** Changes that arrive meanwhile have to be applied here, too. */
  readonly writer: GenerationWriter
  /** Puts the archive into the index, batch by batch; yields how many posts have been read. */
  steps(): AsyncIterable<number>
}

interface RebuildOptions {
  readonly store: Pick<Store, 'archive' | 'groups'>
  readonly writer: IndexWriter
  readonly derive: Derive
  readonly clock: Clock
}

/** With `mayResume`, a generation that was left half filled is resumed. */
export async function openRebuild(
  options: RebuildOptions,
  { mayResume }: { readonly mayResume: boolean },
): Promise<Rebuild> {
  const { clock } = options
  const { archive, groups } = options.store
  const totals = await archive.totals()
  const publishedSince = windowStart(clock.now(), totals)
  const writer = await options.writer.startGeneration(totals.removals, { mayResume })

  async function derived(posts: readonly ArchivedPost[]): Promise<DerivedBatch> {
    const ids = posts.map((post) => post.channelId)
    const made = await options.derive(posts, await channelsOf(archive, ids), publishedSince)
    await archive.saveDerived(made.derived)
    return made
  }

  async function putIn(posts: readonly ArchivedPost[]): Promise<void> {
    const parts = [...inBatches(posts, PART)]
    let next = parts[0] && derived(parts[0])
    try {
      for (let i = 1; next; i++) {
        const { searchable } = await next
        // Not earlier: the posts of a part may set their channels' languages.
        next = parts[i] && derived(parts[i]!)
        // The error is handled where `next` is awaited; without a handler until then, the rejection would end the thread.
        next?.catch(() => {})
        await writer.apply({ puts: await grouped(groups, searchable) })
      }
    } finally {
      await next?.catch(() => {})
    }
  }

  return {
    writer,
    async *steps() {
      let done = 0
      const { reached: after } = writer
      const scanned = archive.scan({ publishedSince, batch: BATCH, ...(after && { after }) })
      for await (const posts of scanned) {
        await putIn(posts)
        const last = posts.at(-1)
        if (last) await writer.reach?.(last)
        done += posts.length
        yield done
      }
    },
    [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
  }
}
