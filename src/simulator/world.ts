import { nameKey } from '../model/channel-name.ts'
import { DAY_MS } from '../model/time.ts'
import { draftOf } from './content.ts'
import { shownCount } from './counters.ts'
import type { Ground, Named } from './ground.ts'
import { lexiconOf } from './lexicon.ts'
import { pictureUrl } from './media.ts'
import {
  channelAt,
  peerAt,
  type SimChannel,
  type SimPeer,
  usernameMaker,
  valueAt,
} from './population.ts'
import { hash32, randomOf, seedOf } from './random.ts'
import { createScript, type Script } from './script.ts'
import { type Slot, Timeline } from './timeline.ts'
import { createTruth, type Truth } from './truth.ts'
import { fill } from './texts/language-text.ts'

export interface WorldOptions {
  /** The same seed gives the same world, to the byte. */
  readonly seed: number | string
  readonly channels?: number
  /** Where the world's past ends and its present begins; later days are made when they are asked for. */
  readonly startAt?: number
  /** How many days of posts there are before `startAt`. */
  readonly days?: number
  /** Multiplies every channel's posting rate. */
  readonly activity?: number
  /** Languages of the channels; by default all that the simulator knows. */
  readonly languages?: readonly string[]
  /** Every channel exists from the start, keeps its name and stays open. */
  readonly steady?: boolean
  readonly groups?: number
  readonly users?: number
  readonly bots?: number
}

/** A platform with its whole past and future: a function of the seed and the time alone, apart from what `script` adds. */
export interface World extends Ground {
  /** What existed and when: the ground truth that a crawler is compared with. */
  readonly truth: Truth
  /** Posts, edits, deletions and renames made by hand. */
  readonly script: Script
}

/**
 * Names of the first channels, which always exist and are open. The last two belong to the platform: it never says that
 * nobody has them, so a reader that is told so takes itself for banned.
 */
const FIRST_NAMES = ['showcase', 'durov', 'telegram'] as const

export function createWorld(options: WorldOptions): World {
  const seed = seedOf(options.seed)
  const startAt = options.startAt ?? Date.UTC(2026, 8, 1, 12)
  const population = {
    seed,
    startAt,
    channels: options.channels ?? 50,
    days: options.days ?? 40,
    activity: options.activity ?? 1,
    languages: options.languages ?? null,
    steady: options.steady ?? false,
  }
  const nameFor = usernameMaker(seed)
  const channels: SimChannel[] = []
  for (let i = 0; i < population.channels; i++) {
    channels.push(channelAt(population, i, FIRST_NAMES[i] ?? nameFor(i)))
  }
  const peers = makePeers(options, seed, nameFor)
  const timelines = new Map<number, Timeline>()
  const names = new Map<string, Named[]>()
  const addName = (name: string, named: Named) => {
    const known = names.get(nameKey(name))
    if (!known) names.set(nameKey(name), [named])
    else if (!known.includes(named)) known.push(named)
  }
  for (const peer of peers) addName(peer.username, peer)
  for (const channel of channels) {
    for (const span of channel.usernames) for (const name of span.value) addName(name, channel)
  }

  const world: World = {
    seed,
    startAt,
    channels,
    peers,
    userNames: peers.filter(({ kind }) => kind === 'user').map(({ username }) => username),
    botNames: peers.filter(({ kind }) => kind === 'bot').map(({ username }) => username),
    timeline(channel) {
      let timeline = timelines.get(channel.index)
      if (!timeline) timelines.set(channel.index, (timeline = new Timeline(seed, channel)))
      return timeline
    },
    draft: (channel, slot) => draftOf(world, channel, slot),
    nameOf: (channel) =>
      channel && ((channel.usernames[0]?.value[0] as string | undefined) ?? null),
    titleAt(channel, at) {
      const timeline = world.timeline(channel)
      let changed: number | undefined
      for (const index of timeline.titleChanges) {
        if ((timeline.slots[index] as Slot).at > at) break
        changed = index
      }
      if (changed === undefined) return channel.title
      const random = randomOf(seed, 12, channel.index, changed)
      const { language } = channel
      return fill(language, random.pick(language.titles), random, (r) =>
        lexiconOf(language).name(r),
      )
    },
    resolve(name, at) {
      const candidates = names.get(nameKey(name)) ?? []
      return candidates.findLast((named) => isNamed(named, nameKey(name), at))
    },
    usernameAt: (channel, at) => valueAt(channel.usernames, at)[0] as string,
    subscribersAt(channel, at) {
      const days = Math.floor((at - startAt) / DAY_MS)
      const grown =
        channel.subscribers * (1 + channel.growthPerDay) ** Math.max(-1000, Math.min(1000, days))
      return Math.max(1, Math.floor(grown))
    },
    profileAt(channel, at) {
      const count = (value: number) => (value === 0 ? null : shownCount(value, at))
      const files = world.truth.fileCounts(channel, at)
      return {
        username: world.usernameAt(channel, at),
        platformId: channel.platformId,
        title: world.titleAt(channel, at),
        description: channel.description,
        avatarUrl: channel.hasAvatar ? pictureUrl(hash32(seed, 13, channel.index), at) : null,
        verified: channel.verified,
        subscribers: shownCount(world.subscribersAt(channel, at), at),
        counters: {
          photos: count(files.photos),
          videos: count(files.videos),
          files: count(files.files),
          links: count(files.links),
        },
      }
    },
    get truth() {
      return truth
    },
    get script() {
      return script
    },
  }
  const truth = createTruth(world)
  const script = createScript(world, { channels, addName })
  return world
}

function isNamed(named: Named, key: string, at: number): boolean {
  if (named.kind !== 'channel') return true
  if (at < named.createdAt) return false
  if (valueAt(named.access, at).state === 'deleted') return false
  return valueAt(named.usernames, at).some((name) => nameKey(name) === key)
}

function makePeers(
  options: WorldOptions,
  seed: number,
  nameFor: (salt: number) => string,
): SimPeer[] {
  const peers: SimPeer[] = []
  const add = (kind: SimPeer['kind'], count: number) => {
    for (let i = 0; i < count; i++) {
      const salt = 1_000_000 + peers.length
      peers.push(peerAt(seed, salt, kind, nameFor(salt)))
    }
  }
  add('group', options.groups ?? 5)
  add('user', options.users ?? 5)
  add('bot', options.bots ?? 3)
  return peers
}
