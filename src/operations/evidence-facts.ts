import type { Channel } from '../model/channel.ts'
import { addTo } from '../model/get-or-make.ts'
import type { ArchivedPost, PostVersion } from '../model/post.ts'
import { SHOWN_POSTS } from '../store/archive.ts'
import type { Store } from '../store/store.ts'
import { viewTime, viewTimeOrNull } from './views/common.ts'
import { viewId } from './views/post.ts'

/** How many posts on either side are looked at: their captures tell when the channel was read. */
const NEIGHBOURS = 5

/**
 * When and how a post was captured. Visits themselves are not stored, but each leaves its time on what it saw: on this post,
 * its versions, the neighbouring posts and the channel. In order, these times are the visits around the post.
 */
export async function captureFacts(
  { archive, frontier }: Pick<Store, 'archive' | 'frontier'>,
  about: { readonly channel: Channel; readonly post: ArchivedPost; readonly isCut: boolean },
  versions: readonly PostVersion[],
) {
  const { channel, post, isCut } = about
  const near = { ...SHOWN_POSTS, channelId: channel.id, includeDeleted: true, limit: NEIGHBOURS }
  const [before, after, gaps] = await Promise.all([
    archive.listPosts({ ...near, order: 'newest', after: post.number }),
    archive.listPosts({ ...near, order: 'oldest', after: post.number }),
    frontier.gaps(channel.id),
  ])
  const neighbours = [...before.items.toReversed(), ...after.items]
  return {
    content_sha256: post.contentSha256,
    first_captured_at: viewTime(post.firstCapturedAt),
    last_captured_at: viewTime(post.lastCapturedAt),
    deleted_at: viewTimeOrNull(post.deletedAt),
    capture: post.capture,
    parser_version: post.parserVersion,
    revision: post.revision,
    versions: versions.map(({ capturedAt, sha256, text }) => ({
      last_captured_at: viewTime(capturedAt),
      content_sha256: sha256,
      text_kept: text !== null,
      // Captured before this archive first read the post, so it comes from an imported file.
      imported: post.capture === 'import' || capturedAt < post.firstCapturedAt,
    })),
    /** Versions from before these exist, too. */
    ...(isCut && { versions_left_out: true }),
    visits: visitsOf({ channel, post, versions, neighbours }),
    neighbours: neighbours.map((each) => ({
      id: viewId(channel.username, each.number).id,
      published_at: viewTime(each.publishedAt),
      content_sha256: each.contentSha256,
      first_captured_at: viewTime(each.firstCapturedAt),
      last_captured_at: viewTime(each.lastCapturedAt),
    })),
    channel: {
      username: channel.username,
      aliases: [...channel.aliases],
      platform_id: channel.platformId,
      title: channel.title,
      added_at: viewTime(channel.addedAt),
      last_visited_at: viewTimeOrNull(channel.lastVisitedAt),
      archive_from: viewTimeOrNull(channel.archiveFrom),
      archive_complete: channel.archiveComplete,
      /** Ranges of its history that are still to be read. */
      gaps: gaps
        .filter(({ kind }) => kind !== 'refresh')
        .map(({ kind, before: from, downTo }) => ({ kind, before: from, down_to: downTo })),
    },
  }
}
export type CaptureFacts = Awaited<ReturnType<typeof captureFacts>>

function visitsOf(known: {
  readonly channel: Channel
  readonly post: ArchivedPost
  readonly versions: readonly PostVersion[]
  readonly neighbours: readonly ArchivedPost[]
}): { readonly at: string; readonly saw: readonly string[] }[] {
  const { channel, post, versions, neighbours } = known
  const seen = new Map<number, string[]>()
  const note = (at: number | null, what: string) => {
    if (at !== null) addTo(seen, at, what)
  }
  note(post.firstCapturedAt, 'this post for the first time')
  for (const [i, { capturedAt }] of versions.entries())
    note(capturedAt, `its version ${i + 1} for the last time`)
  note(post.lastCapturedAt, 'this post, as it stands here')
  note(post.deletedAt, 'that this post was deleted')
  for (const { number, firstCapturedAt, lastCapturedAt } of neighbours) {
    note(firstCapturedAt, `post ${number} for the first time`)
    if (lastCapturedAt !== firstCapturedAt) note(lastCapturedAt, `post ${number}`)
  }
  note(channel.lastVisitedAt, 'the channel, for the last time so far')
  return [...seen].sort(([a], [b]) => a - b).map(([at, saw]) => ({ at: viewTime(at), saw }))
}
