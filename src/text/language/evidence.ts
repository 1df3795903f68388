/** Counts the words, endings and letters that speak for and against each language of a script. */
import { FAMILIES } from './families.ts'
import type { Profile } from './profile.ts'
import type { Script } from './scripts.ts'

interface Evidence {
  /** By profile: the common words found, each divided among the languages that have it. */
  readonly words: Float64Array
  /** By profile: the frequent endings found, divided likewise. */
  readonly endings: Float64Array
  /** By profile: the words with a letter that the language does not have. */
  readonly foreign: Float64Array
}

interface EvidenceCounter {
  readonly codes: readonly string[]
  /** The arrays are reused by the next call. */
  count(words: readonly string[]): Evidence
}

const MAX_ENDING = 5
/** The weight of a letter that occurs only in names, relative to one that is not in the alphabet at all. */
const NAME_LETTER = 0.25

const counters = new Map<Script, EvidenceCounter>()

/** The counter of a script that several languages share, made on first use; undefined for other scripts. */
export function evidenceIn(script: Script): EvidenceCounter | undefined {
  const profiles = FAMILIES[script]?.profiles
  if (profiles && !counters.has(script)) counters.set(script, createCounter(profiles))
  return counters.get(script)
}

function createCounter(profiles: readonly Profile[]): EvidenceCounter {
  const size = profiles.length
  const common = index(profiles, (profile) => profile.words.split(' '))
  const tails = indexTails(profiles)
  const letters = indexLetters(profiles)
  const evidence = {
    words: new Float64Array(size),
    endings: new Float64Array(size),
    foreign: new Float64Array(size),
  }
  const lacking = new Int32Array(Math.ceil(size / 32))

  /** Counts the endings of `word` that are at least `n` letters long. The tail is the node of its last `n` letters. */
  function countEndings(word: string, { owners, before }: Tail, n: number): void {
    if (n < Math.min(MAX_ENDING, word.length - 2)) {
      const longer = before.get(word.charCodeAt(word.length - 1 - n))
      if (longer) countEndings(word, longer, n + 1)
    }
    if (n >= 2) for (const p of owners) evidence.endings[p]! += 1 / owners.length
  }

  function countLetters(word: string): void {
    let isAnyLacked = false
    for (let i = 0; i < word.length; i++) {
      const letter = letters.get(word.charCodeAt(i))
      if (!letter) continue
      if (letter.lacking) {
        if (!isAnyLacked) lacking.fill(0)
        isAnyLacked = true
        for (let part = 0; part < lacking.length; part++) lacking[part]! |= letter.lacking[part]!
      }
      for (const p of letter.unlikely) evidence.foreign[p]! += NAME_LETTER
      const never = letter.never?.get(word.charCodeAt(i + 1))
      if (never) for (const p of never) evidence.foreign[p]! += 1
    }
    if (!isAnyLacked) return
    for (let p = 0; p < size; p++) {
      if (lacking[p >> 5]! & (1 << (p & 31))) evidence.foreign[p]! += 1
    }
  }

  return {
    codes: profiles.map((profile) => profile.code),
    count(words) {
      for (const array of Object.values(evidence)) array.fill(0)
      for (const word of words) {
        const owners = common.get(word)
        if (owners) {
          for (const p of owners) evidence.words[p]! += 1 / owners.length
        } else countEndings(word, tails, 0)
        countLetters(word)
      }
      return evidence
    },
  }
}

/** A node of a trie of endings, read from their last letter backwards, so that a look-up needs no slice of the word. */
interface Tail {
  /** Profiles that have this ending. */
  owners: readonly number[]
  readonly before: Map<number, Tail>
}

function indexTails(profiles: readonly Profile[]): Tail {
  const root: Tail = { owners: [], before: new Map() }
  for (const [ending, owners] of index(profiles, (profile) => profile.endings.split(' '))) {
    let tail = root
    for (let i = ending.length - 1; i >= 0; i--) {
      const unit = ending.charCodeAt(i)
      const longer = tail.before.get(unit) ?? { owners: [], before: new Map<number, Tail>() }
      tail.before.set(unit, longer)
      tail = longer
    }
    tail.owners = owners
  }
  return root
}

interface Letter {
  /** A bit for each profile that does not have the letter; undefined for letters that all languages of the script have. */
  readonly lacking: Int32Array | undefined
  /** Profiles of languages in which it occurs only in names. */
  readonly unlikely: readonly number[]
  /** Next letter → the profiles of languages whose spelling rules out that pair. */
  readonly never: ReadonlyMap<number, readonly number[]> | undefined
}

/** By code unit, so that one look-up per letter of a text is enough. */
function indexLetters(profiles: readonly Profile[]): ReadonlyMap<number, Letter> {
  const own = index(profiles, ({ letters }) => [...letters])
  const unlikely = index(profiles, ({ lacks }) => [...(lacks ?? '')])
  const never = new Map<string, Map<number, readonly number[]>>()
  for (const [pair, owners] of index(profiles, (profile) => (profile.never ?? '').split(' '))) {
    const behind = never.get(pair[0]!) ?? new Map<number, readonly number[]>()
    never.set(pair[0]!, behind.set(pair.charCodeAt(1), owners))
  }
  const all = new Set([...own.keys(), ...unlikely.keys(), ...never.keys()])
  return new Map(
    [...all].map((letter) => {
      const owners = own.get(letter)
      const lacking = owners && new Int32Array(Math.ceil(profiles.length / 32)).fill(-1)
      for (const p of owners ?? []) lacking![p >> 5]! &= ~(1 << (p & 31))
      return [
        letter.charCodeAt(0),
        { lacking, unlikely: unlikely.get(letter) ?? [], never: never.get(letter) },
      ] as const
    }),
  )
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
