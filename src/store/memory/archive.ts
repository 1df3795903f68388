import type { Clock } from '../../model/clock.ts'
import { nameKey } from '../../model/channel-name.ts'
import type { Archive, Derived } from '../archive.ts'
import { NO_COUNTERS, weightOf } from '../channel-rules.ts'
import type { Retention } from '../store.ts'
import { foldTerm, storedTerms } from '../terms.ts'
import { addChannel, giveName } from './identity.ts'
import { listChannels, listPosts } from './lists.ts'
import { erasePost, recordReading, refreshPace } from './record.ts'
import { findRemoval } from './register.ts'
import { archiveTotals, channelStats, languageCounts } from './stats.ts'
import {
  firstSchedule,
  keptPosts,
  languageOf,
  markChannel,
  refKey,
  viewChannel,
  type MemoryState,
} from './state.ts'

export function createArchive(state: MemoryState, retention: Retention, clock: Clock): Archive {
  const view = (id: number | undefined) => {
    const kept = id === undefined ? undefined : state.channels.get(id)
    return kept && viewChannel(state, kept)
  }
  const postAt = (channelId: number, number: number) =>
    state.posts.get(refKey(channelId, number))?.post

  return {
    async addChannel(name, { at, status, title }) {
      if (findRemoval(state, { name })) return { outcome: 'removed' }
      const known = view(state.names.get(nameKey(name))?.channelId)
      if (known) return { outcome: 'known', channel: known }
      const channel = addChannel(state, {
        username: name,
        platformId: null,
        title: title ?? name,
        description: '',
        avatarUrl: null,
        verified: false,
        subscribers: null,
        counters: NO_COUNTERS,
        status,
        addedAt: at,
      })
      giveName(state, channel.id, name, at)
      if (status === 'queued') state.schedules.set(channel.id, firstSchedule(at))
      markChannel(state, channel.id, at)
      return { outcome: 'added', channel: viewChannel(state, channel) }
    },
    async channel(name) {
      return view(state.names.get(nameKey(name))?.channelId)
    },
    async channelsById(ids) {
      return ids.flatMap((id) => view(id) ?? [])
    },
    async channels(query) {
      return listChannels(state, query)
    },

    async record(reading) {
      return recordReading(state, reading, retention).result
    },
    async posts(refs) {
      return refs.map((ref) => postAt(ref.channelId, ref.number))
    },
    async post(channelId, number) {
      const album = state.members.get(refKey(channelId, number))
      return postAt(channelId, number) ?? (album === undefined ? album : postAt(channelId, album))
    },
    async versions({ channelId, number }, latest = Infinity) {
      return state.posts.get(refKey(channelId, number))?.versions.slice(-latest) ?? []
    },
    async listPosts(query) {
      return listPosts(state, query)
    },
    async numbersBetween(channelId, from, to) {
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
    },
    async *scan({ channelId, publishedSince = -Infinity, batch }) {
      const posts = keptPosts(state, channelId)
        .map((kept) => kept.post)
        .filter((post) => post.publishedAt >= publishedSince)
      for (let start = 0; start < posts.length; start += batch) {
        yield posts.slice(start, start + batch)
      }
    },

    async saveDerived(batch) {
      for (const derived of batch) saveOne(state, derived, clock.now())
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
    async prune(publishedBefore, limit) {
      const now = clock.now()
      const old = keptPosts(state)
        .map((kept) => kept.post)
        .filter((post) => post.publishedAt < publishedBefore)
        .toSorted((a, b) => a.publishedAt - b.publishedAt)
        .slice(0, limit)
      for (const { channelId, number } of old) erasePost(state, channelId, number, now)
      for (const id of new Set(old.map((post) => post.channelId))) {
        refreshPace(state, id, now)
        state.channels.get(id)!.reachedStart = false
      }
      return old.length
    },
  }
}

function saveOne(state: MemoryState, derived: Derived, now: number): void {
  const { channelId, number, revision } = derived
  const kept = state.posts.get(refKey(channelId, number))
  if (!kept || kept.post.revision !== revision || kept.post.deletedAt !== null) return
  const language = languageOf(state, channelId)
  kept.post = { ...kept.post, language: derived.language }
  kept.terms = new Set(storedTerms(derived.terms).split(' ').map(foldTerm))
  kept.detectedLanguage = derived.detectedLanguage
  kept.languageWeight = derived.detectedLanguage === null ? 0 : weightOf(derived)
  if (languageOf(state, channelId) !== language) markChannel(state, channelId, now)
}
