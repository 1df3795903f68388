import { isPostNumber } from '../../model/post.ts'
import { joinHistories, type PostHistory } from '../post-history.ts'
import { contentKey, isRead, tombstone } from '../post-rules.ts'
import type { Retention } from '../retention.ts'
import type { Draft } from './draft.ts'
import type { Plan } from './rows.ts'
import { putHistory, versionsOf } from './put-history.ts'
import { settleStats } from './stats.ts'
import { storable } from './storable.ts'

/** What became of the posts of a channel that an imported file holds. */
export interface ImportResult {
  readonly added: readonly number[]
  /** Posts of an earlier import that this file added to. */
  readonly changed: readonly number[]
  readonly refused: number
  /** Posts that turned out to be members of an album: the album now holds them. */
  readonly joined: number
}

/**
 * Imports posts with their versions and capture times from an export of another archive. Posts that this archive has read
 * itself stay as they are; posts that it has only from a file are merged with this one. Repeating the plan changes nothing.
 */
export function* planImportedHistories(
  draft: Draft,
  channelId: number,
  given: readonly PostHistory[],
  { at, retention }: { readonly at: number; readonly retention: Retention },
): Plan<ImportResult> {
  const histories = storable(given)
  yield* draft.ask({ channels: { ids: [channelId] } })
  const channel = draft.channel(channelId)
  if (!channel || draft.entryOf(channel)) {
    return { added: [], changed: [], refused: histories.length, joined: 0 }
  }
  const numbers = histories.flatMap(({ post }) => [post.number, ...post.albumNumbers])
  yield* draft.knowPosts(channelId, numbers.filter(isPostNumber))
  const known = histories.flatMap(({ post }) => draft.posts.get({ ...post, channelId })?.post ?? [])
  const { versions = [] } = known.length > 0 ? yield { versions: known } : {}
  const isRemoved = draft.removedIn(channelId)
  const added: number[] = []
  const changed: number[] = []
  let refused = 0
  let joined = 0
  for (const { post, versions: earlier } of histories) {
    if (!isPostNumber(post.number) || isRemoved(post)) {
      refused++
      continue
    }
    const ref = { channelId, number: post.number }
    const own = draft.posts.get(ref)?.post
    const told = { ...post, channelId, language: null }
    if (own ? isRead(own) : draft.posts.isPart(told)) continue
    const kept = keptOf({ post: told, versions: earlier }, retention)
    const held = own && { post: own, versions: versionsOf(versions, own) }
    const next = held ? joinHistories(held, kept, retention) : kept
    if (held && isSame(held, next)) continue
    joined += putHistory(draft, next, { at, retention })
    if (held) changed.push(post.number)
    else added.push(post.number)
  }
  yield* settleStats(draft, at, [channelId])
  return { added, changed, refused, joined }
}

/** The part of a history that retention allows. */
function keptOf({ post, versions }: PostHistory, retention: Retention): PostHistory {
  const { deletedAt } = post
  const gone =
    deletedAt === null ? undefined : tombstone({ ...post, deletedAt: null }, deletedAt, retention)
  const isRedacted = deletedAt !== null && retention.deleted === 'redact'
  const isHashed = retention.versions === 'hash' || isRedacted
  return {
    post: gone ?? post,
    versions: isHashed ? versions.map((version) => ({ ...version, text: null })) : versions,
  }
}

function isSame(held: PostHistory, next: PostHistory): boolean {
  const facts = ({ post, versions }: PostHistory) => {
    const { revision, firstCapturedAt, lastCapturedAt, deletedAt, views, reactions } = post
    const times = [revision, firstCapturedAt, lastCapturedAt, deletedAt]
    return JSON.stringify([contentKey(post), times, views, reactions, versions])
  }
  return facts(held) === facts(next)
}
