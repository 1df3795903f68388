import { type Draft, EMPTY_DRAFT, type MediaSpec, type ReactionSpec } from './draft.ts'
import { aside, body, name, opening, question, sentence, type Voice } from './phrases.ts'
import type { SimChannel } from './population.ts'
import { digits, type Random, randomOf } from './random.ts'
import {
  forwardDraft,
  forwardedByPerson,
  type Neighbours,
  replyOf,
  repostDraft,
} from './relations.ts'
import { serviceDraft } from './service-posts.ts'
import { isService } from './shapes.ts'
import { customEmoji, markedText } from './marked-text.ts'
import type { Slot } from './timeline.ts'

/** The post that a channel published in a slot, as first written. A function of the seed and the slot alone. */
export function draftOf(world: Neighbours, channel: SimChannel, slot: Slot): Draft {
  if (slot.script) return slot.script[0] as Draft
  const random = randomOf(world.seed, 8, channel.index, slot.index)
  const voice: Voice = { language: channel.language, topic: channel.topic, random }
  if (isService(slot.shape)) return serviceDraft(world, channel, slot, voice)
  const draft = { ...EMPTY_DRAFT, ...contentOf(world, channel, slot, voice) }
  return {
    ...draft,
    author: channel.signed ? random.pick(channel.language.people) : null,
    reactions: channel.reactive ? reactions(random) : [],
  }
}

/** The post as it was at a given time: edits add a line or replace the text. */
export function draftAt(world: Neighbours, channel: SimChannel, slot: Slot, at: number): Draft {
  const edits = slot.editedAt.filter((editedAt) => editedAt <= at).length
  if (slot.script) return slot.script[Math.min(edits, slot.script.length - 1)] as Draft
  const draft = draftOf(world, channel, slot)
  if (edits === 0) return draft
  const random = randomOf(world.seed, 9, channel.index, slot.index)
  const voice: Voice = { language: channel.language, topic: channel.topic, random }
  // Plain texts are sometimes rewritten; to others a line is added at the end, which leaves the entities where they are.
  const { captions: before } = draft.extras
  const isPlain = draft.entities.length === 0 && draft.text !== '' && !before && !draft.orphan
  const isAnew = isPlain && random.chance(0.4)
  let text = isAnew ? body(voice) : draft.text
  for (let i = isAnew ? 1 : 0; i < edits; i++) {
    text += `${text === '' ? '' : '\n\n'}UPD: ${sentence(voice)}`
  }
  if (!before) return { ...draft, text }
  const added = text.slice(draft.text.length)
  const after = [...before.slice(0, -1), `${before.at(-1)}${added}`]
  return { ...draft, text, extras: { ...draft.extras, captions: after } }
}

type Content = Partial<Draft>

function contentOf(world: Neighbours, channel: SimChannel, slot: Slot, voice: Voice): Content {
  const { random } = voice
  const key = () => random.bits()
  const media = (shape: MediaSpec['shape'], words: Partial<MediaSpec> = {}): Content => ({
    media: [{ shape, key: key(), ...words }],
  })
  const caption = (): Content => (random.chance(0.8) ? { text: body(voice) } : {})
  switch (slot.shape) {
    case 'photo':
    case 'video':
    case 'big_video':
    case 'gif':
      return { ...media(slot.shape), ...caption() }
    case 'round':
    case 'sticker':
    case 'animated_sticker':
    case 'video_sticker':
    case 'dice':
    case 'location':
      return media(slot.shape)
    case 'voice':
      return { ...media('voice'), ...(random.chance(0.3) ? { text: body(voice) } : {}) }
    case 'album':
    case 'mixed_album':
      return { media: album(slot, voice), ...(random.chance(0.1) ? customEmoji(voice) : caption()) }
    case 'document_album':
      return { media: album(slot, voice), ...(random.chance(0.5) ? captions(slot, voice) : {}) }
    case 'music':
      return media('music', { title: opening(voice), detail: name(voice) })
    case 'document':
      return { ...media('document', { title: fileName(voice) }), ...caption() }
    case 'venue':
      return media('venue', { title: name(voice), detail: opening(voice) })
    case 'contact':
      return media('contact', { title: name(voice), detail: `+${digits(random, 11)}` })
    case 'game':
      return media('game', { title: name(voice), detail: sentence(voice) })
    case 'invoice':
      return media('invoice', {
        title: opening(voice),
        detail: `${sentence(voice)} · US$${random.between(1, 99)}.00`,
      })
    case 'unsupported':
      return { ...media('unsupported'), ...(random.chance(0.5) ? { text: body(voice) } : {}) }
    case 'poll':
    case 'quiz':
      return { poll: poll(slot.shape, voice) }
    case 'orphan':
      // Short enough to fit into the head of the post's own page as a whole.
      return { orphan: true, text: `${sentence(voice)}\n\n${aside(voice)}` }
    case 'forward':
      return forwardDraft(world, channel, slot, voice)
    case 'forward_user':
    case 'forward_hidden':
      return { text: body(voice), forwardedFrom: forwardedByPerson(world, slot.shape, voice) }
    case 'repost':
      return repostDraft(world, channel, slot, voice)
    case 'reply':
    case 'reply_media':
    case 'reply_elsewhere':
    case 'quote_reply':
      return { text: body(voice), ...replyOf(world, channel, slot, voice) }
    case 'via_bot':
      return { text: body(voice), viaBot: random.pick(world.botNames) }
    case 'buttons':
      return { text: body(voice), buttons: buttons(voice) }
    default:
      return markedText(world, slot.shape, voice)
  }
}

function captions({ size }: Slot, voice: Voice): Content {
  const each = Array.from({ length: size }, () => sentence(voice))
  return { text: each.join('\n\n'), extras: { captions: each } }
}

function album(slot: Slot, voice: Voice): MediaSpec[] {
  return Array.from({ length: slot.size }, (_, i): MediaSpec => {
    const key = voice.random.bits()
    if (slot.shape === 'document_album') {
      return slot.index % 2 === 0
        ? { shape: 'document', key, title: fileName(voice) }
        : { shape: 'music', key, title: opening(voice), detail: name(voice) }
    }
    const isVideo = slot.shape === 'mixed_album' && i % 2 === 1
    return { shape: isVideo ? 'video' : 'photo', key }
  })
}

function fileName(voice: Voice): string {
  const ending = voice.random.pick(['pdf', 'docx', 'zip', 'epub', 'csv', 'apk'])
  return `${opening(voice).replace(/[\s/]+/g, '_')}.${ending}`
}

function poll(shape: 'poll' | 'quiz', voice: Voice): Draft['poll'] {
  const { random } = voice
  const weights = Array.from({ length: random.between(2, 6) }, () => random.next())
  const sum = weights.reduce((a, b) => a + b, 0)
  const isClosed = shape === 'poll' && random.chance(0.15)
  return {
    question: question(voice),
    type: shape === 'quiz' ? 'Anonymous Quiz' : isClosed ? 'Final Results' : 'Anonymous Poll',
    options: weights.map((weight) => ({
      text: opening(voice),
      percent: Math.round((weight / sum) * 100),
    })),
    share: 0.02 + 0.1 * random.next(),
  }
}

function buttons(voice: Voice): Draft['buttons'] {
  const { random } = voice
  return Array.from({ length: random.between(1, 3) }, () =>
    Array.from({ length: random.between(1, 2) }, () => ({
      text: opening(voice),
      url: random.pick([
        `https://example.org/go?a=1&b=${random.int(99)}`,
        'tg://resolve?domain=example',
        null,
      ]),
    })),
  )
}

const REACTIONS = ['👍', '❤', '🔥', '😁', '😢', '🎉', '🤔', '👏', '😱', '🤯', '💯', '🕊']

function reactions(random: Random): ReactionSpec[] {
  const out: ReactionSpec[] = []
  if (random.chance(0.1)) out.push({ paid: true, share: 0.01 })
  let share = 0.01 + 0.04 * random.next()
  const first = random.int(REACTIONS.length)
  for (let i = random.int(6); i > 0; i--) {
    const used = random.chance(0.1)
      ? { customId: digits(random, 19) }
      : { emoji: REACTIONS[(first + i) % REACTIONS.length] as string }
    out.push({ ...used, share })
    share *= 0.6
  }
  return out
}
