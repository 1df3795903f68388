import { foldWord, lowerTurkishWord, lowerWord } from './fold.ts'
import { stemLanguage, stemWord } from './stem.ts'

/** A word as the index keeps it. `tok` is empty where nothing of the word is left. */
export interface WordForm {
  readonly tok: string
  readonly stem: string
}

/** Folds and stems the words of one language, remembering those it has seen: nine words in ten repeat. */
export interface Lexicon {
  readonly language: string | undefined
  form(raw: string): WordForm
}

/** Two generations of this many words each, so that hot words survive a flood of new ones. */
const REMEMBERED = 50_000
/** A longer word is cut before anything is done with it, which bounds the work on hostile text. */
const RAW_UNITS = 160

const lexicons = new Map<string | undefined, Lexicon>()

export function lexiconOf(language: string | null): Lexicon {
  const served = stemLanguage(language)
  let lexicon = lexicons.get(served)
  if (!lexicon) lexicons.set(served, (lexicon = createLexicon(served)))
  return lexicon
}

function createLexicon(language: string | undefined): Lexicon {
  const isTurkic = language === 'tr' || language === 'az'
  let young = new Map<string, WordForm>()
  let old = new Map<string, WordForm>()

  function remember(raw: string, form: WordForm): WordForm {
    if (young.size >= REMEMBERED) {
      old = young
      young = new Map()
    }
    young.set(raw, form)
    return form
  }

  return {
    language,
    form(word) {
      const raw = word.length > RAW_UNITS ? word.slice(0, RAW_UNITS) : word
      const known = young.get(raw)
      if (known) return known
      const aged = old.get(raw)
      if (aged) return remember(ownCopy(raw), aged)
      const lower = lowerWord(raw)
      const tok = foldWord(lower)
      const stem = stemWord(isTurkic ? lowerTurkishWord(raw) : lower, tok, language)
      return remember(ownCopy(raw), { tok, stem })
    },
  }
}

/** A slice keeps the whole text it came from alive; the memo must not. */
function ownCopy(slice: string): string {
  let copy = ''
  for (let i = 0; i < slice.length; i++) copy += String.fromCharCode(slice.charCodeAt(i))
  return copy
}
