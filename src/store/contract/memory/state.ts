import { nameKey } from '../../../model/channel-name.ts'
import type { Channel } from '../../../model/channel.ts'
import type { Edit } from '../../../model/edit.ts'
import type { ArchivedPost, PostVersion } from '../../../model/post.ts'
import { NOBODY, strongerKind, type Change, type RebuildState } from '../../changes.ts'
import type { PostEvent } from '../../events.ts'
import { newSchedule, type Gap, type Schedule } from '../../frontier.ts'
import type {
  ChannelRow,
  ErasureRow,
  GrowthRow,
  NameRow,
  PostRow,
  RemovalRow,
  ScheduleRow,
} from '../../plan/rows.ts'
import { isCounted } from '../../post-rules.ts'
import { createPictureState, type PictureState } from './picture-state.ts'

/**
 * Everything is in maps, and whatever can be counted is counted again at each call: slow but obvious, the specification
 * that the other adapters are tested against.
 */
export interface MemoryState {
  readonly channels: Map<number, ChannelRow>
  readonly names: Map<string, NameRow>
  readonly posts: Map<string, KeptPost>
  /** Album members other than the post's own number, and the post they belong to. */
  readonly members: Map<string, number>
  readonly schedules: Map<number, KeptSchedule>
  gaps: KeptGap[]
  readonly consumers: Map<string, KeptConsumer>
  removals: RemovalRow[]
  erasures: ErasureRow[]
  /** How many removals erased something. */
  removed: number
  /** The time of each sighting, by source, name and kind. */
  readonly sightings: Map<string, number>
  readonly candidates: Map<string, KeptCandidate>
  events: PostEvent[]
  /** By channel and day. */
  readonly growth: Map<number, Map<number, GrowthRow>>
  readonly pictures: PictureState
  lastId: number
  lastChannelId: number
}

export type KeptPost = { -readonly [K in keyof PostRow]: PostRow[K] } & {
  versions: KeptVersion[]
  edits: Edit[]
  /** Hashes of the terms; null until the post is analysed. */
  terms: ReadonlySet<number> | null
}

/** A version without the reference to its post. */
export type KeptVersion = PostVersion & { readonly revision: number }

export interface KeptSchedule {
  schedule: Schedule
  /** Demand added since the last lease. */
  fresh: number
  /** The earliest time that `makeDue` asked for since the last lease. */
  madeDueAt: number
  owner: string | null
  token: number
  until: number
}

export type KeptGap = Gap & { leaseToken: number | null }

export interface KeptConsumer {
  seenAt: number
  rebuild: RebuildState
  readonly changes: Map<string, KeptChange>
}

export interface KeptChange {
  readonly seq: number
  readonly channelId: number
  readonly number: number
  kind: Change['kind']
  at: number
  claim: string | null
  claimedUntil: number
  /** Whether it changed again since it was claimed. */
  isMoved: boolean
}

interface KeptCandidate {
  readonly name: string
  gain: number
  sources: number
  decidedUntil: number
}

export function createState(): MemoryState {
  return {
    channels: new Map(),
    names: new Map(),
    posts: new Map(),
    members: new Map(),
    schedules: new Map(),
    gaps: [],
    consumers: new Map([[NOBODY, { seenAt: 0, rebuild: 'none', changes: new Map() }]]),
    removals: [],
    erasures: [],
    removed: 0,
    sightings: new Map(),
    candidates: new Map(),
    events: [],
    growth: new Map(),
    pictures: createPictureState(),
    lastId: 0,
    lastChannelId: 0,
  }
}

export function nextId(state: MemoryState): number {
  return ++state.lastId
}

export function firstSchedule(at: number): KeptSchedule {
  return {
    schedule: newSchedule(at),
    fresh: 0,
    madeDueAt: Infinity,
    owner: null,
    token: 0,
    until: 0,
  }
}

export function scheduleRow(state: MemoryState, channelId: number): ScheduleRow | undefined {
  const kept = state.schedules.get(channelId)
  if (!kept) return undefined
  const { schedule, fresh: freshDemand, madeDueAt, ...lease } = kept
  const madeDue = madeDueAt === Infinity ? null : madeDueAt
  return { ...schedule, channelId, freshDemand, madeDueAt: madeDue, ...lease }
}

export function refKey(channelId: number, number: number): string {
  return `${channelId}/${number}`
}

export function keptPosts(state: MemoryState, channelId?: number): KeptPost[] {
  return [...state.posts.values()]
    .filter(({ post }) => channelId === undefined || post.channelId === channelId)
    .toSorted((a, b) => a.post.channelId - b.post.channelId || a.post.number - b.post.number)
}

export function countedPosts(state: MemoryState, channelId?: number): ArchivedPost[] {
  return keptPosts(state, channelId)
    .map((kept) => kept.post)
    .filter(isCounted)
}

export function ownNames(state: MemoryState, channelId: number): (NameRow & { key: string })[] {
  return [...state.names]
    .filter(([, kept]) => kept.channelId === channelId)
    .map(([key, kept]) => ({ key, ...kept }))
    .toSorted((a, b) => a.learntAt - b.learntAt || (a.key < b.key ? -1 : 1))
}

export function mark(
  state: MemoryState,
  kind: KeptChange['kind'],
  ref: { readonly channelId: number; readonly number: number; readonly at: number },
  isMoved: (waiting: KeptChange) => boolean = () => true,
): void {
  const key = refKey(ref.channelId, ref.number)
  for (const { changes } of state.consumers.values()) {
    const waiting = changes.get(key)
    if (waiting) {
      if (!isMoved(waiting)) continue
      waiting.kind = strongerKind(waiting.kind, kind)
      waiting.isMoved = true
    } else {
      const fresh = { claim: null, claimedUntil: 0, isMoved: false }
      changes.set(key, { ...ref, kind, seq: nextId(state), ...fresh })
    }
  }
}

/** Drops the changes of a channel that is erased: all that is still to be told is that it is gone. */
export function forgetChanges(state: MemoryState, channelId: number): void {
  for (const { changes } of state.consumers.values()) {
    for (const [key, change] of changes) if (change.channelId === channelId) changes.delete(key)
  }
}

export function viewChannel(state: MemoryState, kept: ChannelRow): Channel {
  const { id, postsPerDay: _pace, ...fields } = kept
  const posts = countedPosts(state, id)
  const missing = state.gaps.filter((gap) => gap.channelId === id && gap.kind !== 'refresh')
  const top = Math.max(0, ...missing.map((gap) => gap.before))
  const schedule = state.schedules.get(id)?.schedule
  const from = Math.max(top, schedule?.walkedTo ?? Infinity)
  const whole = keptPosts(state, id).find(({ post }) => post.number >= from)
  const aliases = ownNames(state, id).filter((name) => name.key !== nameKey(kept.username))
  return {
    ...fields,
    id,
    aliases: aliases.map((alias) => alias.name),
    languages: sharesOf(posts),
    nextVisitAt: schedule?.nextVisitAt ?? null,
    archiveFrom: whole?.post.publishedAt ?? null,
    archiveComplete: schedule?.walkedTo === 1 && missing.length === 0,
    posts: posts.length,
    ...boundsOf(posts),
  }
}

export function boundsOf(posts: readonly ArchivedPost[]) {
  const published = posts.map((post) => post.publishedAt)
  return {
    firstPostAt: posts.length === 0 ? null : Math.min(...published),
    lastPostAt: posts.length === 0 ? null : Math.max(...published),
  }
}

function sharesOf(posts: readonly ArchivedPost[]): Channel['languages'] {
  const counts = tally(posts.flatMap((post) => post.language ?? []))
  const spoken = counts.reduce((sum, { count }) => sum + count, 0)
  return counts.map(({ value, count }) => ({ code: value, share: count / spoken }))
}

/** Counts equal values: highest count first, ties by name. */
export function tally(values: Iterable<string>): { value: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
}
