import type { PostRef } from '../../model/post.ts'
import { joinHistories, type PostHistory } from '../post-history.ts'
import type { Retention } from '../retention.ts'
import type { Draft, RunPlan } from './draft.ts'
import type { ChannelRow, ErasureRow, Plan, VersionRow } from './rows.ts'
import { putHistory, versionsOf } from './put-history.ts'
import { settleStats } from './stats.ts'

/**
 * Erasing a channel. Its row and everything that leads to it are erased at once, so that no answer contains it from then on.
 * Its posts follow in steps, because a million of them in one transaction would block everybody. The erasure is recorded,
 * so that after a crash another running process, or the next start, finishes it. With an heir, the posts move to it.
 */

const POSTS_A_STEP = 500
/** Fewer, since each post is read, merged and written again. */
const INHERITED_A_STEP = 100

export function* startErasure(
  draft: Draft,
  channel: ChannelRow,
  at: number,
  heir: number | null = null,
): Plan<void> {
  if (heir === null) {
    // Posts that it was still to inherit may be all that it has.
    const { heads = [], erasures = [] } = yield* draft.ask({
      lowest: { channelId: channel.id, limit: 1 },
      erasures: { heir: channel.id },
    })
    if (heads.length + erasures.length > 0) draft.stats.totals.removals++
  } else draft.growthMoved.push({ from: channel.id, to: heir })
  draft.forgetChannel(channel, at)
  draft.erasures.push({ channelId: channel.id, heir, begunAt: at })
  draft.heirs.push({ from: channel.id, to: heir })
}

/** Starts to erase archived channels that are in the opt-out register. */
export function* planErasureOfRemoved(
  draft: Draft,
  ids: readonly number[],
  at: number,
): Plan<void> {
  yield* draft.ask({ channels: { ids } })
  for (const id of ids) {
    const channel = draft.channel(id)
    if (channel) yield* startErasure(draft, channel, at)
  }
}

interface ErasureStep {
  readonly posts: number
  readonly isTraceLeft: boolean
}

/** Carries out erasures. `isTraceLeft` when any post of them went to no heir, so that traces of erased text have to be wiped. */
export async function eraseInSteps(
  run: RunPlan,
  channelIds: readonly number[],
  retention: Retention,
): Promise<{ readonly posts: number; readonly isTraceLeft: boolean }> {
  let posts = 0
  let isTraceLeft = false
  for (const channelId of channelIds) {
    for (;;) {
      const step = await run((draft) => planErasure(draft, channelId, retention))
      isTraceLeft ||= step.isTraceLeft
      if (step.posts === 0) break
      posts += step.posts
    }
  }
  return { posts, isTraceLeft }
}

/** Erases the next step of a channel's posts; resolves to 0 posts, and ends the erasure, when none are left. */
function* planErasure(draft: Draft, channelId: number, retention: Retention): Plan<ErasureStep> {
  const { erasures } = yield* draft.ask({ erasures: { channelId } })
  const erasure = erasures?.find((row) => row.channelId === channelId)
  const isInherited = erasure !== undefined && erasure.heir !== null
  const limit = isInherited ? INHERITED_A_STEP : POSTS_A_STEP
  const { heads = [] } = yield* draft.ask({ lowest: { channelId, limit } })
  let isTraceLeft = !isInherited
  if (heads.length === 0) draft.erasuresDone.push(channelId)
  else if (isInherited && (yield* inherit(draft, erasure, heads, retention)) > 0) {
    draft.stats.totals.removals++
    isTraceLeft = true
  }
  draft.posts.erasedHeads.push(...heads)
  const heir = isInherited ? [erasure.heir!] : []
  yield* settleStats(draft, erasure?.begunAt ?? 0, heir)
  return { posts: heads.length, isTraceLeft }
}

/** Copies posts to the heir, with their earlier versions and deletions; returns how many were not, being removed there. */
function* inherit(
  draft: Draft,
  { channelId, heir, begunAt }: ErasureRow,
  refs: readonly PostRef[],
  retention: Retention,
): Plan<number> {
  const numbers = refs.map(({ number }) => number)
  const heirs = numbers.map((number) => ({ channelId: heir!, number }))
  const { posts = [], versions = [] } = yield* draft.ask({
    channels: { ids: [heir!] },
    posts: [
      { channelId, numbers },
      { channelId: heir!, numbers },
    ],
    versions: [...refs, ...heirs],
  })
  const left = posts.filter(({ post }) => post.channelId === channelId).map(({ post }) => post)
  yield* draft.knowPosts(
    heir!,
    left.flatMap((post) => post.albumNumbers),
  )
  const isRemoved = draft.removedIn(heir!)
  const moved = left.filter((post) => !isRemoved(post))
  for (const post of moved) {
    const own = { post, versions: versionsOf(versions, post) }
    inheritOne(draft, heir!, own, versions, { at: begunAt, retention })
  }
  return left.length - moved.length
}

function inheritOne(
  draft: Draft,
  heir: number,
  left: PostHistory,
  versions: readonly VersionRow[],
  options: { readonly at: number; readonly retention: Retention },
): void {
  const ref = { channelId: heir, number: left.post.number }
  const own = draft.posts.get(ref)?.post
  const moved = { ...left.post, ...ref, language: null }
  if (!own && moved.capture === 'import' && draft.posts.isPart(moved)) return
  const held = own && { post: own, versions: versionsOf(versions, own) }
  const next = held ? joinHistories(held, left, options.retention) : { ...left, post: moved }
  draft.pictures.moved.push({ from: left.post, to: ref })
  putHistory(draft, next, options)
}
