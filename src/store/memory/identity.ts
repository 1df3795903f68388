import { nameKey } from '../../model/channel-name.ts'
import type { ChannelProfile } from '../../model/channel.ts'
import type { Reading } from '../archive.ts'
import { NAME_TAKEN, isMeant as isMeantBy } from '../channel-rules.ts'
import { findRemoval, registerNames, removalOf } from './register.ts'
import {
  firstSchedule,
  forgetChanges,
  keptPosts,
  markChannel,
  ownNames,
  refKey,
  type KeptChannel,
  type KeptPost,
  type MemoryState,
} from './state.ts'

/** Posts of a channel that turned out to be another, its heir. */
export interface Legacy {
  readonly heir: number
  readonly posts: readonly KeptPost[]
}

export interface Identity {
  readonly channelId: number | undefined
  readonly left: readonly Legacy[]
}

/** See the same function of the SQLite adapter for the rules; here is what they come to. */
export function claimIdentity(state: MemoryState, reading: Reading): Identity {
  const left: Legacy[] = []
  const asked = state.channels.get(reading.channelId)
  if (!asked) return { channelId: undefined, left }
  const { profile, at } = reading
  const removal =
    removalOf(state, asked) ??
    (profile && findRemoval(state, { name: profile.username, platformId: profile.platformId }))
  if (removal) {
    const platformId = removal.platformId ?? profile?.platformId ?? asked.platformId
    const shown = profile ? [nameKey(profile.username)] : []
    registerNames(state, shown, { ...removal, platformId })
    const isMeant = (id: number | null) => id !== null && id === platformId
    for (const channel of state.channels.values()) {
      if (channel !== asked && !isMeant(channel.platformId)) continue
      if (!isMeantBy({ platformId }, channel)) {
        state.names.delete(nameKey(channel.username))
        fallBack(state, channel, at)
        continue
      }
      const names = ownNames(state, channel.id).map((name) => name.key)
      registerNames(state, names, { ...removal, platformId })
      removeChannel(state, channel.id, at)
    }
    return { channelId: undefined, left }
  }
  if (!profile) return { channelId: asked.id, left }
  const target = bearerOf(state, asked, profile, { at, left })
  takeName(state, target, profile.username, { at, left })
  return { channelId: target.id, left }
}

interface Occasion {
  readonly at: number
  readonly left: Legacy[]
}

function bearerOf(
  state: MemoryState,
  asked: KeptChannel,
  profile: ChannelProfile,
  occasion: Occasion,
): KeptChannel {
  const { platformId } = profile
  if (platformId === null || platformId === asked.platformId) return asked
  const known = [...state.channels.values()].find((channel) => channel.platformId === platformId)
  if (asked.platformId === null) {
    if (!known) {
      asked.platformId = platformId
      return asked
    }
    absorb(state, asked, known, occasion)
    return known
  }
  const { at } = occasion
  const target = known ?? addChannel(state, { ...profile, status: 'active', addedAt: at })
  takeName(state, target, asked.username, occasion)
  if (!state.schedules.has(target.id)) {
    state.schedules.set(target.id, firstSchedule(at))
  }
  return target
}

function takeName(
  state: MemoryState,
  channel: KeptChannel,
  name: string,
  occasion: Occasion,
): void {
  const { at } = occasion
  const key = nameKey(name)
  const holderId = state.names.get(key)?.channelId
  giveName(state, channel.id, name, at)
  if (channel.username !== name) {
    channel.username = name
    markChannel(state, channel.id, at)
  }
  const holder = holderId === undefined ? undefined : state.channels.get(holderId)
  if (!holder || holder === channel) return
  if (nameKey(holder.username) !== key) markChannel(state, holder.id, at)
  else if (holder.platformId === null) absorb(state, holder, channel, occasion)
  else fallBack(state, holder, at)
}

function fallBack(state: MemoryState, channel: KeptChannel, at: number): void {
  const other = ownNames(state, channel.id).at(-1)
  if (other) {
    channel.username = other.name
  } else {
    channel.status = 'gone'
    channel.reason = NAME_TAKEN
    state.schedules.delete(channel.id)
    state.gaps = state.gaps.filter((gap) => gap.channelId !== channel.id)
  }
  markChannel(state, channel.id, at)
}

function absorb(
  state: MemoryState,
  twin: KeptChannel,
  into: KeptChannel,
  { at, left }: Occasion,
): void {
  left.push({ heir: into.id, posts: keptPosts(state, twin.id) })
  for (const { name } of ownNames(state, twin.id)) giveName(state, into.id, name, at)
  const schedule = state.schedules.get(twin.id)
  if (schedule && !state.schedules.has(into.id)) {
    state.schedules.set(into.id, schedule)
    for (const gap of state.gaps) {
      if (gap.channelId === twin.id) Object.assign(gap, { channelId: into.id })
    }
  }
  eraseChannel(state, twin.id, at)
  markChannel(state, into.id, at)
}

export function addChannel(
  state: MemoryState,
  fields: Omit<KeptChannel, 'id' | 'reason' | 'lastVisitedAt' | 'reachedStart' | 'postsPerDay'>,
): KeptChannel {
  const { username, platformId, title, description, avatarUrl, verified, subscribers } = fields
  const id = ++state.lastChannelId
  const channel: KeptChannel = {
    id,
    username,
    platformId,
    title,
    description,
    avatarUrl,
    verified,
    subscribers,
    counters: fields.counters,
    status: fields.status,
    reason: null,
    addedAt: fields.addedAt,
    lastVisitedAt: null,
    reachedStart: false,
    postsPerDay: 0,
  }
  state.channels.set(id, channel)
  return channel
}

export function giveName(state: MemoryState, channelId: number, name: string, at: number): void {
  const key = nameKey(name)
  const held = state.names.get(key)
  const learntAt = held?.channelId === channelId ? held.learntAt : at
  state.names.set(key, { name, channelId, learntAt })
}

/** Erases a channel at somebody's wish; how many posts it had. */
export function removeChannel(state: MemoryState, channelId: number, at: number): number {
  const posts = eraseChannel(state, channelId, at)
  if (posts > 0) state.removed++
  return posts
}

function eraseChannel(state: MemoryState, channelId: number, at: number): number {
  const posts = keptPosts(state, channelId)
  for (const { post } of posts) state.posts.delete(refKey(channelId, post.number))
  const isOf = (key: string) => key.startsWith(`${channelId}/`)
  for (const key of [...state.members.keys()].filter(isOf)) state.members.delete(key)
  for (const key of [...state.sightings.keys()].filter(isOf)) state.sightings.delete(key)
  for (const { key } of ownNames(state, channelId)) state.names.delete(key)
  forgetChanges(state, channelId)
  state.channels.delete(channelId)
  state.schedules.delete(channelId)
  state.gaps = state.gaps.filter((gap) => gap.channelId !== channelId)
  markChannel(state, channelId, at)
  return posts.length
}
