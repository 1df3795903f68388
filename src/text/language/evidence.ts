/** Counts what words, endings and letters say for and against each language of a script. */
import { FAMILIES } from './families.ts'
import type { Profile } from './profile.ts'
import type { Script } from './scripts.ts'

interface Evidence {
  /** By profile: common words met, each shared out among the languages that have it. */
  readonly words: Float64Array
  /** By profile: frequent endings met, shared out likewise. */
  readonly endings: Float64Array
  /** By profile: words with a letter the language does not have. */
  readonly foreign: Float64Array
}

interface EvidenceCounter {
  readonly codes: readonly string[]
  /** The arrays are reused by the next call. */
  count(words: readonly string[]): Evidence
}

const MAX_ENDING = 5
/** What a letter that only names bring weighs, against one that is not in the alphabet at all. */
const NAME_LETTER = 0.25

const counters = new Map<Script, EvidenceCounter>()

/** The one of a script that several languages share, made when it is first asked for; undefined for other scripts. */
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

  /** Of those that end with `tail`, which is the word's last `n` letters; the longest first. */
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

/** Endings by their letters from the last one on, so that nothing of a word is cut off to look for one. */
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
  /** A bit for each profile that does not have the letter; undefined where it is of the script's common stock. */
  readonly lacking: Int32Array | undefined
  /** Profiles into which only names bring it. */
  readonly unlikely: readonly number[]
  /** Profiles that never have the letter behind it, by that letter. */
  readonly never: ReadonlyMap<number, readonly number[]> | undefined
}

/** One look for each letter of a text, by its code unit. */
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
