import { getOrMake } from '../model/get-or-make.ts'
import { foldWord, lowerTurkishWord, lowerWord } from './fold.ts'
import { scriptOf, stemProfile, stemTerm } from './stem/stem.ts'
import { stemSource } from './words.ts'

/** A word as the index holds it. `tok` is empty when nothing of the word is left. */
export interface WordForm {
  readonly tok: string
  readonly stem: string
  /** The word without its accents has a different stem, so a query without them reaches the word by `tok` alone. */
  readonly isAccented: boolean
}

/** Folds and stems the words of one language. */
export interface Lexicon {
  /** True for Turkish and Azerbaijani, which write a name's endings after an apostrophe. */
  readonly cutsSuffix: boolean
  /** The form of `text.slice(start, end)`, which must not be empty. */
  form(text: string, start: number, end: number): WordForm
}

interface Entry extends WordForm {
  readonly raw: string
  readonly lexicon: number
}

/**
 * Nine words in ten repeat, so forms are cached in a table with two entries per hash, the last used first. It never grows
 * (about 6 MB per thread when full, for all languages; four times that would save a tenth of the time), needs no slice of
 * the text to look a word up, and is twice as fast as a Map.
 */
const SLOTS = 1 << 15
const table: (Entry | undefined)[] = Array.from({ length: SLOTS })
/** Longer words are cut before any processing, which bounds the work on hostile text. */
const RAW_UNITS = 160

const lexicons = new Map<string | undefined, Lexicon>()

export function lexiconOf(language: string | null): Lexicon {
  const profile = stemProfile(language)
  return getOrMake(lexicons, profile, () => createLexicon(profile, lexicons.size))
}

function createLexicon(profile: string | undefined, number: number): Lexicon {
  const cutsSuffix = isTurkic(profile)

  function isWord(entry: Entry | undefined, text: string, start: number, length: number): boolean {
    return (
      entry !== undefined &&
      entry.raw.length === length &&
      entry.lexicon === number &&
      isAt(text, entry.raw, start)
    )
  }

  return {
    cutsSuffix,
    form(text, start, wordEnd) {
      const end = Math.min(wordEnd, start + RAW_UNITS)
      let hash = number
      for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x5bd1e995)
      const first = (hash ^ (hash >>> 15)) & (SLOTS - 1)
      const recent = table[first]
      if (isWord(recent, text, start, end - start)) return recent!
      const second = first ^ 1
      let entry = table[second]
      if (!isWord(entry, text, start, end - start)) {
        const raw = ownCopy(text, start, end)
        entry = { raw, lexicon: number, ...makeForm(raw, profile) }
      }
      table[second] = recent
      table[first] = entry
      return entry!
    },
  }
}

function makeForm(raw: string, profile: string | undefined): WordForm {
  const lower = lowerWord(raw)
  const tok = foldWord(lower)
  const source = stemSource(raw)
  const isWhole = source === raw
  const base = isWhole ? lower : lowerWord(source)
  const baseTok = isWhole ? tok : foldWord(base)
  const turkish = isTurkic(profile) ? lowerTurkishWord(source) : base
  const lowest = scriptOf(turkish) === 'latin' ? turkish : base
  const stem = stemTerm(lowest, baseTok, profile)
  // Most words have no accents, and stemming is the expensive part.
  const isBare = lowest === tok && baseTok === tok
  return { tok, stem, isAccented: !isBare && stem !== stemTerm(tok, tok, profile) }
}

function isTurkic(profile: string | undefined): boolean {
  return profile === 'tr' || profile === 'az'
}

/** A slice would keep the whole text it came from alive. */
function ownCopy(text: string, start: number, end: number): string {
  let copy = ''
  for (let i = start; i < end; i++) copy += String.fromCharCode(text.charCodeAt(i))
  return copy
}

/** `startsWith` is a call into the runtime, a tenth slower overall for words of this length. */
function isAt(text: string, raw: string, start: number): boolean {
  for (let i = 0; i < raw.length; i++)
    if (text.charCodeAt(start + i) !== raw.charCodeAt(i)) return false
  return true
}
