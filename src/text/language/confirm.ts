/** The cheap check for channels whose language is settled: no models, the first letters. */
import { createEvidenceCounter, type EvidenceCounter } from './evidence.ts'
import { SHARED_SCRIPTS } from './families.ts'
import { loneLanguage } from './lone-scripts.ts'
import { prepareText } from './prepare-text.ts'

const LETTERS_READ = 200
const MIN_LETTERS = 20
const MIN_SHARE = 0.8
/** Evidence in all, and for each word. With these 0.2 % of texts are confirmed in a language they are not in. */
const MIN_EVIDENCE = 1.5
const MIN_DENSITY = 0.1
/** How far ahead of every other language of the script it must be. */
const LEAD = 1.5
const ENDING_SHARE = 0.3

/** Whether a text is plainly in a language. */
export function createConfirmer(): (text: string, code: string) => boolean {
  const plainLanguage = createPlainLanguage()
  return (text, code) => plainLanguage(text) === code
}

/** The language a text is plainly in; undefined where it is not plain. */
export function createPlainLanguage(): (text: string) => string | undefined {
  const counters = new Map<string, EvidenceCounter>()
  for (const [script, profiles] of SHARED_SCRIPTS) {
    counters.set(script, createEvidenceCounter(profiles))
  }

  return (text) => {
    const prepared = prepareText(text, LETTERS_READ)
    const { script, words, letters, share } = prepared
    if (script === null || letters < MIN_LETTERS || share < MIN_SHARE) return undefined
    const lone = loneLanguage(prepared)
    const counter = counters.get(script)
    if (lone !== undefined || !counter) return lone
    const found = counter.count(words)
    let best = -1
    let most = -Infinity
    let second = -Infinity
    for (let p = 0; p < counter.codes.length; p++) {
      const evidence = found.words[p]! + ENDING_SHARE * found.endings[p]! - found.foreign[p]!
      if (evidence > most) {
        second = most
        most = evidence
        best = p
      } else if (evidence > second) second = evidence
    }
    // One foreign letter in ten words may be a name.
    const isPlain =
      most >= Math.max(MIN_EVIDENCE, MIN_DENSITY * words.length) &&
      second * LEAD <= most &&
      found.foreign[best]! * 10 <= words.length
    return isPlain ? counter.codes[best] : undefined
  }
}
