import type { RankUnit } from './rank-unit.ts'

/**
 * The one ranker. It sees candidates only, whichever engine found them, and gives a post the same score whatever
 * else was found: so a page can go on after a score, and two engines agree.
 */

/** A candidate's words by hash, in text order: `wordHash` of the folded word and of its stem term. */
export interface Candidate {
  readonly toks: Uint32Array
  readonly stems: Uint32Array
  /** How long it is, in words. */
  readonly words: number
  readonly firstLine: number
  /** Publication time plus bonus, in seconds. */
  readonly prior: number
  /** An earlier post says the same. */
  readonly isCopy: boolean
}

interface Ranked {
  readonly score: number
  /** Units the post does not hold, by their place in the query. */
  readonly missing: readonly number[]
}

interface Ranker {
  /** For a post that satisfies the query: 10 and more. */
  all(candidate: Candidate): Ranked
  /** For a post that holds some of the words: below 10, led by the summed rarity of what it holds and how often (BM25). */
  some(candidate: Candidate): Ranked
  /** What `some` gives at most to a post of so many words that holds each unit so often; Infinity where that is unknown. */
  someAtMost(times: ArrayLike<number>, post: Pick<Candidate, 'words' | 'prior' | 'isCopy'>): number
}

export const WEIGHTS = {
  /** How often, length considered. */
  frequency: 1.2,
  /** The words stand together. */
  proximity: 1.6,
  /** In the form that was typed. */
  exact: 0.8,
  firstLine: 0.8,
  /** Taken off a post that repeats an earlier one. */
  copy: 0.5,
  prior: 1.4,
}

/** Beside BM25, which is 1 for all words once each in a post of common length. */
const SOME = {
  proximity: 0.15,
  exact: 0.1,
  firstLine: 0.1,
  /** Shares of the whole. */
  prior: 0.07,
  copy: 0.03,
}

const K1 = 1.2
const B = 0.5
/** A fixed mean length keeps scores independent of what else is indexed. */
const MEAN_WORDS = 40
/** A shorter post counts as this long. */
const LEAST_WORDS = 8
/** A post that says the words again in more than this share of its own is spam more often than not. */
const REPEATED_SHARE = 0.25
/** Beyond so often, saying it again changes nothing. */
const MOST_TIMES = 10
const MOST_SOME =
  saturated(MOST_TIMES, lengthOf(LEAST_WORDS)) + SOME.proximity + SOME.exact + SOME.firstLine
const SIEVE = 4_096
/** A prior this old counts half. */
const HALF_LIFE_S = 4 * 24 * 3600

export function createRanker(units: readonly RankUnit[], nowS: number): Ranker {
  const targets = targetsOf(units)
  // Nearly every word of a post is none of the query's: one byte tells most of them, where a look-up costs ten times that.
  const sieve = new Uint8Array(SIEVE)
  for (const hash of targets.keys()) sieve[hash % SIEVE] = 1
  const total = units.reduce((sum, unit) => sum + unit.idf, 0) || 1
  const tf = new Uint16Array(units.length)
  const exact = new Uint8Array(units.length)
  const first = new Uint8Array(units.length)
  /** Where each unit was last met. */
  const lastAt = new Int32Array(units.length)
  const places: number[] = []

  function look(candidate: Candidate): Look {
    tf.fill(0)
    exact.fill(0)
    first.fill(0)
    lastAt.fill(-1)
    places.length = 0
    const { toks, stems } = candidate
    for (let i = 0; i < toks.length; i++) {
      if (sieve[toks[i]! % SIEVE] === 1) {
        const byTok = targets.get(toks[i]!)
        if (byTok !== undefined) for (const target of byTok) note(candidate, target, i, true)
      }
      if (sieve[stems[i]! % SIEVE] === 1) {
        const byStem = targets.get(stems[i]!)
        if (byStem !== undefined) for (const target of byStem) note(candidate, target, i, false)
      }
    }
    const missing: number[] = []
    let held = 0
    let frequency = 0
    let bm25 = 0
    let exactness = 0
    let firstLine = 0
    const length = lengthOf(candidate.words)
    for (let u = 0; u < units.length; u++) {
      const count = tf[u]!
      const idf = units[u]!.idf
      if (count === 0) {
        missing.push(u)
        continue
      }
      held += idf
      // A word said again and again is no better than three times: repetition is how spam looks.
      const times = Math.min(count, 3)
      frequency += (idf * times) / (times + length)
      const often = Math.min(count, MOST_TIMES)
      bm25 += idf * saturated(often, length)
      if (exact[u]) exactness += idf
      if (first[u]) firstLine += idf
    }
    const repeats = (places.length - (units.length - missing.length)) / Math.max(1, toks.length)
    return {
      missing,
      bm25: bm25 / total,
      frequency: (frequency / total) * (repeats > REPEATED_SHARE ? 0.3 : 1),
      exact: exactness / total,
      firstLine: firstLine / total,
      proximity: (held / total) * closeness(places, units.length, missing.length),
    }
  }

  function note(candidate: Candidate, target: Target, at: number, isTok: boolean): void {
    const rest = target.rest
    for (let k = 0; k < rest.length; k++) {
      const place = rest[k]!
      const tok = candidate.toks[at + k + 1]
      if (tok === undefined || !place.has(tok)) return
    }
    const u = target.unit
    // A word is met at one place by its form and by its stem.
    if (lastAt[u] !== at) {
      lastAt[u] = at
      tf[u]!++
      places.push(at * 64 + u)
    }
    if (isTok && target.isTyped) exact[u] = 1
    if (at < candidate.firstLine) first[u] = 1
  }

  type Standing = Pick<Candidate, 'prior' | 'isCopy'>
  /** 1 for a post of now, falling with its age. */
  const freshness = (candidate: Standing) =>
    HALF_LIFE_S / (HALF_LIFE_S + Math.max(0, nowS - candidate.prior))

  const someOf = (value: number, candidate: Standing) => {
    const share = 1 + SOME.prior * freshness(candidate) - (candidate.isCopy ? SOME.copy : 0)
    return (10 * value * share) / (MOST_SOME * (1 + SOME.prior) + 0.01)
  }

  return {
    all(candidate) {
      const { missing, frequency, exact, firstLine, proximity } = look(candidate)
      const quality =
        WEIGHTS.frequency * frequency +
        WEIGHTS.exact * exact +
        WEIGHTS.firstLine * firstLine +
        WEIGHTS.proximity * proximity
      const standing = WEIGHTS.prior * freshness(candidate) - (candidate.isCopy ? WEIGHTS.copy : 0)
      return { score: 10 + quality + standing, missing }
    },
    some(candidate) {
      const { missing, bm25, exact, firstLine, proximity } = look(candidate)
      const value =
        bm25 + SOME.exact * exact + SOME.firstLine * firstLine + SOME.proximity * proximity
      return { score: someOf(value, candidate), missing }
    },
    someAtMost(times, post) {
      const length = lengthOf(post.words)
      let value = 0
      let held = 0
      let heldIdf = 0
      for (let u = 0; u < units.length; u++) {
        if (times[u] === 0) continue
        held++
        heldIdf += units[u]!.idf
        value += units[u]!.idf * saturated(Math.min(times[u]!, MOST_TIMES), length)
      }
      const proximity = held > 1 || units.length === 1 ? SOME.proximity : 0
      value += heldIdf * (SOME.exact + SOME.firstLine + proximity)
      // Sums in another order differ in their last digits.
      return someOf(value / total, post) + 1e-9
    },
  }
}

function lengthOf(words: number): number {
  return K1 * (1 - B + (B * Math.max(words, LEAST_WORDS)) / MEAN_WORDS)
}

function saturated(times: number, length: number): number {
  return ((K1 + 1) * times) / (times + length)
}

/** How well a post fits, `bm25` as in SOME, the others as shares of what the query's words could give. */
interface Look {
  readonly missing: number[]
  readonly bm25: number
  readonly frequency: number
  readonly exact: number
  readonly firstLine: number
  readonly proximity: number
}

interface Target {
  readonly unit: number
  /** The form that was typed, not another one or a stem. */
  readonly isTyped: boolean
  /** What must follow, place by place. */
  readonly rest: readonly ReadonlySet<number>[]
}

function targetsOf(units: readonly RankUnit[]): Map<number, Target[]> {
  const targets = new Map<number, Target[]>()
  const add = (hash: number, target: Target) => {
    const list = targets.get(hash)
    if (list) list.push(target)
    else targets.set(hash, [target])
  }
  for (let unit = 0; unit < Math.min(64, units.length); unit++) {
    for (const [head, ...tail] of units[unit]!.alternatives) {
      const rest = tail.map((place) => new Set(place.toks))
      // Of a prefix every word is as it was typed.
      const isFamily = head!.prefix !== undefined
      for (const [i, tok] of head!.toks.entries())
        add(tok, { unit, isTyped: isFamily || i === 0, rest })
      for (const stem of head!.stems) add(stem, { unit, isTyped: false, rest })
    }
  }
  return targets
}

/** 1 when all units held stand side by side, falling with the shortest stretch that has them all; 0 for one word. */
function closeness(places: readonly number[], units: number, missing: number): number {
  const wanted = units - missing
  if (wanted < 2) return units === 1 ? 1 : 0
  const seen = new Uint16Array(units)
  let distinct = 0
  let from = 0
  let best = Infinity
  for (const place of places) {
    if (seen[place % 64]!++ === 0) distinct++
    while (distinct === wanted) {
      const start = places[from++]!
      best = Math.min(best, Math.floor(place / 64) - Math.floor(start / 64) + 1)
      if (--seen[start % 64]! === 0) distinct--
    }
  }
  return best === Infinity ? 0 : Math.min(1, wanted / best)
}
