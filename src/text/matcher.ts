import type { QueryNode } from '../model/query.ts'
import { leavesOf, type QueryLeaf } from '../model/query-tree.ts'
import { collect, type Analysis } from './analyze.ts'
import { analyzeQueryWord, partsOfCompound, piecesOfRun, type QueryTerm } from './analyze-query.ts'
import { joinedReadings, otherReadings } from './other-readings.ts'
import { joinedWords, type JoinedWords } from './joined-words.ts'
import { firstLetters } from './first-letter.ts'
import { wordsOfQuote } from './query/lex-query.ts'
import { lexiconOf } from './lexicon.ts'
import { foldTag } from './scan-entity.ts'
import { stemmersFor } from './stem/stem.ts'

/** Where a text holds what a query asks for, found with the analyzer that made the index. */

export interface Match {
  /** UTF-16, into the text. */
  readonly start: number
  readonly end: number
  /** Which of the query's leaves it is, counted from 0. */
  readonly leaf: number
}

export interface Matcher {
  /** The leaves that can be seen in a text: words, phrases, tags, names, domains; negated ones are not among them. */
  readonly leaves: number
  /** In the order of the text; matches of different leaves may overlap. The first two thousand or so. */
  find(text: string, language: string | null): Match[]
}

/** Of a text that says one word over and over: a query may ask for that word sixty times, in as many spellings. */
const MAX_MATCHES = 2_000

interface Pattern {
  readonly terms: readonly QueryTerm[]
  readonly usesStems: boolean
  readonly leaf: number
}

export function createMatcher(root: QueryNode | null, match: 'stem' | 'exact'): Matcher {
  // The stems of a query's words in every language would cost more than all else, and a page of posts has few languages.
  const readers = new Map<string | null, Reader>()
  function readerOf(language: string | null): Reader {
    let reader = readers.get(language)
    if (!reader) readers.set(language, (reader = createReader(root, match, language)))
    return reader
  }
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
  /** Leaves that count only where another does not stand as a whole. */
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
    for (const term of word.entities) push(entities, term, leaf)
    if (!isAnyForm) return
    addParts(partsOfCompound(text, word.alternatives[0] ?? []), leaf)
    for (const tok of piecesOfRun(text, word.alternatives[0] ?? [])) {
      partOf.set(leaves, leaf)
      push(pieces, tok, leaves++)
    }
  }

  /** Of what may be met apart. */
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
        push(entities, `#${foldTag(node.value)}`, leaves++)
        break
      case 'mention':
        push(entities, `@${node.value.toLowerCase()}`, leaves++)
        break
      case 'cashtag':
        push(entities, `$${node.value.toLowerCase()}`, leaves++)
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
    for (const tok of first.toks) push(byTok, tok, pattern)
    if (pattern.usesStems) for (const stem of first.stems) push(byStem, stem, pattern)
  }

  const toks = patterns.flatMap(({ terms }) =>
    terms.flatMap((term) => [...term.toks, ...term.stems]),
  )
  const asksWordsOnly = entities.size === 0 && hosts.length === 0
  const wants = asksWordsOnly ? firstLetters(toks, language) : undefined
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

/** Wherever in the query the words stand side by side. */
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

/** A pattern met by its form and by its stem is one match. */
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
    // One ideograph is asked for as the beginning of a bigram; only its own half is the match.
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

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
