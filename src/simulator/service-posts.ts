import { type Draft, EMPTY_DRAFT } from './draft.ts'
import { opening, type Voice } from './phrases.ts'
import type { SimChannel } from './population.ts'
import type { Neighbours } from './relations.ts'
import type { Slot } from './timeline.ts'

/** A message of the platform itself in a channel. Its pages always have these in English. */
export function serviceDraft(
  world: Neighbours,
  channel: SimChannel,
  slot: Slot,
  voice: Voice,
): Draft {
  const service = (text: string): Draft => ({ ...EMPTY_DRAFT, kind: 'service', text })
  switch (slot.shape) {
    case 'created':
      return service('Channel created')
    case 'title_changed':
      return service(`Channel name was changed to «${world.titleAt(channel, slot.at)}»`)
    case 'photo_changed':
      return {
        ...service('Channel photo updated'),
        media: [{ shape: 'service_photo', key: voice.random.bits() }],
      }
    case 'pinned': {
      const who = world.titleAt(channel, slot.at)
      const what = opening(voice)
      const start = who.length + ' pinned «'.length
      return {
        ...service(`${who} pinned «${what}»`),
        extras: { strong: [start, start + what.length] },
      }
    }
    case 'stream_started':
      return service('Live stream started')
    case 'stream_finished':
      return service(`Live stream finished (${voice.random.between(2, 59)} minutes)`)
    case 'notice':
      return service('The owner of this channel has been inactive for the last 5 months.')
    default:
      return service('')
  }
}
