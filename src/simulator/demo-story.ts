import { HOUR_MS, MINUTE_MS } from '../model/time.ts'
import type { Draft } from './draft.ts'
import type { SimChannel } from './population.ts'
import type { Script } from './script.ts'

/** The channels that tell the story: their titles and numbers of subscribers. */
const VOICES = {
  ferry_desk: ['Ferry Desk', 18_400],
  eastmere_live: ['Eastmere Live', 64_200],
  quay_quotes: ['Quay Quotes', 7_900],
  north_pier: ['North Pier Notes', 21_700],
  harbour_wire: ['Harbour Wire', 132_000],
  night_watch_ea: ['Night Watch Eastmere', 11_300],
} as const
type Voice = keyof typeof VOICES
export const STORY_CHANNELS = Object.keys(VOICES)

const FIRST = `The ferry Heron ran aground off Eastmere at 06:40 this morning.

12 people were injured, says Captain Ilse Brandvold. The harbour office had not been warned of the sandbank, and the 148 passengers were taken ashore in fishing boats.

The report of the pilots: https://pilots.example/heron`
const CORRECTED = FIRST.replace('12 people', '21 people')
const REWRITTEN = CORRECTED.replace('had not been warned', 'had been warned')

/**
 * A story for people who try the program out: one channel publishes it first, with a picture; others forward it, copy it or
 * link to it. At `editAt` its author corrects a number and, half an hour later, turns a sentence into its opposite; a copy is
 * deleted.
 */
export function tellDemoStory(
  script: Script,
  { at, editAt }: { readonly at: number; readonly editAt: number },
): void {
  const channels = new Map(
    Object.entries(VOICES).map(([username, [title, subscribers]]) => [
      username,
      script.addChannel({
        username,
        title,
        subscribers,
        description: `${title}: what moves on the water.`,
      }),
    ]),
  )
  const channelOf = (name: Voice): SimChannel => channels.get(name)!
  const publish = (name: Voice, after: number, draft: Partial<Draft>) =>
    script.publish(channelOf(name), at + after, draft)
  const photo = { shape: 'photo', key: 4_711 } as const
  const linked = withLinks(FIRST)

  publish('eastmere_live', -9 * HOUR_MS, { text: 'Fog on the lake; boats are late today.' })
  // A channel that deletes its only post is believed after days; this one keeps another.
  publish('harbour_wire', -7 * HOUR_MS, { text: 'The lock at the old harbour is open again.' })
  const first = publish('ferry_desk', 0, { ...linked, media: [photo] })
  const url = `https://t.me/ferry_desk/${first}`
  const from = { name: VOICES.ferry_desk[0], username: 'ferry_desk', postUrl: url, author: null }
  publish('quay_quotes', 4 * MINUTE_MS, { ...linked, forwardedFrom: from, media: [photo] })
  publish('north_pier', 11 * MINUTE_MS, linked)
  const copied = publish('harbour_wire', 26 * MINUTE_MS, { ...linked, media: [photo] })
  publish('eastmere_live', 48 * MINUTE_MS, withLinks(`The Heron is stuck, more here: ${url}`))
  publish('night_watch_ea', 3 * HOUR_MS, linked)

  script.edit(channelOf('ferry_desk'), first, editAt, withLinks(CORRECTED))
  script.edit(channelOf('ferry_desk'), first, editAt + 30 * MINUTE_MS, withLinks(REWRITTEN))
  script.remove(channelOf('harbour_wire'), copied, editAt + 10 * MINUTE_MS)
}

function withLinks(text: string): Pick<Draft, 'text' | 'entities'> {
  const entities = [...text.matchAll(/https:\S+/g)].map(({ index, 0: url }) => {
    return { type: 'link', offset: index, length: url.length, url } as const
  })
  return { text, entities }
}
