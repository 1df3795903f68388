import { stemTerm } from './terms.ts'

/** One word, phrase or prefix of the query, as the ranker looks for it. */
export interface RankUnit {
  /** As typed. */
  readonly text: string
  /** Sequences of adjacent places; any one of them suffices. */
  readonly alternatives: readonly (readonly Place[])[]
  /** Posts that hold it, at most. */
  readonly df: number
  readonly idf: number
  readonly role: Role
  /** A question is only asked with it, or a sentence held together. */
  readonly isFunctionWord: boolean
  /** Of a unit that stands for the kin of another: the place of that one in the query. Kin stand behind all others. */
  readonly kinOf?: number
}

/**
 * A run is what has its pieces among the units too: a word of a script without spaces, a compound, a quote. It weighs
 * little or nothing, but decides whether a post holds what was asked for: its pieces may all stand in a post, and apart.
 */
type Role = 'word' | 'run' | 'piece'

/** What may stand at one place: folded words, the one that was typed first, and stem terms. */
export interface Place {
  readonly toks: readonly string[]
  readonly stems: readonly string[]
  /** Any word that begins so; `toks` are those that are known. */
  readonly prefix?: string
  /** None of them is how it was typed. */
  readonly isOther?: true
}

/** Of a prefix every word is as it was typed. */
export function isTyped({ toks, prefix, isOther }: Place, tok: string): boolean {
  return !isOther && (prefix !== undefined || tok === toks[0])
}

/** The same with plain stems. */
export interface WantedPlace extends Place {
  /** About how many posts hold one of them, where that is known otherwise than by the words. */
  readonly posts?: number
}

interface Stats {
  readonly posts: number
  df(term: string): number
}

/** What a word that a query is only asked or held together with keeps of what its rarity would give it. */
const FUNCTION_WEIGHT = 0.35
/** Beyond so many, frequencies of a prefix's words are not looked up: the first are the most frequent. */
const MAX_LOOKUPS = 24

export function createUnit(
  text: string,
  alternatives: readonly (readonly WantedPlace[])[],
  stats: Stats,
  isFunctionWord = false,
): RankUnit {
  let df = 0
  let most = 0
  for (const places of alternatives) {
    let rarest = Infinity
    for (const place of places) {
      // A post gives a word one stem, that of its own language: the lists add up.
      let holding = place.posts ?? 0
      for (const stem of place.stems) holding += stats.df(stemTerm(stem))
      // Every post with the word has one of its stems, so these tell enough where there are any.
      const toks = holding > 0 ? [] : place.toks.slice(0, MAX_LOOKUPS)
      for (const tok of toks) holding += stats.df(tok)
      rarest = Math.min(rarest, holding)
    }
    // A post may hold any of them, so that a bound is their sum; how rare the word is, its commonest spelling tells.
    df += rarest
    most = Math.max(most, rarest)
  }
  return {
    text,
    alternatives: alternatives.map((places) =>
      places.map(({ toks, stems, prefix, isOther }) => ({
        toks,
        stems: stems.map(stemTerm),
        ...(prefix !== undefined && { prefix }),
        ...(isOther && { isOther }),
      })),
    ),
    df,
    idf: inSteps(rarity(most, stats.posts) * (isFunctionWord ? FUNCTION_WEIGHT : 1)),
    role: 'word',
    isFunctionWord,
  }
}

/** What any of these units says, as the first: it is as rare as the most frequent of them. */
export function withAlternatives(unit: RankUnit, others: readonly RankUnit[]): RankUnit {
  const all = [unit, ...others]
  return {
    ...unit,
    alternatives: all.flatMap(({ alternatives }) => alternatives),
    df: all.reduce((sum, { df }) => sum + df, 0),
    idf: Math.min(...all.map(({ idf }) => idf)),
  }
}

/** A name says more of what is wanted than its rarity does. */
const NAME_WEIGHT = 1.15

export function asName(unit: RankUnit): RankUnit {
  return { ...unit, idf: inSteps(unit.idf * NAME_WEIGHT) }
}

/** `weight`: what of its rarity it adds to that of its pieces. */
export function asRun(unit: RankUnit, weight = 0): RankUnit {
  return { ...unit, df: 0, idf: inSteps(unit.idf * weight), role: 'run' }
}

export function asPiece(unit: RankUnit): RankUnit {
  return { ...unit, role: 'piece' }
}

/** The words a post lacks, as typed: pieces of a run, or the run where a post has them all, but apart. */
export function lackedWords(units: readonly RankUnit[], missing: readonly number[]): string[] {
  const lacked = missing.map((unit) => units[unit]!)
  const pieces = lacked.filter((unit) => unit.role !== 'run')
  return (pieces.length > 0 ? pieces : lacked).map((unit) => unit.text)
}

function rarity(df: number, posts: number): number {
  return Math.log(1 + (Math.max(posts, df) - df + 0.5) / (df + 0.5))
}

/** Of 1/64, so that a cursor can carry it in few digits and a walk keeps its scores. */
function inSteps(idf: number): number {
  return Math.round(64 * idf) / 64
}
