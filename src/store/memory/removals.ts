import { nameKey } from '../../model/channel-name.ts'
import type { Removals } from '../removals.ts'
import { forgetCandidate } from './candidates.ts'
import { removeChannel } from './identity.ts'
import { erasePost, refreshPace } from './record.ts'
import {
  findRemoval,
  numbersOf,
  postEntries,
  publicEntry,
  register,
  registerNames,
  sorted,
} from './register.ts'
import { ownNames, refKey, type MemoryState } from './state.ts'

export function createRemovals(state: MemoryState): Removals {
  const channelOf = (name: string) => {
    const id = state.names.get(nameKey(name))?.channelId
    return id === undefined ? undefined : state.channels.get(id)
  }
  const namesOf = (channelId: number) => ownNames(state, channelId).map((name) => name.key)

  return {
    async removeChannel(name, reason, at) {
      const channel = channelOf(name)
      const names = channel ? namesOf(channel.id) : []
      const platformId = channel?.platformId ?? null
      registerNames(state, [nameKey(name), ...names], { platformId, reason, removedAt: at })
      forgetCandidate(state, nameKey(name))
      return { posts: channel ? removeChannel(state, channel.id, at) : 0 }
    },
    async removePost(name, number, reason, at) {
      const channel = channelOf(name)
      const removal = {
        name: nameKey(channel?.username ?? name),
        platformId: channel?.platformId ?? null,
        number,
        reason,
        removedAt: at,
      }
      if (!channel) {
        register(state, { ...removal, members: [] })
        return { posts: 0 }
      }
      const own = state.posts.get(refKey(channel.id, number))
      const anchor = own ? number : (state.members.get(refKey(channel.id, number)) ?? number)
      const album = state.posts.get(refKey(channel.id, anchor))?.post
      register(state, { ...removal, members: album?.albumNumbers ?? [] })
      const isErased = erasePost(state, channel.id, anchor, at)
      if (isErased) state.removed++
      refreshPace(state, channel.id, at)
      return { posts: isErased ? 1 : 0 }
    },
    resume: () => Promise.resolve(),
    async undo(name, number) {
      const key = nameKey(name)
      const entry = state.removals.find((old) => old.name === key && old.number === number)
      if (!entry) return false
      state.removals = state.removals.filter((old) => {
        const isSameId = entry.platformId !== null && old.platformId === entry.platformId
        return old.number !== number || (old.name !== key && !isSameId)
      })
      return true
    },
    async find(channel) {
      return findRemoval(state, channel)
    },
    async findPost(name, number) {
      const channel = channelOf(name)
      const names = [nameKey(name), ...(channel ? namesOf(channel.id) : [])]
      const entries = postEntries(state, names, channel?.platformId ?? null)
      const entry = entries.find((old) => numbersOf(old).includes(number))
      return entry && publicEntry(entry)
    },
    async list() {
      return sorted(state.removals).map(publicEntry)
    },
  }
}
