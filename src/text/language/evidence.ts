/** Counts what words, endings and letters say for and against each language of a script. */
import type { Profile } from './profile.ts'

export interface Evidence {
  /** By profile: common words met, each shared out among the languages that have it. */
  readonly words: Float64Array
  /** By profile: frequent endings met, shared out likewise. */
  readonly endings: Float64Array
  /** By profile: words with a letter few other languages have, shared out likewise. */
  readonly letters: Float64Array
  /** By profile: words with a letter the language does not have. */
  readonly foreign: Float64Array
  /** By profile: words that are common in the language, not shared out. */
  readonly hits: Float64Array
}

export interface EvidenceCounter {
  readonly codes: readonly string[]
  /** The arrays are reused by the next call. */
  count(words: readonly string[]): Evidence
}

const MAX_ENDING = 5
/** What a letter that only names bring weighs, against one that is not in the alphabet at all. */
const NAME_LETTER = 0.25

export function createEvidenceCounter(profiles: readonly Profile[]): EvidenceCounter {
  const size = profiles.length
  const common = index(profiles, (profile) => profile.words.split(' '))
  const endings = index(profiles, (profile) => profile.endings.split(' '))
  const letters = index(profiles, (profile) => [...profile.letters])
  const unlikely = index(profiles, (profile) => [
    ...(profile.lacks ?? ''),
    ...(profile.never ?? '').split(' '),
  ])
  const evidence = {
    words: new Float64Array(size),
    endings: new Float64Array(size),
    letters: new Float64Array(size),
    foreign: new Float64Array(size),
    hits: new Float64Array(size),
  }
  const seen = new Uint8Array(size)

  function countLetters(word: string): void {
    let anySpecial = false
    for (let i = 0; i < word.length; i++) {
      const owners = letters.get(word[i]!)
      if (!owners) continue
      if (!anySpecial) seen.fill(0)
      anySpecial = true
      let next = 0
      for (let p = 0; p < size; p++) {
        if (owners[next] === p) {
          next++
          evidence.letters[p]! += 1 / owners.length
        } else seen[p] = 1
      }
    }
    for (let i = 0; i < word.length; i++) {
      const single = unlikely.get(word[i]!)
      if (single) for (const p of single) evidence.foreign[p]! += NAME_LETTER
      const pair = unlikely.get(i + 2 <= word.length ? word.slice(i, i + 2) : '')
      if (pair) for (const p of pair) evidence.foreign[p]! += 1
    }
    if (anySpecial) for (let p = 0; p < size; p++) evidence.foreign[p]! += seen[p]!
  }

  return {
    codes: profiles.map((profile) => profile.code),
    count(words) {
      for (const array of Object.values(evidence)) array.fill(0)
      for (const word of words) {
        const owners = common.get(word)
        if (owners) {
          for (const p of owners) {
            evidence.words[p]! += 1 / owners.length
            evidence.hits[p]!++
          }
        } else {
          for (let n = Math.min(MAX_ENDING, word.length - 2); n >= 2; n--) {
            const having = endings.get(word.slice(-n))
            if (having) for (const p of having) evidence.endings[p]! += 1 / having.length
          }
        }
        countLetters(word)
      }
      return evidence
    },
  }
}

/** Entry → the profiles that have it, in order. */
function index(
  profiles: readonly Profile[],
  entriesOf: (profile: Profile) => readonly string[],
): Map<string, readonly number[]> {
  const found = new Map<string, number[]>()
  for (const [p, profile] of profiles.entries()) {
    for (const entry of new Set(entriesOf(profile))) {
      if (entry === '') continue
      const owners = found.get(entry)
      if (owners) owners.push(p)
      else found.set(entry, [p])
    }
  }
  return found
}
