import type { Forward } from '../model/post.ts'
import type { Draft } from './draft.ts'
import { pictureUrl } from './media.ts'
import { aside, body, name, sentence, type Voice } from './phrases.ts'
import type { SimChannel } from './population.ts'
import { hash32 } from './random.ts'
import { isQuotable } from './shapes.ts'
import type { Slot, Timeline } from './timeline.ts'

/** What a post may know about the world around its channel. */
export interface Neighbours {
  readonly seed: number
  readonly channels: readonly SimChannel[]
  readonly userNames: readonly string[]
  readonly botNames: readonly string[]
  timeline(channel: SimChannel): Timeline
  /** A post of another channel as first written. */
  draft(channel: SimChannel, slot: Slot): Draft
  titleAt(channel: SimChannel, at: number): string
  nameOf(channel: SimChannel | null): string | null
}

/** How many posts back a forward or a reply looks for a post with words. */
const REACH = 60

/** A recent post with words of its own; it never refers to another post, so references do not chain. */
function spokenBefore(
  world: Neighbours,
  channel: SimChannel,
  at: number,
  salt: number,
): Slot | null {
  const timeline = world.timeline(channel)
  const count = timeline.countUntil(at - 1000)
  const back = hash32(salt) % REACH
  for (let i = count - 1 - back; i >= 0 && i > count - 1 - back - REACH; i--) {
    const slot = timeline.slots[i] as Slot
    if (isQuotable(slot.shape) && slot.deletedAt > at) return slot
  }
  return null
}

/** How many other channels a channel reads; the well-known ones are read by many. */
const FRIENDS = 8

interface Heard {
  readonly friend: SimChannel
  readonly username: string
  readonly original: Slot
}

/** A recent post of one of the channels that this one reads; null when none of them has a post with words. */
function heard(world: Neighbours, channel: SimChannel, slot: Slot, voice: Voice): Heard | null {
  const first = voice.random.int(FRIENDS)
  for (let i = 0; i < FRIENDS; i++) {
    const draw = hash32(world.seed, 10, channel.index, (first + i) % FRIENDS) / 0x1_0000_0000
    const friend = world.channels[Math.floor(world.channels.length * draw ** 2)]
    if (!friend || friend === channel || friend.scripted) continue
    const original = spokenBefore(world, friend, slot.at, slot.index)
    const username = world.nameOf(friend)
    if (original && username) return { friend, username, original }
  }
  return null
}

export function forwardDraft(
  world: Neighbours,
  channel: SimChannel,
  slot: Slot,
  voice: Voice,
): Partial<Draft> {
  const found = heard(world, channel, slot, voice)
  if (!found) return { text: body(voice) }
  const { friend, username, original } = found
  const draft = world.draft(friend, original)
  return {
    text: draft.text,
    entities: draft.entities,
    media: draft.media,
    linkPreview: draft.linkPreview,
    extras: draft.extras,
    forwardedFrom: {
      name: world.titleAt(friend, original.at),
      username,
      postUrl: `https://t.me/${username}/${original.number}`,
      author: draft.author,
    },
  }
}

export function forwardedByPerson(
  world: Neighbours,
  shape: 'forward_user' | 'forward_hidden',
  voice: Voice,
): Forward {
  const username = shape === 'forward_user' ? voice.random.pick(world.userNames) : null
  return { name: name(voice), username, postUrl: null, author: null }
}

/** The same words under another name, half of the time with a line added. */
export function repostDraft(
  world: Neighbours,
  channel: SimChannel,
  slot: Slot,
  voice: Voice,
): Partial<Draft> {
  const found = heard(world, channel, slot, voice)
  const text = found ? world.draft(found.friend, found.original).text : ''
  if (text === '') return { text: body(voice) }
  return { text: voice.random.chance(0.5) ? `${text}\n\n${aside(voice)}` : text }
}

function ownWords(world: Neighbours, channel: SimChannel, slot: Slot): Heard | null {
  const original = spokenBefore(world, channel, slot.at, slot.index)
  const username = world.nameOf(channel)
  return original && username ? { friend: channel, username, original } : null
}

export function replyOf(
  world: Neighbours,
  channel: SimChannel,
  slot: Slot,
  voice: Voice,
): Partial<Draft> {
  const found =
    slot.shape === 'reply_elsewhere'
      ? heard(world, channel, slot, voice)
      : ownWords(world, channel, slot)
  if (!found) return {}
  const { friend: other, username, original: target } = found
  const draft = world.draft(other, target)
  const isMeta = slot.shape === 'reply_media' || draft.text === ''
  const words = draft.text.replace(/\s+/g, ' ').slice(0, 90).trim()
  // Now and then the reply goes to a channel without a name.
  const isPrivate = slot.shape === 'reply_elsewhere' && voice.random.chance(0.3)
  const url = isPrivate ? `https://t.me/c/${other.platformId}` : `https://t.me/${username}`
  const media = ['Photo', 'Video', 'Voice message', 'Poll']
  return {
    replyTo: {
      url: `${url}/${target.number}`,
      author: world.titleAt(other, slot.at),
      text: isMeta ? voice.random.pick(media) : words || sentence(voice),
    },
    extras: {
      replyMeta: isMeta,
      replyQuote: slot.shape === 'quote_reply',
      ...(isMeta ? { replyThumbUrl: pictureUrl(voice.random.bits(), slot.at) } : {}),
    },
  }
}
