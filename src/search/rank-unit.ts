import { stemTerm } from './terms.ts'

/** One word, phrase or prefix of the query, as the ranker looks for it. */
export interface RankUnit {
  /** As typed. */
  readonly text: string
  /** Each alternative is a sequence of adjacent places; any one of them suffices. */
  readonly alternatives: readonly (readonly Place[])[]
  /** Upper bound of the number of posts that hold it. */
  readonly df: number
  readonly idf: number
  readonly role: Role
  /** True for words that only ask a question or hold a sentence together. */
  readonly isFunctionWord: boolean
  /** Set on a unit of the words that share a prefix with another unit: its index. Such units come after all others. */
  readonly sharesPrefixOf?: number
}

/**
 * A run is a unit whose pieces are units too: a word of a script without spaces, a compound, a quote. It weighs little or
 * nothing, but decides whether a post holds what was asked for: a post may hold all its pieces, but apart.
 */
type Role = 'word' | 'run' | 'piece'

/** What may stand at one place: folded words, the typed one first, and stem terms. */
export interface Place {
  readonly toks: readonly string[]
  readonly stems: readonly string[]
  /** Any word that starts with it; `toks` are the known ones. */
  readonly prefix?: string
  /** True if none of the words is the form that was typed. */
  readonly isOther?: true
}

/** Every word that starts with a typed prefix counts as typed. */
export function isTyped({ toks, prefix, isOther }: Place, tok: string): boolean {
  return !isOther && (prefix !== undefined || tok === toks[0])
}

/** A place whose stems are not terms yet: they lack the prefix of `stemTerm`. */
export interface WantedPlace extends Place {
  /** Estimated number of posts that hold one of the words, for engines that do not list the words. */
  readonly posts?: number
}

interface Stats {
  readonly posts: number
  df(term: string): number
}

/** Share of its rarity that a function word keeps. */
const FUNCTION_WEIGHT = 0.35
/** Frequencies are looked up for this many words of a prefix; the first are the most frequent. */
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
      // A post has one stem per word, that of its own language, so the frequencies of the stems add up.
      let holding = place.posts ?? 0
      for (const stem of place.stems) holding += stats.df(stemTerm(stem))
      // Every post with the word has one of its stems, so the words are counted only where no stem is found.
      const toks = holding > 0 ? [] : place.toks.slice(0, MAX_LOOKUPS)
      for (const tok of toks) holding += stats.df(tok)
      rarest = Math.min(rarest, holding)
    }
    // A post may hold any alternative, so the sum bounds `df`; the unit is as rare as its commonest alternative.
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

/** The first unit with the alternatives of the others. It is as rare as the most frequent of them. */
export function withAlternatives(unit: RankUnit, others: readonly RankUnit[]): RankUnit {
  const all = [unit, ...others]
  return {
    ...unit,
    alternatives: all.flatMap(({ alternatives }) => alternatives),
    df: all.reduce((sum, { df }) => sum + df, 0),
    idf: Math.min(...all.map(({ idf }) => idf)),
  }
}

/** A name says more about what is wanted than its rarity does. */
const NAME_WEIGHT = 1.15

export function asName(unit: RankUnit): RankUnit {
  return { ...unit, idf: inSteps(unit.idf * NAME_WEIGHT) }
}

/** `weight` is the share of its rarity that the run adds to the rarity of its pieces. */
export function asRun(unit: RankUnit, weight = 0): RankUnit {
  return { ...unit, df: 0, idf: inSteps(unit.idf * weight), role: 'run' }
}

export function asPiece(unit: RankUnit): RankUnit {
  return { ...unit, role: 'piece' }
}

/**
 * The words a post lacks, as typed: the missing pieces of a run, or the run if the post holds all pieces, but apart.
 * Function words of a question are named only if the post lacks no other word: without "of" nobody misses anything.
 */
export function lackedWords(units: readonly RankUnit[], missing: readonly number[]): string[] {
  const lacked = missing.map((unit) => units[unit]!)
  const pieces = preferred(lacked, (unit) => unit.role !== 'run')
  return preferred(pieces, (unit) => !unit.isFunctionWord).map((unit) => unit.text)
}

function preferred<T>(items: readonly T[], isPreferred: (item: T) => boolean): readonly T[] {
  const some = items.filter(isPreferred)
  return some.length > 0 ? some : items
}

function rarity(df: number, posts: number): number {
  return Math.log(1 + (Math.max(posts, df) - df + 0.5) / (df + 0.5))
}

/** Rounds to 1/64, so that a cursor can carry it in few digits and later pages compute the same scores. */
function inSteps(idf: number): number {
  return Math.round(64 * idf) / 64
}
