import type { ArchivedPost, PostRef } from '../model/post.ts'
import { packDocument } from '../search/document-codec.ts'
import type { IndexBatch, IndexDocument } from '../search/search-index.ts'
import type { Archive } from '../store/archive.ts'
import type { Change } from '../store/changes.ts'
import type { LoggedPost } from '../store/events.ts'
import type { Groups } from '../store/groups.ts'
import { channelsOf, grouped, type Derive, type DerivedBatch } from './derive.ts'
import { countersOf, isSearchable } from './document.ts'

/** What a batch of changes amounts to, before anything is put into groups or the index. */
export interface PreparedBatch extends DerivedBatch {
  readonly deleted: readonly ArchivedPost[]
  readonly removals: readonly PostRef[]
  /** Channels whose language has changed. */
  readonly languageChanged: readonly number[]
  readonly rest: Required<Pick<IndexBatch, 'counters' | 'channels' | 'removedChannels'>>
}

interface GroupedBatch {
  readonly logged: readonly LoggedPost[]
  readonly batch: Required<IndexBatch>
}

/** Reads what changed and derives it. */
export async function prepareBatch(
  { archive, derive }: { readonly archive: Archive; readonly derive: Derive },
  changes: readonly Change[],
  since: number,
): Promise<PreparedBatch> {
  const posts = changes.flatMap((change) => (change.kind === 'post' ? [change] : []))
  const counted = changes.flatMap((change) => (change.kind === 'counters' ? [change] : []))
  const moved = changes.flatMap((change) => ('number' in change ? [] : [change.channelId]))
  const relabelled = changes.flatMap((change) =>
    change.kind === 'language' ? [change.channelId] : [],
  )
  const found = await archive.posts(posts)
  const known = await channelsOf(archive, [...posts.map((post) => post.channelId), ...moved])
  const recounted = await archive.posts(counted)
  return {
    ...(await derive(found, known, since)),
    deleted: found.flatMap((post) => (post && post.deletedAt !== null ? [post] : [])),
    removals: posts.filter((ref, i) => !isSearchable(found[i]) || !known.has(ref.channelId)),
    languageChanged: relabelled.filter((channelId) => known.has(channelId)),
    rest: {
      counters: recounted.flatMap((post) =>
        isSearchable(post)
          ? [{ channelId: post.channelId, number: post.number, ...countersOf(post) }]
          : [],
      ),
      channels: moved.flatMap((channelId) => {
        const subscribers = known.get(channelId)?.subscribers
        return subscribers ? [{ channelId, subscribers: subscribers.value }] : []
      }),
      removedChannels: moved.filter((channelId) => !known.has(channelId)),
    },
  }
}

/** Puts posts into the groups of those that say the same. To be called in the order in which batches go into the index. */
export async function joinGroups(
  groups: Groups,
  { searchable, deleted, removals, rest }: PreparedBatch,
): Promise<GroupedBatch> {
  await groups.leave(removals)
  for (const channelId of rest.removedChannels) await groups.leaveChannel(channelId)
  const puts = await grouped(groups, searchable)
  return {
    logged: [
      ...puts.map((put) => loggedPost(put, () => packDocument(put))),
      ...deleted.map((post) => loggedPost(post, null)),
    ],
    batch: { puts, removals, ...rest },
  }
}

/** A post in the form for the event log: it has just become searchable or, without a document, was deleted. */
function loggedPost(
  { channelId, number, revision, publishedAt, firstCapturedAt }: IndexDocument | ArchivedPost,
  document: LoggedPost['document'],
): LoggedPost {
  return { channelId, number, revision, publishedAt, firstCapturedAt, document }
}
