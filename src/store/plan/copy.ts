import { nameKey } from '../../model/channel-name.ts'
import type { Edit } from '../../model/edit.ts'
import { refKey } from '../../model/post.ts'
import type { KeptPicture } from '../pictures.ts'
import type { Draft } from './draft.ts'
import type {
  ChannelRow,
  GrowthRow,
  Known,
  NameRow,
  Plan,
  PostRow,
  RemovalRow,
  ScheduleRow,
  VersionRow,
  Wanted,
} from './rows.ts'
import { settleStats } from './stats.ts'

/** Plans that write the rows of one store into another. Existing rows are left as they are, so that a plan may be repeated. */

export function* planRead(wanted: Wanted): Plan<Known> {
  return yield wanted
}

export function* planCopiedEntries(draft: Draft, entries: readonly RemovalRow[]): Plan<void> {
  yield* draft.ask({ channels: { names: entries.map(({ name }) => nameKey(name)) } })
  const idOf = ({ name, number }: RemovalRow) => `${nameKey(name)}/${number}`
  const known = new Set(draft.entries.map(idOf))
  for (const entry of entries) {
    draft.registered.push(entry)
    if (!known.has(idOf(entry))) draft.stats.totals.removals++
  }
}

export interface CopiedChannel {
  readonly row: ChannelRow
  readonly names: readonly NameRow[]
  readonly schedule: ScheduleRow | undefined
  readonly growth: readonly GrowthRow[]
}

/** Channels without posts. */
export function* planCopiedChannels(
  draft: Draft,
  copied: readonly CopiedChannel[],
  at: number,
): Plan<void> {
  const names = copied.flatMap((each) => each.names.map(({ name }) => nameKey(name)))
  yield* draft.ask({ channels: { ids: copied.map(({ row }) => row.id), names } })
  for (const { row, names: own, schedule, growth } of copied) {
    if (draft.channel(row.id)) continue
    // These are counted when its posts are copied.
    draft.putChannel({ ...row, posts: 0, firstPostAt: null, lastPostAt: null })
    for (const { name, learntAt } of own) draft.giveName(row.id, name, learntAt)
    if (schedule) draft.putSchedule({ ...schedule, owner: null, until: 0 })
    draft.growth.push(...growth)
    draft.markChannel(row.id, at)
  }
}

/** Posts of one channel with their versions and edits. Each gets a change, so that its language and terms are derived. */
export function* planCopiedPosts(
  draft: Draft,
  channelId: number,
  rows: readonly PostRow[],
  versions: readonly VersionRow[],
  edits: readonly Edit[],
  at: number,
): Plan<number> {
  yield* draft.ask({ channels: { ids: [channelId] } })
  const numbers = rows.flatMap(({ post }) => [post.number, ...post.albumNumbers])
  yield* draft.knowPosts(channelId, numbers)
  const copied = new Set<number>()
  for (const { post } of rows) {
    if (draft.posts.get(post)) continue
    copied.add(post.number)
    draft.posts.put({ ...post, language: null }, 'content')
    draft.posts.settleAlbum(undefined, post, at)
    draft.posts.mark(post, 'post', at)
  }
  for (const { revision, capturedAt, text, sha256, ...ref } of versions) {
    if (copied.has(ref.number)) draft.posts.addVersion(ref, revision, { capturedAt, text, sha256 })
  }
  for (const edit of edits) if (copied.has(edit.number)) draft.posts.addEdit(edit, edit)
  yield* settleStats(draft, at)
  return copied.size
}

/** Marks kept pictures of existing posts and channels as wanted, so that `keep` accepts them. */
export function* planCopiedPictures(
  draft: Draft,
  kept: readonly KeptPicture[],
  at: number,
): Plan<void> {
  const refs = Map.groupBy(kept, refKey)
  for (const pictures of refs.values()) {
    const { channelId, number } = pictures[0]!
    const wanted = pictures.map(({ slot, name }) => ({ slot, name }))
    draft.pictures.wanted.push({ channelId, number, wanted, at })
  }
  yield {}
}
