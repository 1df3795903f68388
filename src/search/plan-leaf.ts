import type { QueryNode, SearchQuery } from '../model/query.ts'
import {
  analyzeQueryWord,
  partsOfCompound,
  piecesOfRun,
  type QueryTerm,
} from '../text/analyze-query.ts'
import type { JoinedWord } from '../text/joined-words.ts'
import { joinedReadings, otherReadings } from '../text/other-readings.ts'
import { wordsOfQuote } from '../text/query/lex-query.ts'
import type { Expand } from './expand.ts'
import type { Ending, Expansion, Expr, TermStats } from './expr.ts'
import {
  asPiece,
  asRun,
  createUnit,
  withAlternatives,
  type RankUnit,
  type WantedPlace,
} from './rank-unit.ts'
import * as terms from './terms.ts'

export interface Leaf {
  /** True if the leaf is no word of the text, so that the ranker cannot see whether a post has it. */
  readonly isUnseen?: true
  readonly expr: Expr
  /** The units that the ranker looks for, each with the expression that matches it alone; empty if the leaf has no words. */
  readonly parts: readonly { readonly unit: RankUnit; readonly expr: Expr }[]
  readonly complete: boolean
}

/** What planning a leaf depends on. */
interface Planning {
  readonly match: SearchQuery['match']
  readonly stats: TermStats
  readonly expand: Expand
  /** Function words of the query, such as those a question is asked with. */
  readonly functionWords: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()

/** The plan of one leaf; undefined if it contains nothing to search for. */
export function exprOfLeaf(node: QueryNode, planning: Planning): Leaf | undefined {
  if ('wanted' in node) {
    const { wanted: _, ...required } = node
    const leaf = exprOfLeaf(required, planning)
    return leaf && exprOfWanted(required, leaf, planning)
  }
  switch (node.kind) {
    case 'word':
      return exprOfWord(node.text, planning)
    case 'exact':
    case 'phrase':
      return exprOfPhrase(node.text, planning)
    case 'quote':
      return exprOfQuote(node.text, planning)
    case 'prefix':
      return exprOfPrefix(node.text, planning)
    case 'hashtag':
      return fact(entityTerms('#', node.value))
    case 'mention':
      return fact(entityTerms('@', node.value))
    case 'cashtag':
      return fact(entityTerms('$', node.value))
    case 'channel':
      return fact([terms.channelTerm(Number(node.value))])
    case 'lang':
      return fact([terms.languageTerm(node.value)])
    case 'domain':
      return fact([terms.domainTerm(node.value)])
    case 'url':
      return fact([terms.urlTerm(node.value)])
    case 'has':
      return fact([terms.hasTerm(node.value)])
    case 'is':
      return fact([terms.isTerm(node.value)])
    default:
      return undefined
  }
}

function fact(list: readonly string[]): Leaf {
  return { expr: { kind: 'any', terms: list }, parts: [], complete: true }
}

/** Each of several emoji in a row is required. */
function allOf(entities: readonly string[]): Leaf {
  if (entities.length === 1) return fact(entities)
  const parts = entities.map((term): Expr => ({ kind: 'any', terms: [term] }))
  return { expr: { kind: 'and', parts }, parts: [], complete: true }
}

/** Both the value as given and the form to which the analyzer folds it in posts. */
function entityTerms(mark: string, value: string): string[] {
  const given = mark + value.toLowerCase()
  const folded = analyzeQueryWord(mark + value).entities.filter((term) => term.startsWith(mark))
  return [...new Set([given, ...folded])]
}

function exprOfWord(text: string, planning: Planning): Leaf | undefined {
  const { match, stats, expand, functionWords } = planning
  const word = analyzeQueryWord(text)
  const alternatives: Expr[] = []
  const places: RankPlaces[] = []
  let complete = true
  for (const sequence of word.alternatives) {
    const last = sequence.at(-1)!
    const ending = last.isPrefix ? endingOf(sequence, expand) : undefined
    if (ending && !ending.complete) complete = false
    if (sequence.length > 1) {
      // Stems have no order in the index, so a word of several tokens is asked for in its folded forms. The ranker looks
      // for the same forms and nothing else, or it would see words in posts that were not found by them.
      for (const toks of spellings(sequence)) {
        alternatives.push(phrase(toks, ending))
        places.push(placesOf(toks, ending))
      }
      continue
    }
    const toks = ending?.toks ?? last.toks
    const withStems = match === 'stem' && !last.isPrefix ? last.stems : []
    // Every post with the bare word also has one of its stems, except where the word is accented there and so has another
    // stem: only the list of accented forms has to be read besides.
    const words = withStems.length > 0 && last.isBare ? toks.map(terms.accentedTerm) : toks
    const asked = [...words, ...withStems.map(terms.stemTerm)]
    // A query's word gets a stem for each language of its script; most of these stems are in no post.
    alternatives.push(
      ending
        ? family(ending)
        : { kind: 'any', terms: asked.filter((term) => stats.mayLag || stats.df(term) > 0) },
    )
    places.push([ending ? familyPlace(ending) : { toks, stems: withStems }])
  }
  const typed = word.alternatives[0]
  for (const sequence of match === 'stem' && typed ? otherReadings(text, typed) : []) {
    const other = exprOfOther(sequence, stats)
    if (!other) continue
    alternatives.push(other.expr)
    places.push(other.places)
  }
  if (word.entities.length > 0 && places.length === 0) return allOf(word.entities)
  if (alternatives.length === 0) return undefined
  const expr: Expr =
    alternatives.length > 1 ? { kind: 'or', parts: alternatives } : alternatives[0]!
  const whole = { unit: createUnit(text, places, stats, functionWords.has(text)), expr }
  const pieces = match === 'stem' ? piecesOfWord(text, word.alternatives[0] ?? [], planning) : []
  const parts = pieces.length > 0 ? [{ unit: asRun(whole.unit), expr }, ...pieces] : [whole]
  return { expr, parts, complete }
}

/** One word that stands for several adjacent words of the query; `isFunctionWord` if it replaces a function word. */
export function exprOfJoined(
  joined: JoinedWord,
  { stats, isFunctionWord }: { readonly stats: TermStats; readonly isFunctionWord: boolean },
): Leaf | undefined {
  const [sequence] = joinedReadings([joined])
  const other = sequence && exprOfOther(sequence, stats)
  if (!other) return undefined
  const unit = createUnit(joined.head + joined.tail, [other.places], stats, isFunctionWord)
  return { expr: other.expr, parts: [{ unit, expr: other.expr }], complete: true }
}

/** A word, or one of the compounds it forms with its neighbours. */
export function withJoined(leaf: Leaf, joined: readonly Leaf[]): Leaf {
  const [whole, ...pieces] = leaf.parts
  if (joined.length === 0 || !whole) return leaf
  const parts = [leaf, ...joined].flatMap(({ expr }) => (expr.kind === 'or' ? expr.parts : [expr]))
  const expr: Expr = { kind: 'or', parts }
  const units = joined.flatMap((each) => each.parts.map(({ unit }) => unit))
  const unit = withAlternatives(whole.unit, units)
  return { ...leaf, expr, parts: [{ unit, expr }, ...pieces] }
}

/** Matches the words exactly as typed. */
function exprOfPhrase(text: string, planning: Planning): Leaf | undefined {
  return exprOfWord(text, { ...planning, match: 'exact', functionWords: NONE })
}

/** Another way to write a word; undefined if no post holds it. */
function exprOfOther(
  sequence: readonly QueryTerm[],
  stats: TermStats,
): { readonly expr: Expr; readonly places: RankPlaces } | undefined {
  const mayBeHeld = (term: string) => stats.mayLag === true || stats.df(term) > 0
  const last = sequence.at(-1)!
  if (sequence.length === 1) {
    const held = [...last.toks, ...last.stems.map(terms.stemTerm)].filter(mayBeHeld)
    if (held.length === 0) return undefined
    const { toks, stems } = last
    return { expr: { kind: 'any', terms: held }, places: [{ toks, stems, isOther: true }] }
  }
  const head = sequence.slice(0, -1).map((term) => term.toks[0]!)
  const toks = last.toks.filter(mayBeHeld)
  if (toks.length === 0) return undefined
  return {
    expr: { kind: 'phrase', toks: head, ending: { toks } },
    places: [...head.map((tok) => [tok]), toks].map((each) => ({
      toks: each,
      stems: [],
      isOther: true,
    })),
  }
}

/** Share of its own rarity that a quoted phrase keeps: a quoted name is often meant exactly as written. */
const QUOTE_WEIGHT = 0.5

/** A phrase; posts that hold its words apart, in any form, may be found too. */
function exprOfQuote(text: string, planning: Planning): Leaf | undefined {
  const leaf = exprOfPhrase(text, planning)
  const whole = leaf?.parts[0]
  if (!whole || planning.match !== 'stem') return leaf
  const run = { ...whole, unit: asRun(whole.unit, QUOTE_WEIGHT) }
  const pieces = piecesOf(wordsOfQuote(text), { ...planning, functionWords: NONE })
  return { ...leaf, parts: [run, ...pieces] }
}

/** A tag, name, address or emoji in running text: a post may hold just its words, if it has any. */
function exprOfWanted(node: QueryNode, leaf: Leaf, planning: Planning): Leaf {
  const isTag = node.kind === 'hashtag' || node.kind === 'mention' || node.kind === 'cashtag'
  const text = isTag ? SIGNS[node.kind] + node.value : 'text' in node ? node.text : ''
  const url = node.kind === 'url' ? node.value : ''
  const whole = { unit: asRun(createUnit(text || url, [], planning.stats)), expr: leaf.expr }
  const pieces = isTag ? piecesOf([node.value], { ...planning, functionWords: NONE }) : []
  return { ...leaf, isUnseen: true, parts: [whole, ...pieces] }
}

const SIGNS = { hashtag: '#', mention: '@', cashtag: '$' } as const

function piecesOf(words: readonly string[], planning: Planning): Leaf['parts'] {
  const inAnyForm: Planning = { ...planning, match: 'stem' }
  const parts = words.flatMap((word) => exprOfWord(word, inAnyForm)?.parts ?? [])
  return parts.flatMap(({ unit, expr }) =>
    unit.role === 'run' ? [] : [{ unit: asPiece(unit), expr }],
  )
}

/** A longer run is represented by its beginning. The rarest pieces would not do: the next page must find the same ones. */
const MAX_PIECES = 48

/** The tokens of a word that may be missing separately when no post holds all of them as a phrase. */
function piecesOfWord(
  text: string,
  sequence: readonly QueryTerm[],
  planning: Planning,
): Leaf['parts'] {
  const parts = partsOfCompound(text, sequence)
  if (parts.length > 0) return piecesOf(parts, planning)
  const pieces = piecesOfRun(text, sequence).slice(0, MAX_PIECES)
  return pieces.map((tok) => ({
    unit: asPiece(createUnit(tok, [[{ toks: [tok], stems: [] }]], planning.stats)),
    expr: { kind: 'any', terms: [tok] },
  }))
}

type RankPlaces = readonly WantedPlace[]

function placesOf(toks: readonly string[], ending: Told | undefined): RankPlaces {
  return toks.map((tok, i) =>
    ending && i === toks.length - 1 ? familyPlace(ending) : { toks: [tok], stems: [] },
  )
}

function familyPlace({ prefix, toks, posts }: Told): WantedPlace {
  return { toks, stems: [], prefix, ...(posts !== undefined && { posts }) }
}

/** A prefix, with the words that the index has for it. */
type Told = Required<Ending> & Expansion

function spellings(sequence: readonly QueryTerm[]): string[][] {
  const plain = sequence.map((term) => term.toks[0]!)
  const other = sequence.map((term) => term.toks.at(-1)!)
  return other.join(' ') === plain.join(' ') ? [plain] : [plain, other]
}

/** With `ending`, the last word is one of its words. */
function phrase(toks: readonly string[], ending: Told | undefined): Expr {
  if (!ending) return { kind: 'phrase', toks }
  return {
    kind: 'phrase',
    toks: toks.slice(0, -1),
    ending: { prefix: ending.prefix, toks: ending.toks },
  }
}

function family({ prefix, toks }: Told): Expr {
  return { kind: 'any', terms: toks, prefix }
}

/** What the last term of a sequence stands for when it is a prefix. */
function endingOf(sequence: readonly QueryTerm[], expand: Expand): Told {
  const prefix = sequence.at(-1)!.toks[0]!
  return { prefix, ...expand(prefix, sequence.length > 1 ? 'in phrase' : 'alone') }
}

function exprOfPrefix(text: string, { stats, expand }: Planning): Leaf | undefined {
  const sequence = analyzeQueryWord(text).alternatives[0]
  if (!sequence || sequence.length === 0) return undefined
  const ending = endingOf(sequence, expand)
  const toks = sequence.map((term) => term.toks[0]!)
  const expr = sequence.length > 1 ? phrase(toks, ending) : family(ending)
  const unit = createUnit(text, [placesOf(toks, ending)], stats)
  return { expr, parts: [{ unit, expr }], complete: ending.complete }
}
