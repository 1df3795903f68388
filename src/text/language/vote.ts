/**
 * Which language of one script: lid.176 and the hand-written profiles vote. Log-linear, so that each may be sure or
 * silent. A second model (eld) gave 0.8 points at up to 30 characters and 0.2 beyond, for 90 MB a thread; the
 * figures are in docs/search-quality.md.
 */
import { createEvidenceCounter, type EvidenceCounter } from './evidence.ts'
import type { FastTextModel } from './fasttext-model.ts'
import { priorOf } from './priors.ts'
import type { Profile } from './profile.ts'

export interface Voter {
  readonly evidence: EvidenceCounter
  vote(words: readonly string[]): { code: string; score: number }
}

interface VoterOptions {
  readonly model: FastTextModel
  readonly profiles: readonly Profile[]
  /** Label of lid.176 → our code, for labels that are not the code itself. */
  readonly labels: ReadonlyMap<string, string>
  /** Weight of a word with a letter the language does not have. */
  readonly foreignWeight: number
}

const LID_WEIGHT = 1.2
const LID_FLOOR = 0.0024
const WORD_WEIGHT = 8.7
const ENDING_WEIGHT = 2.9
const LETTER_WEIGHT = 0.33
/** Evidence grows more slowly than the text: ten words of it are not ten times as sure. */
const EVIDENCE_EXPONENT = 0.18
const FOREIGN_EXPONENT = 1.2
/** Turns differences of votes into a score that means what it says: of those at 0.6, about 9 in 10 are right. */
const TEMPERATURE = 0.55

export function createVoter(options: VoterOptions): Voter {
  const { model, profiles } = options
  const evidence = createEvidenceCounter(profiles)
  const size = profiles.length
  const labelToProfile = model.labels.map((label) =>
    evidence.codes.indexOf(options.labels.get(label) ?? label),
  )
  const priors = evidence.codes.map(priorOf)
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
    // Other scripts' languages are out of the question: what the model gave them is shared out.
    for (let p = 0; p < size; p++)
      votes[p] = LID_WEIGHT * Math.log(lid[p]! / (mass || 1) + LID_FLOOR) - priors[p]!
  }

  function voteOfProfiles(words: readonly string[]): void {
    const found = evidence.count(words)
    const scale = Math.pow(words.length, EVIDENCE_EXPONENT)
    const foreignScale = options.foreignWeight / Math.pow(words.length, FOREIGN_EXPONENT)
    for (let p = 0; p < size; p++) {
      const spoken =
        WORD_WEIGHT * found.words[p]! +
        ENDING_WEIGHT * found.endings[p]! +
        LETTER_WEIGHT * found.letters[p]!
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

  return {
    evidence,
    vote(words) {
      voteOfModel(words.join(' '))
      voteOfProfiles(words)
      return best()
    },
  }
}
