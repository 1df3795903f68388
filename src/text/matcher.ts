import { addTo, getOrMake } from '../model/get-or-make.ts'
import type { QueryNode } from '../model/query.ts'
import { leavesOf, type QueryLeaf } from '../model/query-tree.ts'
import { collect, type Analysis } from './analyze.ts'
import { analyzeQueryWord, partsOfCompound, piecesOfRun, type QueryTerm } from './analyze-query.ts'
import { joinedReadings, otherReadings } from './other-readings.ts'
import { joinedWords, type JoinedWords } from './joined-words.ts'
import { firstLetters } from './first-letters.ts'
import { wordsOfQuote } from './query/lex-query.ts'
import { lexiconOf } from './lexicon.ts'
import { foldTag } from './scan-entity.ts'
import { stemmersFor } from './stem/stem.ts'

/** Finds where a text holds what a query asks for, with the same analyzer as the index. */

export interface Match {
  /** UTF-16, into the text. */
  readonly start: number
  readonly end: number
  /** The number of the query's leaf, from 0. */
  readonly leaf: number
}

export interface Matcher {
  /** Number of leaves that a text can show: words, phrases, tags, names and domains that are not negated, and their parts. */
  readonly leaves: number
  /** In the order of the text; matches of different leaves may overlap. Only about the first two thousand are found. */
  find(text: string, language: string | null): Match[]
}

/** Bounds the matches in a text that repeats one word: a query may ask for that word sixty times, in as many spellings. */
const MAX_MATCHES = 2_000

interface Pattern {
  readonly terms: readonly QueryTerm[]
  readonly usesStems: boolean
  readonly leaf: number
}

export function createMatcher(root: QueryNode | null, match: 'stem' | 'exact'): Matcher {
  // One reader per language, made when needed: stemming the query's words for every language would cost more than all the
  // rest, and a page of posts has few languages.
  const readers = new Map<string | null, Reader>()
  const readerOf = (language: string | null) =>
    getOrMake(readers, language, () => createReader(root, match, language))
  return {
    get leaves() {
      const [any = readerOf(null)] = readers.values()
      return any.leaves
    },
    find: (text, language) => readerOf(language).find(text),
  }
}

/** Finds what the query asks for in texts of one language. */
interface Reader {
  readonly leaves: number
  find(text: string): Match[]
}

function createReader(
  root: QueryNode | null,
  match: 'stem' | 'exact',
  language: string | null,
): Reader {
  const stemmers = stemmersFor(language)
  const patterns: Pattern[] = []
  const pieces = new Map<string, number[]>()
  /** Leaf of a part → leaf of its whole. Matches of a part count only in texts that do not hold the whole. */
  const partOf = new Map<number, number>()
  const entities = new Map<string, number[]>()
  const hosts: { readonly host: string; readonly leaf: number }[] = []
  const joined = joinedIn(root)
  let leaves = 0

  function addPatterns(text: string, kind: 'word' | 'exact' | 'prefix' | 'phrase'): void {
    const leaf = leaves++
    const word = analyzeQueryWord(text, stemmers)
    const isAnyForm = kind === 'word' && match === 'stem'
    const typed = word.alternatives[0]
    const others = isAnyForm && typed ? otherReadings(text, typed, stemmers) : []
    const together = isAnyForm ? joinedReadings(joined.get(text) ?? [], stemmers) : []
    for (const terms of [...word.alternatives, ...others, ...together]) {
      const last = terms.length - 1
      const asked =
        kind === 'prefix' ? terms.map((t, i) => (i === last ? { ...t, isPrefix: true } : t)) : terms
      patterns.push({ terms: asked, usesStems: isAnyForm, leaf })
    }
    for (const term of word.entities) addTo(entities, term, leaf)
    if (!isAnyForm) return
    addParts(partsOfCompound(text, word.alternatives[0] ?? []), leaf)
    for (const tok of piecesOfRun(text, word.alternatives[0] ?? [])) {
      partOf.set(leaves, leaf)
      addTo(pieces, tok, leaves++)
    }
  }

  /** Adds words that a text may hold apart from each other, as parts of the leaf `whole`. */
  function addParts(words: readonly string[], whole: number): void {
    if (match !== 'stem') return
    const first = leaves
    for (const word of words) addPatterns(word, 'word')
    for (let leaf = first; leaf < leaves; leaf++) partOf.set(leaf, whole)
  }

  function visit(node: QueryLeaf): void {
    switch (node.kind) {
      case 'word':
      case 'exact':
      case 'prefix':
      case 'phrase':
        addPatterns(node.text, node.kind)
        break
      case 'quote': {
        const whole = leaves
        addPatterns(node.text, 'phrase')
        addParts(wordsOfQuote(node.text), whole)
        break
      }
      case 'hashtag':
        addTo(entities, `#${foldTag(node.value)}`, leaves++)
        break
      case 'mention':
        addTo(entities, `@${node.value.toLowerCase()}`, leaves++)
        break
      case 'cashtag':
        addTo(entities, `$${node.value.toLowerCase()}`, leaves++)
        break
      case 'domain':
        hosts.push({ host: node.value.toLowerCase(), leaf: leaves++ })
        break
      default:
    }
  }

  for (const leaf of leavesOf(root, 'asked')) visit(leaf)
  const byTok = new Map<string, Pattern[]>()
  const byStem = new Map<string, Pattern[]>()
  const prefixes: Pattern[] = []
  for (const pattern of patterns) {
    const first = pattern.terms[0]!
    if (first.isPrefix) prefixes.push(pattern)
    for (const tok of first.toks) addTo(byTok, tok, pattern)
    if (pattern.usesStems) for (const stem of first.stems) addTo(byStem, stem, pattern)
  }

  const toks = patterns.flatMap(({ terms }) =>
    terms.flatMap((term) => [...term.toks, ...term.stems]),
  )
  const asksWordsOnly = entities.size === 0 && hosts.length === 0
  // Of words that begin with one letter, the second may be any.
  const asksLetter = patterns.some(({ terms }) =>
    terms.some(({ isPrefix, toks: [tok] }) => isPrefix && tok!.length === 1),
  )
  const wants = asksWordsOnly && !asksLetter ? firstLetters(toks, language) : undefined
  const lexicon = lexiconOf(language)

  return {
    leaves,
    find(text) {
      if (leaves === 0) return []
      const analysis = collect(text, lexicon, lexicon.cutsSuffix, wants)
      const found: Match[] = []
      findEntities(analysis, entities, hosts, found)
      const { tokens } = analysis
      for (let i = 0; i < tokens.length && found.length < MAX_MATCHES; i++) {
        const token = tokens[i]!
        if (token.tok === '') continue
        collectMatches(analysis, i, byTok.get(token.tok), found)
        collectMatches(analysis, i, byStem.get(token.stem), found)
        collectMatches(analysis, i, prefixes, found)
      }
      if (pieces.size > 0) findPieces(analysis, pieces, found)
      const whole = new Set(found.map((match) => match.leaf))
      const shown = found.filter(({ leaf }) => !whole.has(partOf.get(leaf) ?? -1))
      return shown.sort((a, b) => a.start - b.start || b.end - a.end)
    },
  }
}

/** The joined words of every conjunction in the query. */
function joinedIn(node: QueryNode | null): JoinedWords {
  if (node === null || (node.kind !== 'and' && node.kind !== 'or')) return new Map()
  const own = node.kind === 'and' ? joinedWords(node.nodes) : []
  return new Map([...node.nodes.flatMap((child) => [...joinedIn(child)]), ...own])
}

function findPieces(
  { tokens }: Analysis,
  pieces: ReadonlyMap<string, readonly number[]>,
  found: Match[],
): void {
  for (const { tok, start, end } of tokens) {
    if (found.length >= MAX_MATCHES) return
    for (const leaf of pieces.get(tok) ?? []) found.push({ start, end, leaf })
  }
}

/** A pattern that matches both by its form and by its stem is one match. */
function collectMatches(
  analysis: Analysis,
  from: number,
  patterns: readonly Pattern[] | undefined,
  found: Match[],
): void {
  if (patterns === undefined) return
  for (const pattern of patterns) {
    const end = endOfMatch(analysis, from, pattern)
    if (end === undefined) continue
    const { start } = analysis.tokens[from]!
    const last = found.at(-1)
    if (last?.leaf === pattern.leaf && last.start === start) continue
    found.push({ start, end, leaf: pattern.leaf })
  }
}

function endOfMatch(analysis: Analysis, from: number, pattern: Pattern): number | undefined {
  let end: number | undefined
  for (const [offset, term] of pattern.terms.entries()) {
    const token = analysis.tokens[from + offset]
    if (!token) return undefined
    const isHit =
      term.toks.includes(token.tok) ||
      (pattern.usesStems && term.stems.includes(token.stem)) ||
      (term.isPrefix && token.tok.startsWith(term.toks[0]!))
    if (!isHit) return undefined
    // A single ideograph is searched for as the first half of a bigram; only that half is the match.
    const isHalf = term.isPrefix && isIdeograph(term.toks[0]!) && token.tok !== term.toks[0]
    end = isHalf ? Math.min(token.end, token.start + 1) : token.end
  }
  return end
}

function isIdeograph(tok: string): boolean {
  return tok.length === 1 && tok.charCodeAt(0) >= 0x1100
}

function findEntities(
  analysis: Analysis,
  entities: ReadonlyMap<string, readonly number[]>,
  hosts: readonly { readonly host: string; readonly leaf: number }[],
  found: Match[],
): void {
  if (entities.size === 0 && hosts.length === 0) return
  for (const { term, start, end } of analysis.entities) {
    if (found.length >= MAX_MATCHES) return
    for (const leaf of entities.get(term) ?? []) found.push({ start, end, leaf })
    if (!term.startsWith('site:')) continue
    for (const { host, leaf } of hosts) {
      if (term === `site:${host}` || term.endsWith(`.${host}`)) found.push({ start, end, leaf })
    }
  }
}
