import type { Clock } from '../../../model/clock.ts'
import { nameKey } from '../../../model/channel-name.ts'
import type { PostRef } from '../../../model/post.ts'
import type { Archive } from '../../archive.ts'
import { createArchiveWrites } from '../../plan/archive-writes.ts'
import { eraseInSteps } from '../../plan/erasure.ts'
import type { RunPlan } from '../../plan/run-plan.ts'
import type { Retention } from '../../retention.ts'
import { listChannels, listPosts } from './lists.ts'
import { archiveTotals, channelStats, languageCounts } from './stats.ts'
import { keptPosts, refKey, viewChannel, type MemoryState } from './state.ts'

export function createArchive(
  state: MemoryState,
  { run, retention, clock }: { run: RunPlan; retention: Retention; clock: Clock },
): Archive {
  const view = (id: number | undefined) => {
    const kept = id === undefined ? undefined : state.channels.get(id)
    return kept && viewChannel(state, kept)
  }
  const postAt = (channelId: number, number: number) =>
    state.posts.get(refKey(channelId, number))?.post
  const channelsById: Archive['channelsById'] = async (ids) => ids.flatMap((id) => view(id) ?? [])
  const erase = (ids: readonly number[]) => eraseInSteps(run, ids, retention)

  return {
    ...createArchiveWrites(run, channelsById, erase, { retention, clock }),
    async channel(name) {
      return view(state.names.get(nameKey(name))?.channelId)
    },
    async channelsByName(names) {
      return names.map((name) => view(state.names.get(nameKey(name))?.channelId))
    },
    channelsById,
    async channels(query) {
      return listChannels(state, query)
    },
    async posts(refs) {
      return refs.map((ref) => postAt(ref.channelId, ref.number))
    },
    async post(channelId, number) {
      const album = state.members.get(refKey(channelId, number))
      return postAt(channelId, number) ?? (album === undefined ? album : postAt(channelId, album))
    },
    async versions({ channelId, number, revision: read = Infinity }, latest = Infinity) {
      const versions = state.posts.get(refKey(channelId, number))?.versions ?? []
      return versions
        .filter(({ revision }) => revision < read)
        .slice(-latest)
        .map(({ revision: _revision, ...version }) => version)
    },
    async listPosts(query) {
      return listPosts(state, query)
    },
    async numbersBetween(channelId, from, to, newest = Infinity) {
      const alive = keptPosts(state, channelId).flatMap(({ post }) =>
        post.deletedAt === null ? [post.number] : [],
      )
      const members = [...state.members].flatMap(([key, album]) => {
        const [channel, number] = key.split('/').map(Number)
        return channel === channelId && alive.includes(album) ? [number!] : []
      })
      return [...new Set([...alive, ...members])]
        .filter((number) => number >= from && number <= to)
        .toSorted((a, b) => a - b)
        .slice(-newest)
    },
    async *scan({ channelId, publishedSince = -Infinity, batch, after, signal }) {
      const posts = keptPosts(state, channelId)
        .map((kept) => kept.post)
        .filter((post) => post.publishedAt >= publishedSince && (!after || isAfter(post, after)))
      for (let start = 0; start < posts.length; start += batch) {
        signal?.throwIfAborted()
        yield posts.slice(start, start + batch)
      }
    },

    async stats(channelId, now) {
      return channelStats(state, channelId, now)
    },
    async languages(now) {
      return languageCounts(state, now)
    },
    async totals() {
      return archiveTotals(state)
    },
    // Nothing to do: features of posts are derived whenever they are asked for.
    async recount() {
      return 0
    },
  }
}

function isAfter(a: PostRef, b: PostRef): boolean {
  return a.channelId > b.channelId || (a.channelId === b.channelId && a.number > b.number)
}
