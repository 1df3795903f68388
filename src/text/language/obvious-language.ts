/** A cheap detector that decides two texts in three: it uses no model and reads only the first letters. */
import { evidenceIn } from './evidence.ts'
import { languageByScript } from './script-language.ts'
import { prepareText } from './prepare-text.ts'

const LETTERS_READ = 200
const MIN_LETTERS = 20
const MIN_SHARE = 0.8
/** The least evidence in total, and per word. With these bounds 0.2 % of texts are given a wrong language. */
const MIN_EVIDENCE = 1.5
const MIN_DENSITY = 0.1
/** The factor by which it must be ahead of every other language of the script. */
const LEAD = 1.5
const ENDING_SHARE = 0.3

export interface ObviousLanguage {
  readonly code: string
  /** Letters of the main script among those that were read. */
  readonly letters: number
}

/**
 * The language of a text where it is obvious: script, letters and common words agree, and no other language of the script is
 * close. Undefined means only that it is not obvious.
 */
export function obviousLanguage(text: string): ObviousLanguage | undefined {
  const prepared = prepareText(text, LETTERS_READ)
  const { script, words, letters, share } = prepared
  if (script === null || letters < MIN_LETTERS || share < MIN_SHARE) return undefined
  const lone = languageByScript(prepared)
  if (lone !== undefined) return { code: lone, letters }
  const evidence = evidenceIn(script)
  if (!evidence) return undefined
  const found = evidence.count(words)
  let best = -1
  let most = -Infinity
  let second = -Infinity
  for (let p = 0; p < evidence.codes.length; p++) {
    const speaking = found.words[p]! + ENDING_SHARE * found.endings[p]! - found.foreign[p]!
    if (speaking > most) {
      second = most
      most = speaking
      best = p
    } else if (speaking > second) second = speaking
  }
  // One foreign letter in ten words may be a name.
  const isPlain =
    most >= Math.max(MIN_EVIDENCE, MIN_DENSITY * words.length) &&
    second * LEAD <= most &&
    found.foreign[best]! * 10 <= words.length
  return isPlain ? { code: evidence.codes[best]!, letters } : undefined
}
