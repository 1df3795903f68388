import { TextBuilder } from './draft.ts'
import { lexiconOf } from './lexicon.ts'
import type { Random } from './random.ts'
import { TOPICS, fill, type LanguageText, type Topic } from './texts/language-text.ts'

/** What the words of a post are made from: a language, a topic and a source of randomness. */
export interface Voice {
  readonly language: LanguageText
  readonly topic: Topic
  readonly random: Random
}

export function name({ language, random }: Voice): string {
  return lexiconOf(language).name(random)
}

export function sentence(voice: Voice): string {
  const { language, random } = voice
  // Channels stray from their topic.
  const topic = random.chance(0.3) ? random.pick(TOPICS) : voice.topic
  return fill(language, random.pick(language.topics[topic]), random, () => name(voice))
}

export function aside(voice: Voice): string {
  return fill(voice.language, voice.random.pick(voice.language.asides), voice.random, () =>
    name(voice),
  )
}

export function question(voice: Voice): string {
  return fill(voice.language, voice.random.pick(voice.language.questions), voice.random, () =>
    name(voice),
  )
}

/** `count` sentences, some of which begin a new paragraph. */
export function paragraphs(voice: Voice, count: number): string {
  const { language, random } = voice
  const told = new Set<unknown>()
  let out = ''
  for (let i = 0; i < count; i++) {
    if (i > 0) out += random.chance(0.3) ? '\n\n' : language.space
    // A sentence that was already used is replaced, if need be by one on another topic.
    let template = random.pick(
      language.topics[random.chance(0.3) ? random.pick(TOPICS) : voice.topic],
    )
    for (let tries = 0; told.has(template) && tries < 8; tries++) {
      template = random.pick(language.topics[random.pick(TOPICS)])
    }
    told.add(template)
    out += fill(language, template, random, () => name(voice))
  }
  return out
}

/** A few sentences. The shorter the post, the likelier a byline, without which it would be a copy of another post. */
export function body(voice: Voice): string {
  const { random } = voice
  let count = 1
  while (count < 12 && random.chance(0.5)) count++
  let text = paragraphs(voice, count)
  if (random.chance(0.15)) text += `\n\n${aside(voice)}`
  if (random.chance(1.2 - count * 0.25)) text += `\n\n${byline(voice)}`
  return random.chance(0.25) ? `${dateline(voice)}${text}` : text
}

/** Where it happened, in names that no other post has. */
function dateline(voice: Voice): string {
  return `${name(voice)}-${name(voice)}, ${voice.random.between(1, 28)}.${voice.random.between(1, 12)}. — `
}

/** Who saw it, in names that no other post has. */
function byline(voice: Voice): string {
  const [a, b, c, d, e] = Array.from({ length: 5 }, () => name(voice))
  const number = voice.random.between(1, 99)
  return voice.random.pick([
    `📍 ${a} ${b} ${number}, ${c} ${d} ${e}`,
    `📷 ${a} ${b}, ${c} / ${d} ${e}`,
    `✍️ ${a} ${b} (${c}), ${d} ${e} ${number}`,
  ])
}

/** The first words of a sentence, about half of it, for headlines, file names and link texts. */
export function opening(voice: Voice): string {
  const words = sentence(voice).split(/\s+/)
  const part =
    words.length < 3
      ? (words[0] as string).slice(0, 12)
      : words.slice(0, Math.max(2, words.length >> 1)).join(' ')
  return part.replace(/[\p{P}\s]+$/u, '')
}

/** Splits a sentence in three, so that its middle words can be marked. */
export function splitInThree(text: string): readonly [string, string, string] {
  const words = text.split(' ')
  if (words.length < 4) {
    const third = Math.max(1, Math.floor(text.length / 3))
    return [text.slice(0, third), text.slice(third, 2 * third), text.slice(2 * third)]
  }
  const from = words.length >> 1
  const head = words.slice(0, from).join(' ') + ' '
  const middle = words.slice(from, from + 1).join(' ')
  return [head, middle, ' ' + words.slice(from + 1).join(' ')]
}

const HOSTS = [
  'news.example.com',
  'example.org',
  'blog.example.net',
  'shop.example',
  'weather.example.org',
]

export function address({ random }: Voice): string {
  const path = `https://${random.pick(HOSTS)}/${random.between(2024, 2026)}/${random.bits().toString(36)}`
  const what = random.next()
  if (what < 0.4) return path
  if (what < 0.7) return `${path}?utm_source=telegram&utm_medium=post&id=${random.int(9999)}`
  return what < 0.85 ? `${path}#part${random.int(9)}` : `${path}?q=a%20b&amp=1`
}

/** One hashtag in the language. */
export function tag(builder: TextBuilder, { language, random }: Voice): void {
  builder.mark('hashtag', '#' + random.pick(language.tags))
}
