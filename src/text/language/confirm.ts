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

export function createConfirmer(): (text: string, code: string) => boolean {
  const counters = new Map<string, EvidenceCounter>()
  for (const [script, profiles] of SHARED_SCRIPTS) {
    counters.set(script, createEvidenceCounter(profiles))
  }

  return (text, code) => {
    const prepared = prepareText(text, LETTERS_READ)
    const { script, words, letters, share } = prepared
    if (script === null || letters < MIN_LETTERS || share < MIN_SHARE) return false
    const lone = loneLanguage(prepared)
    if (lone !== undefined) return lone === code
    const counter = counters.get(script)
    const own = counter?.codes.indexOf(code) ?? -1
    if (!counter || own < 0) return false
    const found = counter.count(words)
    // One foreign letter in ten words may be a name.
    if (found.foreign[own]! * 10 > words.length) return false
    const evidenceOf = (p: number) =>
      found.words[p]! + ENDING_SHARE * found.endings[p]! - found.foreign[p]!
    const mine = evidenceOf(own)
    if (mine < Math.max(MIN_EVIDENCE, MIN_DENSITY * words.length)) return false
    for (let p = 0; p < counter.codes.length; p++) {
      if (p !== own && evidenceOf(p) * LEAD > mine) return false
    }
    return true
  }
}
