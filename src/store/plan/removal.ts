import { nameKey } from '../../model/channel-name.ts'
import { isPostNumber, type PostRef } from '../../model/post.ts'
import { appliesTo } from '../channel-rules.ts'
import { membersOf } from './album.ts'
import type { Draft } from './draft.ts'
import { startErasure } from './erasure.ts'
import { registerNames } from './identity.ts'
import type { Plan } from './rows.ts'
import { settleStats } from './stats.ts'
import { storable } from './storable.ts'

/** Registers a channel and begins to erase it, with the posts it was still to inherit; resolves to the channels to erase. */
export function* planChannelRemoval(
  draft: Draft,
  name: string,
  reason: string,
  at: number,
): Plan<readonly number[]> {
  yield* draft.ask({ channels: { names: [nameKey(name)] } })
  const channel = draft.holderOf(name)
  const names = channel ? draft.namesOf(channel.id) : []
  const platformId = channel?.platformId ?? null
  const removal = { platformId, reason: storable(reason), removedAt: at }
  registerNames(draft, [nameKey(name), ...names], removal)
  draft.candidatesForgotten.push(nameKey(name))
  if (!channel) return []
  const { erasures = [] } = yield* draft.ask({ erasures: { heir: channel.id } })
  yield* startErasure(draft, channel, at)
  const left = erasures.map(({ channelId }) => channelId)
  return [channel.id, ...left]
}

/** Registers one post, or an album with all its members, and erases it; resolves to how many posts were erased. */
export function* planPostRemoval(
  draft: Draft,
  name: string,
  number: number,
  reason: string,
  at: number,
): Plan<number> {
  yield* draft.ask({ channels: { names: [nameKey(name)] } })
  const channel = draft.holderOf(name)
  const entry = {
    name: nameKey(channel?.username ?? name),
    platformId: channel?.platformId ?? null,
    number,
    reason: storable(reason),
    removedAt: at,
  }
  if (!channel || !isPostNumber(number)) {
    draft.registered.push({ ...entry, members: [] })
    return 0
  }
  const asked = { channelId: channel.id, number }
  yield* draft.knowPosts(channel.id, [number])
  const shown = draft.posts.get(asked) ? number : (draft.posts.albumOf(asked) ?? number)
  yield* draft.knowPosts(channel.id, [shown])
  const ref = { channelId: channel.id, number: shown }
  draft.registered.push({ ...entry, members: membersShownBy(draft, ref) })
  const isErased = draft.erasePost(ref, at)
  if (isErased) draft.stats.totals.removals++
  yield* settleStats(draft, at, [channel.id])
  return isErased ? 1 : 0
}

/** The numbers to register with an album. A listed number that has a post of its own is not part of it, and stays. */
function membersShownBy({ posts }: Draft, { channelId, number: album }: PostRef): number[] {
  const { post } = posts.get({ channelId, number: album }) ?? {}
  if (!post || post.albumNumbers.length === 0) return []
  return [album, ...membersOf(post).filter((number) => !posts.get({ channelId, number }))]
}

/**
 * Erases posts that are in the register but still in a store restored from a backup. That may know the channel twice, by its numeric
 * id and by a name whose id it had not learnt.
 */
export function* planNumbersRemoval(
  draft: Draft,
  channel: { readonly name: string; readonly platformId: number | null },
  numbers: readonly number[],
  at: number,
): Plan<void> {
  const platformIds = channel.platformId === null ? [] : [channel.platformId]
  yield* draft.ask({ channels: { names: [channel.name], platformIds } })
  const byId =
    channel.platformId === null ? undefined : draft.channelOfPlatformId(channel.platformId)
  const found = new Set([byId, draft.holderOf(channel.name)])
  const ids = [...found].flatMap((each) => (each && appliesTo(channel, each) ? each.id : []))
  for (const channelId of ids) {
    yield* draft.knowPosts(channelId, numbers)
    for (const number of numbers) draft.erasePost({ channelId, number }, at)
  }
  yield* settleStats(draft, at, ids)
}
