import type { Random } from '../random.ts'

export const TOPICS = ['news', 'weather', 'markets', 'sport', 'health', 'technology'] as const
export type Topic = (typeof TOPICS)[number]

/**
 * The source of a small phrase grammar. `{slot}` stands for any entry of `words.slot`, already in the form that the sentence
 * needs; `{n}` for a number up to a hundred, `{N}` for a large one, `{name}` for an invented name. Lists of words are one
 * string with `|` between the entries.
 */
interface LanguageSource {
  readonly code: string
  readonly topics: Readonly<Record<Topic, readonly string[]>>
  readonly words: Readonly<Record<string, string>>
  /** Sentences for any topic: calls to read, to subscribe, to comment. */
  readonly asides: readonly string[]
  readonly questions: readonly string[]
  readonly titles: readonly string[]
  readonly descriptions: readonly string[]
  readonly tags: string
  readonly people: string
  /** Pieces of invented words: beginnings, middles, and inflected endings. */
  readonly lexicon: {
    readonly onsets: string
    readonly rimes: string
    readonly endings: string
    /** The commonest words of the language, most frequent first. */
    readonly common: string
  }
  /** What stands between words and sentences; a space unless the language uses none. */
  readonly space?: string
}

type Part = string | { readonly slot: string }
type Template = readonly Part[]

export interface LanguageText {
  readonly code: string
  readonly space: string
  readonly topics: Readonly<Record<Topic, readonly Template[]>>
  readonly words: ReadonlyMap<string, readonly string[]>
  readonly asides: readonly Template[]
  readonly questions: readonly Template[]
  readonly titles: readonly Template[]
  readonly descriptions: readonly Template[]
  readonly tags: readonly string[]
  readonly people: readonly string[]
  readonly onsets: readonly string[]
  readonly rimes: readonly string[]
  readonly endings: readonly string[]
  readonly common: readonly string[]
}

/** Parses the grammar; throws for a sentence with a slot that has no words. */
export function defineLanguage(source: LanguageSource): LanguageText {
  const words = new Map(
    Object.entries(source.words).map(([slot, list]) => [slot, list.split('|')] as const),
  )
  const parse = (template: string): Template =>
    template
      .split(/\{(\w+)\}/)
      .map((piece, i): Part => {
        if (i % 2 === 0) return piece
        if (!BUILT_IN.has(piece) && !words.has(piece)) {
          throw new Error(`the ${source.code} grammar has no words for {${piece}}`)
        }
        return { slot: piece }
      })
      .filter((part) => part !== '')
  const topics = Object.fromEntries(
    TOPICS.map((topic) => [topic, source.topics[topic].map(parse)]),
  ) as Record<Topic, Template[]>
  return {
    code: source.code,
    space: source.space ?? ' ',
    topics,
    words,
    asides: source.asides.map(parse),
    questions: source.questions.map(parse),
    titles: source.titles.map(parse),
    descriptions: source.descriptions.map(parse),
    tags: source.tags.split('|'),
    people: source.people.split('|'),
    onsets: source.lexicon.onsets.split('|'),
    rimes: source.lexicon.rimes.split('|'),
    endings: source.lexicon.endings.split('|'),
    common: source.lexicon.common.split('|'),
  }
}

const BUILT_IN = new Set(['n', 'N', 'name'])

/** One sentence of the grammar; `name` gives invented names. */
export function fill(
  language: LanguageText,
  template: Template,
  random: Random,
  name: (random: Random) => string,
): string {
  let out = ''
  for (const part of template) {
    if (typeof part === 'string') out += part
    else if (part.slot === 'n') out += random.between(2, 98)
    else if (part.slot === 'N') out += random.between(1, 90) * 100 + random.int(100)
    else if (part.slot === 'name') out += name(random)
    else out += random.pick(language.words.get(part.slot) ?? [''])
  }
  return out
}
