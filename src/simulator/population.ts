import { DAY_MS } from '../model/time.ts'
import { lexiconOf } from './lexicon.ts'
import { Random, hash32, randomOf } from './random.ts'
import { TOPICS, fill, type LanguageText, type Topic } from './texts/language-text.ts'
import { LANGUAGES } from './texts/languages.ts'

/** A value that holds from `from` until the next span begins. */
interface Span<T> {
  readonly from: number
  readonly value: T
}

export type Access =
  | { readonly state: 'open' }
  | { readonly state: 'preview_off' }
  /** The platform's words are shown on the embed page only. */
  | { readonly state: 'withheld'; readonly words: string }
  | { readonly state: 'deleted' }

export interface SimChannel {
  readonly kind: 'channel'
  readonly index: number
  readonly platformId: number
  readonly language: LanguageText
  readonly topic: Topic
  readonly createdAt: number
  readonly postsPerDay: number
  /** Hours by which its daily curve is shifted. */
  readonly zone: number
  readonly subscribers: number
  readonly growthPerDay: number
  readonly verified: boolean
  readonly hasAvatar: boolean
  readonly signed: boolean
  readonly reactive: boolean
  readonly title: string
  readonly description: string
  /** Its numbers begin here; above 1 if older posts were cleared. */
  readonly firstNumber: number
  /** Publishes every shape of post in turn. */
  readonly showcase: boolean
  /** Posts are published by scripts only. */
  readonly scripted: boolean
  /** Pages use the first name; all of the names lead to this channel. */
  readonly usernames: Span<readonly string[]>[]
  readonly access: Span<Access>[]
}

export interface SimPeer {
  readonly kind: 'group' | 'user' | 'bot'
  readonly username: string
  readonly title: string
  readonly description: string
  readonly members: number
  readonly online: number
  readonly hasAvatar: boolean
  readonly verified: boolean
}

interface PopulationOptions {
  readonly seed: number
  readonly channels: number
  readonly startAt: number
  readonly days: number
  /** Multiplies every channel's posting rate. */
  readonly activity: number
  readonly languages: readonly string[] | null
  /** No channel is renamed, closed or created after the start. */
  readonly steady: boolean
}

export function channelAt(options: PopulationOptions, index: number, username: string): SimChannel {
  const { seed, startAt, days } = options
  const random = randomOf(seed, 1, index)
  const language = pickLanguage(options, index, random)
  const topic = random.pick(TOPICS)
  const showcase = index === 0
  const isActive = random.chance(0.6)
  const rate = isActive
    ? Math.min(1500, 2 * Math.exp(1.8 * random.normal()))
    : 0.02 * Math.exp(random.normal())
  const subscribers = Math.floor(10 ** Math.max(0.3, 3.2 + 1.1 * random.normal()))
  const name = (r: Random) => lexiconOf(language).name(r)
  // Most channels are as old as the world's past, some began within it, and a few are yet to come.
  const birth = index < 3 || options.steady ? 0 : random.next()
  const age = birth < 0.7 ? days : birth < 0.97 ? days * random.next() : -days * random.next()
  const isCleared = !showcase && random.chance(0.15)
  return {
    kind: 'channel',
    index,
    platformId: 1_000_000_000 + (hash32(seed, 2, index) % 3_200_000_000),
    language,
    topic,
    createdAt: Math.floor((startAt - age * DAY_MS) / 1000) * 1000,
    postsPerDay: (showcase ? 12 : rate) * options.activity,
    zone: random.pick([0, 2, 3, 3, 5, 8, -5]),
    subscribers: Math.min(12_000_000, showcase ? 48_213 : subscribers),
    growthPerDay: random.next() * 0.01 - 0.002,
    verified: random.chance(0.05),
    hasAvatar: random.chance(0.85),
    signed: random.chance(0.15),
    reactive: random.chance(0.6),
    title:
      fill(language, random.pick(language.titles), random, name) +
      (random.chance(0.1) ? ' 📢' : ''),
    description: random.chance(0.85) ? describe(language, random, name, username) : '',
    firstNumber: isCleared ? random.between(50, 90_000) : 1,
    showcase,
    scripted: false,
    usernames: usernameSpans(options, random, username, index),
    access: accessSpans(options, random, index),
  }
}

function describe(
  language: LanguageText,
  random: Random,
  name: (r: Random) => string,
  username: string,
): string {
  const words = fill(language, random.pick(language.descriptions), random, name)
  if (random.chance(0.6)) return words
  return `${words}\n\n📩 @${username.slice(0, 20)}_desk https://example.org/${username.toLowerCase()}`
}

function pickLanguage(options: PopulationOptions, index: number, random: Random): LanguageText {
  const known = options.languages
    ? LANGUAGES.filter(({ text }) => options.languages?.includes(text.code))
    : LANGUAGES
  // The first channels take each language once, so that small worlds hold all of them.
  if (index < known.length) return (known[index] as (typeof known)[number]).text
  let at = random.next() * known.reduce((sum, { share }) => sum + share, 0)
  return (known.find(({ share }) => (at -= share) < 0) ?? (known[0] as (typeof known)[number])).text
}

function usernameSpans(
  { startAt, days, steady }: PopulationOptions,
  random: Random,
  username: string,
  index: number,
): Span<readonly string[]>[] {
  const second = `${username.slice(0, 24)}_alt`
  const names = index > 2 && random.chance(0.04) ? [username, second] : [username]
  const spans: Span<readonly string[]>[] = [{ from: 0, value: names }]
  if (index > 2 && !steady && random.chance(0.02)) {
    const from = startAt + (random.next() * 2 - 1) * days * DAY_MS
    spans.push({ from, value: [`${username.slice(0, 24)}_new`, ...names.slice(1)] })
  }
  return spans
}

const REASONS = [
  'This channel is unavailable due to copyright infringement.',
  "This channel can’t be displayed because it violated Telegram's Terms of Service.",
  "Unfortunately, this channel couldn't be displayed on your device.",
] as const

function accessSpans(
  { startAt, days, steady }: PopulationOptions,
  random: Random,
  index: number,
): Span<Access>[] {
  const spans: Span<Access>[] = [{ from: 0, value: { state: 'open' } }]
  if (index <= 2 || steady || !random.chance(0.05)) return spans
  const from = random.chance(0.6) ? 0 : startAt + random.next() * days * DAY_MS
  const what = random.next()
  if (what < 0.5) spans.push({ from, value: { state: 'preview_off' } })
  else if (what < 0.85)
    spans.push({ from, value: { state: 'withheld', words: random.pick(REASONS) } })
  else spans.push({ from: Math.max(from, startAt), value: { state: 'deleted' } })
  return spans
}

export function valueAt<T>(spans: readonly Span<T>[], at: number): T {
  let found = spans[0] as Span<T>
  for (const span of spans) if (span.from <= at) found = span
  return found.value
}

const ONSETS = 'b|d|f|g|k|l|m|n|p|r|s|t|v|z|br|dr|gr|kr|st|tr|sh|pl'.split('|')
const RIMES = 'a|e|i|o|u|al|an|ar|el|en|in|on|or|ur|es|im'.split('|')
const TAILS = ['', '', '_news', 'News', 'Daily', '_live', 'TV', '24', '_info', 'Post', '_one']

/** Unique invented names, some with capitals, as real ones have. */
export function usernameMaker(seed: number): (salt: number) => string {
  const taken = new Set<string>()
  return (salt) => {
    for (let attempt = 0; ; attempt++) {
      const random = randomOf(seed, 3, salt, attempt)
      let name = ''
      for (let i = random.between(2, 3); i > 0; i--)
        name += random.pick(ONSETS) + random.pick(RIMES)
      if (random.chance(0.4)) name = name.charAt(0).toUpperCase() + name.slice(1)
      name += random.pick(TAILS)
      const key = name.toLowerCase()
      if (name.length < 5 || taken.has(key)) continue
      taken.add(key)
      return name
    }
  }
}

export function peerAt(seed: number, index: number, kind: SimPeer['kind'], name: string): SimPeer {
  const random = randomOf(seed, 4, index)
  const username = kind === 'bot' ? `${name}_bot` : name
  const members = Math.floor(10 ** (1 + random.next() * 4))
  return {
    kind,
    username,
    title: name.replace(/_/g, ' '),
    description: kind === 'user' ? '' : `A ${kind} about everything around ${name}. Be kind!`,
    members: random.chance(0.05) ? 0 : members,
    online: Math.floor(members * 0.04),
    hasAvatar: random.chance(0.6),
    verified: random.chance(0.05),
  }
}
