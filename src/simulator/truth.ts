import type { ChannelProfile } from '../model/channel.ts'
import type { Post } from '../model/post.ts'
import type { Ground } from './ground.ts'
import { postAt, viewersAt } from './post-at.ts'
import { type Access, type SimChannel, valueAt } from './population.ts'
import type { ShownPost } from './shown-post.ts'
import type { Shape } from './shapes.ts'
import type { Slot } from './timeline.ts'

interface ChannelTruth extends ChannelProfile {
  readonly platformId: number
  readonly usernames: readonly string[]
  readonly access: Access['state']
  readonly exactSubscribers: number
  readonly language: string
  readonly createdAt: number
  readonly postsPerDay: number
}

interface FileCounts {
  photos: number
  videos: number
  files: number
  links: number
}

/** The ground truth of a world. Names are resolved as of `at`; an unknown name gives undefined or an empty list. */
export interface Truth {
  channelsAt(at: number): ChannelTruth[]
  channelAt(name: string, at: number): ChannelTruth | undefined
  /** Names under which a channel can be read at `at`, one for each channel. */
  readableNames(at: number): string[]
  /** Every post that the channel shows at `at`, ascending, as a perfect reader would read it. */
  postsAt(name: string, at: number): Post[]
  /** The post with a number, which may be that of an album's member. */
  post(name: string, number: number, at: number): Post | undefined
  /** Every number that exists at `at`, ascending, including album members. */
  numbersAt(name: string, at: number): number[]
  /** Whether the channel had used a number by `at`, and since when the post is gone. */
  historyOf(name: string, number: number, at: number): PostHistory | undefined
  /** Views before rounding. */
  exactViews(name: string, number: number, at: number): number | undefined
  /** Posts published from `from` (exclusive) to `to` (inclusive) over all channels, by channel. */
  publishedBetween(from: number, to: number): { channel: SimChannel; slot: Slot }[]
  slotsAt(channel: SimChannel, at: number): Slot[]
  slotOf(channel: SimChannel, number: number, at: number): Slot | undefined
  shownAt(channel: SimChannel, slot: Slot, at: number): ShownPost
  fileCounts(channel: SimChannel, at: number): Readonly<FileCounts>
}

interface PostHistory {
  readonly publishedAt: number
  readonly deletedAt: number | null
  readonly editedAt: readonly number[]
  readonly shape: Shape
}

export function createTruth(world: Ground): Truth {
  const counted = new WeakMap<SimChannel, { upTo: number; counts: FileCounts }>()
  const channelOf = (name: string, at: number): SimChannel | undefined => {
    const named = world.resolve(name, at)
    return named?.kind === 'channel' ? named : undefined
  }
  const find = (channel: SimChannel, number: number, at: number): Slot | undefined => {
    const timeline = world.timeline(channel)
    let low = 0
    let high = timeline.countUntil(at) - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const slot = timeline.slots[middle] as Slot
      if (number < slot.number) high = middle - 1
      else if (number >= slot.number + slot.size) low = middle + 1
      else return slot
    }
    return undefined
  }
  const truth: Truth = {
    channelsAt: (at) =>
      world.channels
        .filter((channel) => channel.createdAt <= at)
        .map((channel) => describe(world, channel, at)),
    channelAt(name, at) {
      const channel = channelOf(name, at)
      return channel && describe(world, channel, at)
    },
    readableNames: (at) =>
      world.channels
        .filter(
          (channel) => channel.createdAt <= at && valueAt(channel.access, at).state === 'open',
        )
        .map((channel) => world.usernameAt(channel, at)),
    postsAt(name, at) {
      const channel = channelOf(name, at)
      if (!channel) return []
      return truth.slotsAt(channel, at).map((slot) => postAt(world, channel, slot, at).post)
    },
    post(name, number, at) {
      const channel = channelOf(name, at)
      const slot = channel && truth.slotOf(channel, number, at)
      return slot && postAt(world, channel, slot, at).post
    },
    numbersAt(name, at) {
      const channel = channelOf(name, at)
      if (!channel) return []
      return truth.slotsAt(channel, at).flatMap(numbersOf)
    },
    historyOf(name, number, at) {
      const channel = channelOf(name, at)
      const slot = channel && find(channel, number, at)
      if (!slot) return undefined
      return {
        publishedAt: slot.at,
        deletedAt: slot.deletedAt <= at ? slot.deletedAt : null,
        editedAt: slot.editedAt.filter((editedAt) => editedAt <= at),
        shape: slot.shape,
      }
    },
    exactViews(name, number, at) {
      const channel = channelOf(name, at)
      const slot = channel && truth.slotOf(channel, number, at)
      return slot && viewersAt(world.seed, channel, slot, at)
    },
    publishedBetween(from, to) {
      const out: { channel: SimChannel; slot: Slot }[] = []
      for (const channel of world.channels) {
        const timeline = world.timeline(channel)
        const end = timeline.countUntil(to)
        for (let i = timeline.countUntil(from); i < end; i++) {
          out.push({ channel, slot: timeline.slots[i] as Slot })
        }
      }
      return out
    },
    slotsAt(channel, at) {
      const timeline = world.timeline(channel)
      return timeline.slots.slice(0, timeline.countUntil(at)).filter((slot) => slot.deletedAt > at)
    },
    slotOf(channel, number, at) {
      const slot = find(channel, number, at)
      return slot && slot.deletedAt > at ? slot : undefined
    },
    shownAt: (channel, slot, at) => postAt(world, channel, slot, at),
    fileCounts(channel, at) {
      const timeline = world.timeline(channel)
      const upTo = timeline.countUntil(at)
      let known = counted.get(channel)
      if (!known || known.upTo > upTo) {
        known = { upTo: 0, counts: { photos: 0, videos: 0, files: 0, links: 0 } }
        counted.set(channel, known)
      }
      for (; known.upTo < upTo; known.upTo++) {
        countFiles(timeline.slots[known.upTo] as Slot, known.counts)
      }
      return known.counts
    },
  }
  return truth
}

export function numbersOf(slot: Slot): number[] {
  return Array.from({ length: slot.size }, (_, i) => slot.number + i)
}

function describe(world: Ground, channel: SimChannel, at: number): ChannelTruth {
  return {
    ...world.profileAt(channel, at),
    platformId: channel.platformId,
    usernames: valueAt(channel.usernames, at),
    access: valueAt(channel.access, at).state,
    exactSubscribers: world.subscribersAt(channel, at),
    language: channel.language.code,
    createdAt: channel.createdAt,
    postsPerDay: channel.postsPerDay,
  }
}

function countFiles({ shape, size }: Slot, counts: FileCounts): void {
  if (shape === 'photo' || shape === 'album') counts.photos += size
  else if (shape === 'video' || shape === 'big_video' || shape === 'round') counts.videos += size
  else if (shape === 'document' || shape === 'document_album') counts.files += size
  else if (shape === 'links' || shape === 'preview') counts.links += size
  else if (shape === 'mixed_album') {
    counts.photos += Math.ceil(size / 2)
    counts.videos += Math.floor(size / 2)
  }
}
