/** Whether a post holds words or an entity, for the oracle: it looks at all words of the post, one after another. */
import { analyzeQueryWord, type QueryTerm } from '../../text/analyze-query.ts'
import type { JoinedWord } from '../../text/joined-words.ts'
import { joinedReadings, otherReadings } from '../../text/other-readings.ts'
import type { IndexDocument } from '../search-index.ts'

export type Test = (post: IndexDocument) => boolean
/** What may stand at one place of a text. */
type Place = (tok: string, stem: string) => boolean
/** Adjacent places. */
type Run = readonly Place[]
type Sequence = readonly QueryTerm[]

/** Undefined if there is nothing to search for. */
export function testOfWords(
  text: string,
  stems: boolean,
  joined: readonly JoinedWord[] = [],
): Test | undefined {
  const { alternatives, entities } = analyzeQueryWord(text)
  if (alternatives.length > 0) {
    const runs = alternatives.flatMap((sequence) => runsOf(sequence, stems))
    const others = stems
      ? [...otherReadings(text, alternatives[0]!), ...joinedReadings(joined)]
      : []
    return holdsAny([...runs, ...others.map(otherRunOf)])
  }
  return entities.length > 0
    ? (post) => entities.every((each) => holdsEntity(post, each))
    : undefined
}

export function testOfPrefix(text: string): Test | undefined {
  const [sequence] = analyzeQueryWord(text).alternatives
  return sequence && holdsAny([begunRunOf(sequence)])
}

export function testOfEntity(entity: string): Test {
  const folded = analyzeQueryWord(entity).entities.filter((each) => each[0] === entity[0])
  return (post) => [entity, ...folded].some((each) => holdsEntity(post, each))
}

export function holdsEntity(post: IndexDocument, entity: string): boolean {
  const { entities, hashtags, mentions } = post
  const [mark, name] = [entity[0], entity.slice(1)]
  if (entities.includes(entity)) return true
  return (mark === '#' && hashtags.includes(name)) || (mark === '@' && mentions.includes(name))
}

function holdsAny(runs: readonly Run[]): Test {
  return ({ toks, stems }) =>
    runs.some((run) =>
      toks.some((_, at) =>
        run.every((fits, i) => at + i < toks.length && fits(toks[at + i]!, stems[at + i]!)),
      ),
    )
}

const oneOf =
  (toks: readonly string[], stems: readonly string[] = []): Place =>
  (tok, stem) =>
    toks.includes(tok) || stems.includes(stem)

/** One term in any of its forms; several terms as typed, in one spelling or the other. */
function runsOf(sequence: Sequence, byStem: boolean): Run[] {
  const [first, ...more] = sequence
  // Other spellings of a prefix are not searched for.
  if (sequence.at(-1)!.isPrefix) return [begunRunOf(sequence)]
  if (more.length === 0) return [[oneOf(first!.toks, byStem ? first!.stems : [])]]
  return [0, -1].map((spelling) => sequence.map(({ toks }) => oneOf([toks.at(spelling)!])))
}

function begunRunOf(sequence: Sequence): Run {
  const begun = sequence.at(-1)!.toks[0]!
  const before = sequence.slice(0, -1).map(({ toks }) => oneOf([toks[0]!]))
  return [...before, (tok) => tok.startsWith(begun)]
}

/** Another way to write a word: the last place may have one of several words, and a single word may have any of its forms. */
function otherRunOf(sequence: Sequence): Run {
  const { toks, stems } = sequence.at(-1)!
  const before = sequence.slice(0, -1).map((term) => oneOf([term.toks[0]!]))
  return [...before, oneOf(toks, before.length === 0 ? stems : [])]
}
