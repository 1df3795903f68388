import type { LinkPreview, Poll, Post, Reaction } from '../model/post.ts'
import { draftAt } from './content.ts'
import { shownCount } from './counters.ts'
import type { Draft } from './draft.ts'
import { mediaAt, pictureUrl } from './media.ts'
import type { SimChannel } from './population.ts'
import { hash32 } from './random.ts'
import type { Neighbours } from './relations.ts'
import type { ShownPost } from './shown-post.ts'
import type { Slot } from './timeline.ts'

/** The post in a slot as it is shown at a given time: its edits, its counters, the addresses of its files. */
export function postAt(world: Neighbours, channel: SimChannel, slot: Slot, at: number): ShownPost {
  const draft = draftAt(world, channel, slot, at)
  const viewers = viewersAt(world.seed, channel, slot, at)
  const isAlbum = slot.size > 1
  const post: Post = {
    number: slot.number,
    kind: draft.kind,
    publishedAt: slot.at,
    edited: (slot.editedAt[0] ?? Infinity) <= at,
    text: draft.text,
    entities: draft.entities,
    media: draft.media.map((spec, i) =>
      mediaAt(spec, { number: isAlbum ? slot.number + i : null, at }),
    ),
    poll: draft.poll && pollAt(draft.poll, viewers, at),
    linkPreview: draft.linkPreview && previewAt(draft.linkPreview, at),
    buttons: draft.buttons,
    author: draft.author,
    viaBot: draft.viaBot,
    forwardedFrom: draft.forwardedFrom,
    replyTo: draft.replyTo,
    albumNumbers: isAlbum ? Array.from({ length: slot.size }, (_, i) => slot.number + i) : [],
    views: draft.kind === 'service' ? null : shownCount(viewers, at),
    reactions: reactionsAt(draft, viewers, at),
    orphan: draft.orphan,
  }
  return { post, draft }
}

/** The exact number of views behind the rounded one on the page. Views come fast at first and then ever slower. */
export function viewersAt(seed: number, channel: SimChannel, slot: Slot, at: number): number {
  const liking = hash32(seed, 11, channel.index, slot.index) / 0x1_0000_0000
  const audience = channel.subscribers * (0.05 + 0.6 * liking ** 2)
  const hours = Math.max(0, at - slot.at) / 3_600_000
  return 1 + Math.floor(audience * (1 - Math.exp(-hours / 8)))
}

function pollAt(spec: NonNullable<Draft['poll']>, viewers: number, at: number): Poll {
  const { question, type, options, share } = spec
  return { question, type, options, voters: shownCount(Math.floor(viewers * share), at) }
}

function previewAt(spec: NonNullable<Draft['linkPreview']>, at: number): LinkPreview {
  const { imageKey, ...rest } = spec
  return { ...rest, imageUrl: imageKey === null ? null : pictureUrl(imageKey, at) }
}

function reactionsAt(draft: Draft, viewers: number, at: number): Reaction[] {
  const out: Reaction[] = []
  for (const { emoji, customId, paid, share } of draft.reactions) {
    const count = Math.floor(viewers * share)
    if (count === 0) continue
    out.push({
      emoji: emoji ?? null,
      customId: customId ?? null,
      paid: paid ?? false,
      count: shownCount(count, at),
    })
  }
  return out
}
