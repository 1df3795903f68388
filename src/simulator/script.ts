import { type Draft, EMPTY_DRAFT } from './draft.ts'
import type { Access, SimChannel } from './population.ts'
import { hash32 } from './random.ts'
import type { Neighbours } from './relations.ts'
import { languageText } from './texts/languages.ts'
import type { Slot } from './timeline.ts'

interface ScriptedChannel {
  readonly username: string
  readonly title?: string
  readonly description?: string
  readonly subscribers?: number
  readonly language?: string
  readonly createdAt?: number
  readonly platformId?: number
  readonly verified?: boolean
  readonly firstNumber?: number
}

/** What tests do explicitly. Every change takes effect at its `at` and is invisible before. */
export interface Script {
  /** A channel that posts only what is published here. */
  addChannel(options: ScriptedChannel): SimChannel
  /** Publishes in a scripted channel and returns the post's number; several media make an album. */
  publish(channel: SimChannel, at: number, draft: Partial<Draft>): number
  /** Changes a post of a scripted channel. */
  edit(channel: SimChannel, number: number, at: number, change: Partial<Draft>): void
  /** Deletes a post of any channel; an album is deleted as a whole. */
  remove(channel: SimChannel, number: number, at: number): void
  /** Leaves numbers of a scripted channel unused. */
  skip(channel: SimChannel, count: number): void
  /** Gives a channel other names; the old ones then belong to nobody. */
  rename(channel: SimChannel, at: number, usernames: readonly string[]): void
  setAccess(channel: SimChannel, at: number, access: Access): void
}

interface Registry {
  readonly channels: SimChannel[]
  addName(name: string, channel: SimChannel): void
}

export function createScript(world: Neighbours, registry: Registry): Script {
  const slotOf = (channel: SimChannel, number: number, at: number): Slot => {
    const timeline = world.timeline(channel)
    timeline.countUntil(at)
    const slot = timeline.slots.find(
      (each) => number >= each.number && number < each.number + each.size,
    )
    if (!slot) throw new Error(`the simulated channel has no post ${number}`)
    return slot
  }
  return {
    addChannel(options) {
      const index = registry.channels.length
      const channel: SimChannel = {
        kind: 'channel',
        index,
        platformId:
          options.platformId ?? 1_000_000_000 + (hash32(world.seed, 2, index) % 3_200_000_000),
        language: languageText(options.language ?? 'en'),
        topic: 'news',
        createdAt: options.createdAt ?? 0,
        postsPerDay: 0,
        zone: 0,
        subscribers: options.subscribers ?? 1000,
        growthPerDay: 0,
        verified: options.verified ?? false,
        hasAvatar: true,
        signed: false,
        reactive: false,
        title: options.title ?? options.username,
        description: options.description ?? '',
        firstNumber: options.firstNumber ?? 1,
        showcase: false,
        scripted: true,
        usernames: [{ from: 0, value: [options.username] }],
        access: [{ from: 0, value: { state: 'open' } }],
      }
      registry.channels.push(channel)
      registry.addName(options.username, channel)
      return channel
    },
    publish(channel, at, draft) {
      if (!channel.scripted) throw new Error('only scripted channels can be published on by hand')
      const size = Math.max(1, draft.media?.length ?? 1)
      return world.timeline(channel).publish(at, { ...EMPTY_DRAFT, ...draft }, size).number
    },
    edit(channel, number, at, change) {
      const slot = slotOf(channel, number, at)
      if (!slot.script) throw new Error('only posts of scripted channels can be edited by hand')
      slot.script.push({ ...(slot.script.at(-1) as Draft), ...change })
      slot.editedAt = [...slot.editedAt, at]
    },
    remove(channel, number, at) {
      slotOf(channel, number, at).deletedAt = at
    },
    skip: (channel, count) => world.timeline(channel).skip(count),
    rename(channel, at, usernames) {
      channel.usernames.push({ from: at, value: usernames })
      for (const name of usernames) registry.addName(name, channel)
    },
    setAccess(channel, at, access) {
      channel.access.push({ from: at, value: access })
    },
  }
}
