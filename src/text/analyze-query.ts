import { collect, type Analysis, type Token } from './analyze.ts'
import { UNSPACED } from './characters.ts'
import { foldWord, lowerTurkishWord, lowerWord } from './fold.ts'
import { lexiconOf } from './lexicon.ts'
import { languageOfStem, stemTermsOfQuery } from './stem/stem.ts'
import { mayHaveCutEnding, stemSource } from './words.ts'

/**
 * A query's word as it has to be looked up in the index. A post is stemmed in its own language, and a query has none, so each
 * position of the word carries every stem that a post of any language may have given it.
 */

/** What may stand at one position: any of `toks` in the folded stream, or any of `stems` in the stem stream. */
export interface QueryTerm {
  /** The folded form first, then other spellings of it (Müller: muller, mueller). */
  readonly toks: readonly string[]
  readonly stems: readonly string[]
  readonly typed: string
  /** Typed without accents: a post that holds the word holds one of `stems`, unless the post writes it with accents. */
  readonly isBare: boolean
  /** Matches tokens that start with `toks[0]`: for a single ideograph, which posts hold inside bigrams. */
  readonly isPrefix: boolean
}

interface QueryWord {
  /** Sequences of adjacent positions, any one of which is enough. Empty when the word has no letters. */
  readonly alternatives: readonly (readonly QueryTerm[])[]
  /** Terms of the entity stream that the word stands for, such as an emoji. */
  readonly entities: readonly string[]
}

/** Analyses a word or phrase as typed, of at most a few hundred characters. With `languages`, only these stemmers are used. */
export function analyzeQueryWord(word: string, languages?: ReadonlySet<string>): QueryWord {
  const lexicon = lexiconOf(null)
  const plain = collect(word, lexicon, false)
  const sequences = [termsOf(word, plain, languages)]
  if (mayHaveCutEnding(word)) {
    const cut = termsOf(word, collect(word, lexicon, true), languages)
    if (signature(cut) !== signature(sequences[0]!)) sequences.push(cut)
  }
  return {
    alternatives: sequences.filter((sequence) => sequence.length > 0),
    entities: [...new Set(plain.entities.map((entity) => entity.term))],
  }
}

/** Korean has spaces, but joins words that other languages separate. */
export const RUN = new RegExp(String.raw`[${UNSPACED}\p{Script=Hangul}]`, 'u')

/**
 * The pieces of a run that a post may hold apart: pairs of characters, or words of a dictionary. Scripts without spaces write
 * a whole question as one such run. Empty for other words.
 */
export function piecesOfRun(word: string, sequence: readonly QueryTerm[]): string[] {
  if (sequence.length < 2 || !RUN.test(word)) return []
  return [...new Set(sequence.filter((term) => !term.isPrefix).map((term) => term.toks[0]!))]
}

/**
 * The parts of a compound such as `Scud-Raketen`, which posts may hold apart or in other forms. Parts of one letter or at most
 * two digits are left out, because they mean nothing alone. Empty for other words.
 */
export function partsOfCompound(word: string, sequence: readonly QueryTerm[]): string[] {
  if (sequence.length < 2 || RUN.test(word)) return []
  return [...new Set(sequence.map((term) => term.typed))].filter((part) => TELLING.test(part))
}

const TELLING = /\p{L}.|.\p{L}|.../u

/** The query terms for each position of an analysed text. */
export function termsOf(
  word: string,
  analysis: Analysis,
  languages?: ReadonlySet<string>,
): QueryTerm[] {
  const tokens = analysis.tokens.filter(
    (token, index, all) => !isLoneTail(token, all[index - 1], index === all.length - 1),
  )
  return tokens.map((token) => termOf(word, token, languages))
}

/**
 * True for the last ideograph by itself. It only repeats the end of the bigram before it, and a post whose text goes on has a
 * different bigram at that position.
 */
function isLoneTail(token: Token, before: Token | undefined, isLast: boolean): boolean {
  return isLast && before !== undefined && before.end === token.end && before.start < token.start
}

function termOf(word: string, token: Token, languages?: ReadonlySet<string>): QueryTerm {
  const { tok } = token
  const raw = word.slice(token.start, token.end)
  if (LONE_IDEOGRAPH.test(tok))
    return { toks: [tok], stems: [tok], typed: raw, isBare: false, isPrefix: true }
  const lower = lowerWord(raw)
  const toks = /[äöüøå]/.test(lower) ? [tok, foldWord(spelledOut(lower))] : [tok]
  const source = stemSource(raw)
  const base = source === raw ? lower : lowerWord(source)
  const baseTok = source === raw ? tok : foldWord(base)
  const stems = new Set([tok, ...stemTermsOfQuery(base, baseTok, languages)])
  const turkish = lowerTurkishWord(source)
  if (turkish !== base) {
    for (const stem of stemTermsOfQuery(turkish, baseTok, languages)) {
      if (TURKIC.has(languageOfStem(stem))) stems.add(stem)
    }
  }
  return { toks, stems: [...stems], typed: raw, isBare: base === tok, isPrefix: false }
}

const LONE_IDEOGRAPH = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u

/** Languages in which I is not the capital of i. */
const TURKIC: ReadonlySet<string | undefined> = new Set(['tr', 'az'])

/** Umlauts, and the Nordic ø and å, as people write them who do not have the keys. */
function spelledOut(lower: string): string {
  return lower.replace(/[äöüøå]/g, (letter) => SPELLINGS[letter]!)
}

const SPELLINGS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

function signature(sequence: readonly QueryTerm[]): string {
  return sequence.map((term) => term.toks[0]).join(' ')
}
