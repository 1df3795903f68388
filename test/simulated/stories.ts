import { MINUTE_MS } from '../../src/model/time.ts'
import { TextBuilder, type Draft } from '../../src/simulator/draft.ts'
import { lexiconOf } from '../../src/simulator/lexicon.ts'
import type { SimChannel } from '../../src/simulator/population.ts'
import { type Random, randomOf } from '../../src/simulator/random.ts'
import type { Script } from '../../src/simulator/script.ts'
import { NEGATED } from './negated.ts'
import { languageText } from '../../src/simulator/texts/languages.ts'

/**
 * Stories with a known truth: somebody posts something; others forward it, repeat it or link to it; and the author changes a
 * number, a name, a link, a negation or other words of it, or deletes it.
 */
export interface Story {
  readonly index: number
  readonly kind: EditOfStory
  readonly language: string
  /** In order of time; the first is the original. */
  readonly members: readonly StoryMember[]
}

export interface StoryMember {
  readonly username: string
  readonly number: number
  readonly came: 'original' | 'forward' | 'copy' | 'link'
}

const EDITS = ['number', 'name', 'link', 'negation', 'text', 'deleted'] as const
type EditOfStory = (typeof EDITS)[number]

/** Publishes stories over a day from `at` on, and their edits at `editAt`. */
export function tellStories(
  script: Script,
  options: {
    readonly stories: number
    readonly seed: number
    readonly at: number
    readonly editAt: number
  },
): { readonly stories: readonly Story[]; readonly channels: readonly SimChannel[] } {
  const { seed, at, editAt } = options
  const codes = Object.keys(NEGATED)
  const channels = codes.flatMap((language) =>
    Array.from({ length: CARRIERS }, (_, i) => ({
      username: `story_${language}_${i}`,
      channel: script.addChannel({ username: `story_${language}_${i}`, language }),
    })),
  )
  const timed: Timed[] = []
  const stories = Array.from({ length: options.stories }, (_, index) => {
    const random = randomOf(seed, 77, index)
    const place = index % codes.length
    const own = channels.slice(place * CARRIERS, (place + 1) * CARRIERS)
    const story = makeStory(random, index, codes[place]!, shuffled(random, own))
    let when = at + Math.floor(random.next() * 1_000) * MINUTE_MS
    for (const [i, part] of story.parts.entries()) {
      timed.push({ story, part, i, at: when })
      when += (1 + random.int(20)) * MINUTE_MS
    }
    return story
  })
  // A channel's numbers ascend with time.
  for (const { story, part, i, at: when } of timed.toSorted((a, b) => a.at - b.at || a.i - b.i)) {
    const draft = part.draft(story.members[0])
    const number = script.publish(part.channel, when, draft)
    story.members[i] = { username: part.username, number, came: part.came }
    if (i !== 0) continue
    if (story.kind === 'deleted') script.remove(part.channel, number, editAt)
    else script.edit(part.channel, number, editAt, story.changed)
  }
  return { stories, channels: channels.map(({ channel }) => channel) }
}

const CARRIERS = 8

interface Voice {
  readonly username: string
  readonly channel: SimChannel
}

interface Part extends Voice {
  readonly came: StoryMember['came']
  readonly draft: (first: StoryMember | undefined) => Partial<Draft>
}

interface MadeStory extends Story {
  readonly members: StoryMember[]
  readonly parts: readonly Part[]
  readonly changed: Partial<Draft>
}

interface Timed {
  readonly story: MadeStory
  readonly part: Part
  readonly i: number
  readonly at: number
}

function makeStory(
  random: Random,
  index: number,
  code: string,
  [first, ...others]: readonly Voice[],
): MadeStory {
  const kind = EDITS[Math.floor(index / 2) % EDITS.length]!
  const words = inventedWords(random, code)
  const facts = factsOf(random, code)
  const said = compose(words, facts)
  const carriers = others.slice(0, 1 + random.int(5)).map((voice): Part => {
    const came = random.pick(['forward', 'copy', 'link'] as const)
    return { ...voice, came, draft: (source) => carried(came, said, source!) }
  })
  return {
    index,
    kind,
    language: code,
    members: [],
    parts: [{ ...first!, came: 'original', draft: () => said }, ...carriers],
    changed: compose(words, changedFacts(random, code, kind, facts)),
  }
}

function carried(
  came: 'forward' | 'copy' | 'link',
  said: Partial<Draft>,
  { username, number }: StoryMember,
): Partial<Draft> {
  const url = `https://t.me/${username}/${number}`
  if (came === 'link') return new TextBuilder().mark('link', url, { url })
  if (came === 'copy') return said
  return { ...said, forwardedFrom: { name: username, username, postUrl: url, author: null } }
}

interface Facts {
  readonly number: number
  readonly name: string
  readonly link: string
  readonly sentence: string
  readonly words: string
}

function factsOf(random: Random, code: string): Facts {
  return {
    number: random.between(12, 98),
    name: nameIn(random, code),
    link: `https://example.org/${random.between(100_000, 999_999)}`,
    sentence: NEGATED[code]![0],
    words: inventedWords(random, code, 4),
  }
}

function changedFacts(random: Random, code: string, kind: EditOfStory, facts: Facts): Facts {
  const other = factsOf(random, code)
  switch (kind) {
    case 'number':
      return { ...facts, number: facts.number + 1 + random.int(9) }
    case 'name':
      return { ...facts, name: other.name }
    case 'link':
      return { ...facts, link: other.link }
    case 'negation':
      return { ...facts, sentence: NEGATED[code]![1] }
    case 'text':
      return { ...facts, words: other.words }
    case 'deleted':
      return facts
  }
}

/** In scripts without capitals, a name is put in quotes. */
function nameIn(random: Random, code: string): string {
  const name = lexiconOf(languageText(code)).name(random)
  return /^\p{Lu}/u.test(name) ? `«${name}»` : `「${name}」`
}

function inventedWords(random: Random, code: string, count = 24): string {
  const language = languageText(code)
  const { words } = lexiconOf(language)
  // Skips the language's most common words, which include its negations.
  const own = Array.from({ length: count }, () => words[200 + random.int(words.length - 200)]!)
  return own.join(language.space || '')
}

function compose(
  words: string,
  { number, name, link, sentence, words: more }: Facts,
): Partial<Draft> {
  const builder = new TextBuilder()
    .plain(`${words} ${number}. ${sentence}\n${more}, ${name}: `)
    .mark('link', link, { url: link })
  return { text: builder.text, entities: builder.entities }
}

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
