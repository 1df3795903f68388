import { classAt, classOf, IGNORABLE, MARK, NON_JOINER, SURROGATE } from './characters.ts'
import type { FirstLetters } from './first-letters.ts'
import { cut } from './fold.ts'
import { simplified, simplifiedUnit } from './han.ts'
import { lexiconOf, type Lexicon, type WordForm } from './lexicon.ts'
import { scan } from './scan.ts'
import { scanWanted } from './scan-part.ts'
import type { Sink } from './sink.ts'
import { eachSegment } from './segment.ts'
import { piecesOf } from './words.ts'

/**
 * Text to terms, for posts and queries, for every engine. `tok` is the folded word and independent of the language; `stem` is
 * the folded stem with its language, as in `run/en`. Terms have no spaces and at most 64 units; offsets are UTF-16 into the
 * text as given.
 */

/** Raised whenever the same text may give different terms: an index made with another version must be rebuilt. */
export const ANALYZER_VERSION = 9

export interface Token {
  readonly tok: string
  readonly stem: string
  /** The word without its accents has a different stem. */
  readonly isAccented: boolean
  readonly start: number
  readonly end: number
}

/** `#tag`, `$btc`, `@name`, `site:host`, `emoji:1f525`. */
interface EntityTerm {
  readonly term: string
  readonly start: number
  readonly end: number
}

export interface Analysis {
  readonly tokens: Token[]
  readonly entities: EntityTerm[]
}

/** `language` is the post's primary subtag; null when unknown. Linear in the text, never throws. */
export function analyze(text: string, language: string | null): Analysis {
  const lexicon = lexiconOf(language)
  return collect(text, lexicon, lexicon.cutsSuffix)
}

/** Stands for words that were skipped, so that the words around them are not adjacent. */
const UNREAD: Token = { tok: '', stem: '', isAccented: false, start: 0, end: 0 }

/** With `wants`, only words whose first letters pass it are read, and entities in the parts that are skipped are not found. */
export function collect(
  text: string,
  lexicon: Lexicon,
  cutsSuffix: boolean,
  wants?: FirstLetters,
): Analysis {
  const tokens: Token[] = []
  const entities: EntityTerm[] = []

  function add({ tok, stem, isAccented }: WordForm, start: number, end: number): void {
    if (tok !== '') tokens.push({ tok, stem, isAccented, start, end })
  }

  /** Adds a word of a script without stemmers, which is its own stem. */
  function addWhole(tok: string, start: number, end: number): void {
    add({ tok, stem: tok, isAccented: false }, start, end)
  }

  function addWord(start: number, end: number): void {
    add(lexicon.form(text, start, end), start, end)
  }

  function skip(): void {
    if (tokens.at(-1) !== UNREAD) tokens.push(UNREAD)
  }

  const sink: Sink = {
    word(start, end, isCompound) {
      if (!isCompound && wants?.(text.charCodeAt(start), text.charCodeAt(start + 1)) === false)
        skip()
      else if (!isCompound || end - start > 160) addWord(start, end)
      else {
        for (const piece of piecesOf(text.slice(start, end), cutsSuffix)) {
          addWord(start + piece.start, start + piece.end)
        }
      }
    },
    ideographs(start, end) {
      addBigrams(text, start, end, addWhole)
    },
    southeast(start, end) {
      eachSegment(text, start, end, (from, to) => {
        const tok = cut(text.slice(from, to).replace(/[^\p{L}\p{M}\p{N}]/gu, ''))
        addWhole(tok, from, to)
      })
    },
    entity(term, start, end) {
      entities.push({ term, start, end })
    },
  }
  if (wants === undefined) scan(text, sink)
  else scanWanted(text, sink, { wants, skip })
  return { tokens, entities }
}

type Add = (tok: string, start: number, end: number) => void

/**
 * 比特币 becomes 比特 特币 币: every pair, and the last character alone, so that each character begins a token and
 * one character can be searched for as a prefix. New words, which dictionaries lack, are found like old ones.
 */
function addBigrams(text: string, start: number, end: number, add: Add): void {
  let last = ''
  let lastStart = start
  let lastEnd = start
  let i = start
  while (i < end) {
    const next = clusterEnd(text, i, end)
    const char = ideograph(text, i, next)
    if (char !== '') {
      if (last !== '') add(last + char, lastStart, next)
      last = char
      lastStart = i
      lastEnd = next
    }
    i = next
  }
  add(last, lastStart, lastEnd)
}

/** A character with the marks, voicing signs and jamo that follow it. */
function clusterEnd(text: string, start: number, end: number): number {
  let i = start + (classOf(text.charCodeAt(start)) === SURROGATE ? 2 : 1)
  while (i < end && i < start + 8) {
    const unit = text.charCodeAt(i)
    const found = classOf(unit)
    const isJamo = unit >= 0x1160 && unit < 0x1200
    if (!isJamo && unit !== 0xff9e && unit !== 0xff9f && found !== MARK) break
    i++
  }
  return i
}

function ideograph(text: string, start: number, end: number): string {
  const unit = text.charCodeAt(start)
  if (end === start + 1 && unit >= 0x3041 && unit < 0xd7a4) {
    return String.fromCharCode(simplifiedUnit(unit))
  }
  const found = classAt(text, start)
  if (found === IGNORABLE || found === NON_JOINER) return ''
  const form = unit >= 0x1100 && unit < 0x1200 ? 'NFC' : 'NFKC'
  return simplified(text.slice(start, end).normalize(form).slice(0, 8))
}
