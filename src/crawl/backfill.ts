import type { Channel } from '../model/channel.ts'
import type { Clock } from '../model/clock.ts'
import { MAX_POST_NUMBER } from '../model/post.ts'
import type { Store } from '../store/store.ts'

type BackfillStart =
  | { readonly outcome: 'started'; readonly channel: Channel }
  /** Everything down to the first post is already archived. */
  | { readonly outcome: 'complete'; readonly channel: Channel }
  /** The channel is not indexed. */
  | { readonly outcome: 'unknown' }

/**
 * Asks the crawler to walk a channel's history from where it has been walked so far, down to `until`, or to the first post
 * when null. The requests come from the budget's reserve, and the walk resumes after any restart.
 */
export async function startBackfill(
  store: Store,
  name: string,
  options: { readonly until: number | null; readonly clock: Clock },
): Promise<BackfillStart> {
  const channel = await store.archive.channel(name)
  if (!channel) return { outcome: 'unknown' }
  if (channel.archiveComplete) return { outcome: 'complete', channel }
  const { until, clock } = options
  const before = await whereToBegin(store, channel.id)
  await store.frontier.addGap({ channelId: channel.id, kind: 'backfill', before, downTo: 1, until })
  await store.frontier.makeDue(channel.id, clock.now())
  return { outcome: 'started', channel }
}

interface BackfillProgress {
  /** Posts below this number are still to be read; null when the walk is over. */
  readonly before: number | null
  readonly posts: number
}

/** How far a backfill has come; undefined when the channel is gone from the archive. */
export async function backfillProgress(
  store: Store,
  channelId: number,
): Promise<BackfillProgress | undefined> {
  const [[channel], gaps] = await Promise.all([
    store.archive.channelsById([channelId]),
    store.frontier.gaps(channelId),
  ])
  if (!channel) return undefined
  const open = gaps.filter((gap) => gap.kind === 'backfill').map((gap) => gap.before)
  return { before: open.length === 0 ? null : Math.max(...open), posts: channel.posts }
}

/** Not below the oldest archived post: posts from a live read or a file may lie below others that nobody has read. */
async function whereToBegin({ frontier }: Store, channelId: number): Promise<number> {
  const { walkedTo = null, newestNumber = null } = (await frontier.schedule(channelId)) ?? {}
  return walkedTo ?? (newestNumber === null ? MAX_POST_NUMBER : newestNumber + 1)
}
