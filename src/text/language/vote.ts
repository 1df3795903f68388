/**
 * Decides between the languages of one script: lid.176 and the hand-written profiles vote. The vote is log-linear, so that
 * each may be sure or silent. A second model (eld) gained 0.8 points at up to 30 characters and 0.2 beyond, for 90 MB per
 * thread; the figures are in docs/search-quality.md.
 */
import { evidenceIn } from './evidence.ts'
import type { FastTextModel } from './fasttext-model.ts'
import { FAMILIES, MODEL_LABELS } from './families.ts'
import type { Script } from './scripts.ts'

/** Takes the words of a text in one script. */
type Vote = (words: readonly string[]) => { readonly code: string; readonly score: number }

/** Lowers the scores, because the answer for unseen text is right a little less often than for the text used for fitting. */
const TEMPERATURE = 0.9

/** For a script that several languages share. */
export function createVote(script: Script, model: FastTextModel): Vote {
  const evidence = evidenceIn(script)!
  const { weights, priors } = FAMILIES[script]!
  const size = evidence.codes.length
  const labelToProfile = model.labels.map((label) =>
    evidence.codes.indexOf(MODEL_LABELS.get(label) ?? label),
  )
  const doubts = evidence.codes.map((code) => priors.get(code) ?? 0)
  const lid = new Float64Array(size)
  const votes = new Float64Array(size)

  function voteOfModel(text: string): void {
    const probabilities = model.predict(text)
    lid.fill(0)
    let mass = 0
    for (let label = 0; label < probabilities.length; label++) {
      const p = labelToProfile[label]!
      if (p < 0) continue
      lid[p]! += probabilities[label]!
      mass += probabilities[label]!
    }
    // Languages of other scripts are impossible, so their probability is divided among the rest.
    for (let p = 0; p < size; p++)
      votes[p] = weights.model * Math.log(lid[p]! / (mass || 1) + weights.floor) - doubts[p]!
  }

  function voteOfProfiles(words: readonly string[]): void {
    const found = evidence.count(words)
    const scale = Math.pow(words.length, weights.evidenceExponent)
    const foreignScale = weights.foreign / Math.pow(words.length, weights.foreignExponent)
    for (let p = 0; p < size; p++) {
      const spoken = weights.word * found.words[p]! + weights.ending * found.endings[p]!
      votes[p]! += spoken / scale - foreignScale * found.foreign[p]!
    }
  }

  function best(): { code: string; score: number } {
    let winner = 0
    for (let p = 1; p < size; p++) if (votes[p]! > votes[winner]!) winner = p
    let sum = 0
    for (let p = 0; p < size; p++) sum += Math.exp(TEMPERATURE * (votes[p]! - votes[winner]!))
    return { code: evidence.codes[winner]!, score: 1 / sum }
  }

  return (words) => {
    voteOfModel(words.join(' '))
    voteOfProfiles(words)
    return best()
  }
}
