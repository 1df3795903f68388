import { DAY_S } from '../model/time.ts'
import type { RankUnit } from './rank-unit.ts'

/**
 * The one ranker. It sees candidates only, whichever engine found them, and a post's score does not depend on what else
 * was found. Therefore a page can continue after a score, and two engines agree.
 */

/** What a post holds of the query's units, and whatever else its rank depends on. */
export interface Candidate {
  /** Where it holds which unit, encoded by `placeOf`, in ascending order. */
  readonly places: readonly number[]
  /** Number of folded words, and the length as `lengthInWords` counts it. */
  readonly toks: number
  readonly words: number
  /** How many words the first line has. */
  readonly firstLine: number
  /** Publication time plus bonus, in seconds. */
  readonly prior: number
  /** True if an earlier post says the same. */
  readonly isCopy: boolean
}

/** The ranker looks for at most this many units. */
export const MAX_UNITS = 64

/** A unit at a position in the text, in the typed form or another, as one number, so that places sort by position. */
export function placeOf(position: number, unit: number, isTyped: boolean): number {
  return (position * MAX_UNITS + unit) * 2 + (isTyped ? 1 : 0)
}

/** For a unit that a post holds at an unknown position: beyond the end of any post. */
export const UNKNOWN_POSITION = 2 ** 23

/**
 * True if it does not matter where and how often a post holds the unit. Function words hardly order posts that hold only
 * some of the words, and finding their positions would mean reading the longest lists of all.
 */
export function isAnywhere({ isFunctionWord }: RankUnit, matched: 'all' | 'some'): boolean {
  return matched === 'some' && isFunctionWord
}

interface Ranked {
  readonly score: number
  /** Indexes of the units that the post does not hold. */
  readonly missing: readonly number[]
}

interface Ranker {
  /** For a post that satisfies the query: a score of 10 or more. */
  all(candidate: Candidate): Ranked
  /**
   * For a post that holds some of the words: a score below 10. It depends mostly on how rare the held words are and how
   * often they occur (BM25), and on words that share their prefixes if the units include them.
   */
  some(candidate: Candidate): Ranked
}

const WEIGHTS = {
  /** How often the words occur, relative to the post's length. */
  frequency: 1.2,
  /** How close together the words are. */
  proximity: 1.6,
  /** Words in the form that was typed. */
  exact: 0.8,
  firstLine: 0.8,
  /** Subtracted from a post that repeats an earlier one. */
  copy: 0.5,
  prior: 1.4,
}

/** Weights beside BM25, which is 1 for a post of mean length that holds every word once. */
const SOME = {
  /** For most of the words in one passage. */
  together: 0.4,
  exact: 0.1,
  firstLine: 0.1,
  /** Shares of the whole score. */
  prior: 0.07,
  copy: 0.03,
  /** Share of a word's weight that a post gets for holding only one that shares its prefix. */
  sharedPrefix: 0.4,
}

/** Exponent of the rarity: a rare word weighs somewhat more beside a common one than the logarithms say. */
const RARITY = 1.2
const K1 = 0.8
const B = 0.5
/** Fixed, so that scores do not depend on what else is indexed. */
const MEAN_WORDS = 40
/** Shorter posts count as this long. */
const LEAST_WORDS = 8
/** A post whose repetitions of the query's words are more than this share of its words is usually spam. */
const REPEATED_SHARE = 0.25
/** A passage is this many words, about a sentence or two. */
const PASSAGE_WORDS = 20
/** Further occurrences of a word add nothing. */
const MOST_TIMES = 10
const MOST_SOME =
  saturated(MOST_TIMES, lengthOf(LEAST_WORDS)) + SOME.together + SOME.exact + SOME.firstLine
/** A prior of this age counts half. */
const HALF_LIFE_S = 4 * DAY_S

export function createRanker(units: readonly RankUnit[], nowS: number): Ranker {
  const own = units.filter((unit) => unit.sharesPrefixOf === undefined).length
  const weights = units.map((unit) => unit.idf ** RARITY)
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1
  /** For each unit, the one of words that share its prefix; a unit without one points to itself. */
  const sharedAt = Uint8Array.from({ length: own }, (_, u) => u)
  for (let u = own; u < units.length; u++) sharedAt[units[u]!.sharesPrefixOf!] = u
  const tf = new Uint16Array(units.length)
  const exact = new Uint8Array(units.length)
  const first = new Uint8Array(units.length)
  /** Position and unit of each place, in order of position. */
  const places: number[] = []

  function fitOf(candidate: Candidate, matched: 'all' | 'some'): Fit {
    tf.fill(0)
    exact.fill(0)
    first.fill(0)
    places.length = 0
    for (const each of candidate.places) {
      const place = each >>> 1
      const u = place % MAX_UNITS
      if (u >= own || isAnywhere(units[u]!, matched)) {
        tf[u] = 1
        continue
      }
      if (each & 1) exact[u] = 1
      // A word is found twice at the same place, by its form and by its stem.
      if (place === places.at(-1)) continue
      places.push(place)
      tf[u]!++
      if (place < candidate.firstLine * MAX_UNITS) first[u] = 1
    }
    const missing: number[] = []
    let held = 0
    let frequency = 0
    let bm25 = 0
    let exactness = 0
    let firstLine = 0
    const length = lengthOf(candidate.words)
    for (let u = 0; u < own; u++) {
      const count = tf[u]!
      const weight = weights[u]!
      if (count === 0) {
        missing.push(u)
        if (tf[sharedAt[u]!] === 1) bm25 += weight * SOME.sharedPrefix * saturated(1, length)
        continue
      }
      bm25 += weight * saturated(Math.min(count, MOST_TIMES), length)
      held += weight
      // More than three occurrences are no better than three: repetition is typical of spam.
      const times = Math.min(count, 3)
      frequency += (weight * times) / (times + length)
      if (exact[u]) exactness += weight
      if (first[u]) firstLine += weight
    }
    const repeats = (places.length - (own - missing.length)) / Math.max(1, candidate.toks)
    return {
      missing,
      bm25: bm25 / total,
      frequency: (frequency / total) * (repeats > REPEATED_SHARE ? 0.3 : 1),
      exact: exactness / total,
      firstLine: firstLine / total,
      held: held / total,
    }
  }

  /**
   * The share of the query's weight in the best passage, beyond the share of the weightiest word alone: words far apart
   * may belong to different stories. The shares are squared to favour passages with most of the words.
   */
  function togetherness(): number {
    const seen = new Uint16Array(own)
    let from = 0
    let sum = 0
    let best = 0
    let most = 0
    for (const place of places) {
      const weight = weights[place % MAX_UNITS]!
      if (seen[place % MAX_UNITS]!++ === 0) sum += weight
      for (; place - places[from]! >= PASSAGE_WORDS * MAX_UNITS; from++) {
        const u = places[from]! % MAX_UNITS
        if (--seen[u]! === 0) sum -= weights[u]!
      }
      best = Math.max(best, sum)
      most = Math.max(most, weight)
    }
    return (best / total) ** 2 - (most / total) ** 2
  }

  type Standing = Pick<Candidate, 'prior' | 'isCopy'>
  /** 1 for a post published now, falling with its age. */
  const freshness = (candidate: Standing) =>
    HALF_LIFE_S / (HALF_LIFE_S + Math.max(0, nowS - candidate.prior))

  const someOf = (value: number, candidate: Standing) => {
    const share = 1 + SOME.prior * freshness(candidate) - (candidate.isCopy ? SOME.copy : 0)
    return (10 * value * share) / (MOST_SOME * (1 + SOME.prior) + 0.01)
  }

  return {
    all(candidate) {
      const { missing, frequency, exact, firstLine, held } = fitOf(candidate, 'all')
      const proximity = held * closeness(places, own, missing.length)
      const quality =
        WEIGHTS.frequency * frequency +
        WEIGHTS.exact * exact +
        WEIGHTS.firstLine * firstLine +
        WEIGHTS.proximity * proximity
      const standing = WEIGHTS.prior * freshness(candidate) - (candidate.isCopy ? WEIGHTS.copy : 0)
      return { score: 10 + quality + standing, missing }
    },
    some(candidate) {
      const { missing, bm25, exact, firstLine } = fitOf(candidate, 'some')
      const together = SOME.together * togetherness()
      const value = bm25 + SOME.exact * exact + SOME.firstLine * firstLine + together
      return { score: someOf(value, candidate), missing }
    },
  }
}

function lengthOf(words: number): number {
  return K1 * (1 - B + (B * Math.max(words, LEAST_WORDS)) / MEAN_WORDS)
}

function saturated(times: number, length: number): number {
  return ((K1 + 1) * times) / (times + length)
}

/** How well a post fits: `bm25` scaled as for SOME, the others as shares of what all words of the query could give. */
interface Fit {
  readonly missing: number[]
  readonly bm25: number
  readonly frequency: number
  readonly exact: number
  readonly firstLine: number
  readonly held: number
}

/**
 * 1 if all held units stand side by side, less the longer the shortest stretch with all of them is. If only one unit is
 * held: 1 if the query has no other, otherwise 0.
 */
function closeness(places: readonly number[], units: number, missing: number): number {
  const wanted = units - missing
  if (wanted < 2) return units === 1 ? 1 : 0
  const seen = new Uint16Array(units)
  let distinct = 0
  let from = 0
  let best = Infinity
  for (const place of places) {
    if (seen[place % MAX_UNITS]!++ === 0) distinct++
    while (distinct === wanted) {
      const start = places[from++]!
      best = Math.min(best, Math.floor(place / MAX_UNITS) - Math.floor(start / MAX_UNITS) + 1)
      if (--seen[start % MAX_UNITS]! === 0) distinct--
    }
  }
  return best === Infinity ? 0 : Math.min(1, wanted / best)
}
