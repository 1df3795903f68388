import { searchDocument } from '../../indexing/document.ts'
import type { Channel } from '../../model/channel.ts'
import { createCursorCodec } from '../../model/cursor.ts'
import type { Clock } from '../../model/clock.ts'
import type { ArchivedPost } from '../../model/post.ts'
import { readSearch, withOpenWindow } from '../../operations/search-query.ts'
import { PercolatedPost, predicateOf, standingQuery } from '../../search/percolator/percolator.ts'
import { WINDOW_MS } from '../../search/search-index.ts'
import type { Store } from '../../store/store.ts'

/** Which posts are wanted. */
export interface Selection {
  /** Only these channels; all when empty. */
  readonly channels: readonly Channel[]
  readonly query: string | null
  readonly since: number | null
  readonly until: number | null
  readonly deleted: boolean
}

export interface SelectedPost {
  readonly post: ArchivedPost
  readonly channel: Channel
}

const BATCH = 500

/**
 * Goes through the archive by channel and number and yields the wanted posts, whatever their age: each post is judged by the
 * query, as an index would. A batch may be empty; `looked` counts the posts that were looked at.
 */
export async function* selectPosts(
  store: Store,
  selection: Selection,
  options: {
    readonly clock: Clock
    readonly signal: AbortSignal
    /** How the query was read, if not literally. */
    readonly onWarning?: (detail: string) => void
  },
): AsyncGenerator<{ readonly posts: readonly SelectedPost[]; readonly looked: number }> {
  const { channels, since, until, deleted } = selection
  const { signal } = options
  const isMatch = await matcherOf(store, selection, options)
  let known = new Map<number, Channel>()
  for (const channelId of channels.length === 0 ? [undefined] : channels.map(({ id }) => id)) {
    const scan = store.archive.scan({
      batch: BATCH,
      signal,
      ...(channelId === undefined ? {} : { channelId }),
      ...(since === null ? {} : { publishedSince: since }),
    })
    for await (const batch of scan) {
      known = await channelsOf(store, batch, known)
      const posts = batch.flatMap((post): SelectedPost[] => {
        const channel = known.get(post.channelId)
        if (!channel || (post.deletedAt !== null && !deleted)) return []
        if (until !== null && post.publishedAt >= until) return []
        return isMatch(post, channel) ? [{ post, channel }] : []
      })
      yield { posts, looked: batch.length }
    }
  }
}

/** The channels of this batch. Posts come channel by channel, so most are known from the batch before. */
async function channelsOf(
  store: Store,
  posts: readonly ArchivedPost[],
  known: ReadonlyMap<number, Channel>,
): Promise<Map<number, Channel>> {
  const ids = [...new Set(posts.map(({ channelId }) => channelId))]
  if (ids.every((id) => known.has(id)))
    return new Map(ids.map((id) => [id, known.get(id)!] as const))
  const found = await store.archive.channelsById(ids)
  return new Map(found.map((channel) => [channel.id, channel] as const))
}

/** Throws `invalid_query`. */
async function matcherOf(
  store: Store,
  { query: q }: Selection,
  { clock, onWarning }: { readonly clock: Clock; onWarning?: (detail: string) => void },
): Promise<(post: ArchivedPost, channel: Channel) => boolean> {
  if (q === null) return () => true
  const cursors = createCursorCodec('none are made here', () => clock.now())
  const search = await readSearch({ store, clock, cursors }, { q })
  for (const { code, detail } of search.warnings) if (code !== 'window_clipped') onWarning?.(detail)
  // An index only reaches back a window from now; this judges posts of any age.
  const judge = predicateOf(standingQuery(withOpenWindow(search), WINDOW_MS))
  return (post, channel) => {
    if (post.kind !== 'post') return false
    return judge(
      new PercolatedPost({ ...searchDocument(post, channel), group: null, isCopy: false }),
    )
  }
}
