import { lowerBound } from '../../model/lower-bound.ts'
import { bucketOf } from '../bucket.ts'
import type { SearchLimits } from '../limits.ts'
import { isAnywhere, MAX_UNITS, placeOf, UNKNOWN_POSITION } from '../rank.ts'
import { isTyped, type RankUnit } from '../rank-unit.ts'
import type { FoundPost } from './candidates.ts'
import {
  filterHash,
  openTerm,
  type Budget,
  type Positions,
  type Segment,
  type TermCursor,
} from './postings/postings.ts'
import { rowidOf } from './rowid.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * The places where each post holds the units of the query, read from the posting lists unit by unit: only the part of
 * each list that the posts lie in is read. The posts themselves are not read.
 */
export function placesOf(
  snapshot: Snapshot,
  units: readonly RankUnit[],
  found: readonly FoundPost[],
  matched: 'all' | 'some',
  limits: SearchLimits,
): number[][] {
  const places = found.map((): number[] => [])
  const budget: DecodeBudget = {
    lists: { postings: limits.postings },
    positions: { postings: limits.placesDecoding },
    stemAt: new Int32Array(found.length),
  }
  const inSegments = bySegment(snapshot, found)
  // Rarest first: these weigh most, in case the budget does not suffice for all.
  const byRarity = [...units.keys()].sort((a, b) => units[b]!.idf - units[a]!.idf)
  for (const unit of byRarity) {
    if (units[unit]!.sharesPrefixOf !== undefined) {
      addSharedPrefix(budget, inSegments, units[unit]!, unit, places)
      continue
    }
    for (const sequence of units[unit]!.alternatives) {
      if (sequence.length > 1) {
        for (const each of inSegments) addPhrases(budget, each, sequence, unit, places)
        continue
      }
      const [place] = sequence
      budget.stemAt.fill(NO_STEM)
      for (const [i, term] of [...place!.stems, ...place!.toks].entries()) {
        // A query's word gets a stem for each language of its script; most of these stems are in no post.
        if (snapshot.df(term) === 0) continue
        const word = {
          term,
          hash: filterHash(term),
          isAnywhere: isAnywhere(units[unit]!, matched),
          unit,
          isStem: i < place!.stems.length,
          isTyped: isTyped(place!, term),
        }
        for (const each of inSegments) addWord(budget, each, word, places)
      }
    }
  }
  for (const each of places) if (each.length > 1) each.sort((a, b) => a - b)
  return places
}

type Place = RankUnit['alternatives'][number][number]

/** What may still be decoded of posting lists and of positions. */
interface DecodeBudget {
  readonly lists: Budget
  readonly positions: Budget
  /** By post: a position of one of the current word's stems, or NO_STEM. */
  readonly stemAt: Int32Array
}

const NO_STEM = -1

interface InSegment {
  readonly segment: Segment
  /** In order of doc id; `index` is the index in the list of posts that was passed in. */
  readonly posts: readonly { readonly index: number; readonly doc: number }[]
}

function bySegment(snapshot: Snapshot, found: readonly FoundPost[]): InSegment[] {
  const buckets = Map.groupBy(found.keys(), (index) => bucketOf(found[index]!.sec))
  const held: InSegment[] = []
  for (const [bucket, indexes] of buckets) {
    for (const segment of snapshot.segments(bucket)) {
      const posts: { index: number; doc: number }[] = []
      for (const index of indexes) {
        const rowid = rowidOf(found[index]!.sec, found[index]!.slot)
        const doc = lowerBound(segment.rowids, rowid)
        if (segment.rowids[doc] === rowid) posts.push({ index, doc })
      }
      posts.sort((a, b) => a.doc - b.doc)
      if (posts.length > 0) held.push({ segment, posts })
    }
  }
  return held
}

/** What looking up a term is charged in postings. */
const FIND = 32

interface Word {
  readonly term: string
  readonly hash: number
  readonly isAnywhere: boolean
  readonly unit: number
  readonly isStem: boolean
  readonly isTyped: boolean
}

function addWord(
  budget: DecodeBudget,
  { segment, posts }: InSegment,
  word: Word,
  places: readonly number[][],
): void {
  const { term, hash, isAnywhere, unit, isStem, isTyped } = word
  const { stemAt } = budget
  budget.lists.postings -= FIND
  if (budget.lists.postings < 0) return
  const entry = segment.find(term, hash)
  if (!entry) return
  const cursor = openTerm(segment, entry, budget.lists, true)
  for (let i = 0; i < posts.length; i++) {
    const { index, doc } = posts[i]!
    const at = cursor.at < doc ? cursor.seek(doc) : cursor.at
    if (at !== doc) continue
    const into = places[index]!
    // A post with the typed word also has its stem, whose position is known already. Only the fact that the typed form
    // occurs is missing, so its own positions need not be read.
    if (isTyped && stemAt[index] !== NO_STEM) {
      into.push(placeOf(stemAt[index]!, unit, isTyped))
      continue
    }
    const { values, count } = isAnywhere ? SOMEWHERE : positionsAt(budget, cursor)
    for (let k = 0; k < count; k++) into.push(placeOf(values[k]!, unit, isTyped))
    if (isStem) stemAt[index] = values[0]!
  }
}

/** Adds a place at an unknown position for each post that lacks a word but holds one that shares its prefix. */
function addSharedPrefix(
  budget: DecodeBudget,
  inSegments: readonly InSegment[],
  { sharesPrefixOf, alternatives }: RankUnit,
  unit: number,
  places: readonly number[][],
): void {
  const words = alternatives[0]![0]!.toks.map((term) => ({ term, hash: filterHash(term) }))
  const somewhere = placeOf(UNKNOWN_POSITION, unit, false)
  const isOf = (place: number) => (place >>> 1) % MAX_UNITS === sharesPrefixOf
  for (const { segment, posts } of inSegments) {
    let lacking = posts.filter(({ index }) => !places[index]!.some(isOf))
    for (const { term, hash } of words) {
      budget.lists.postings -= FIND
      if (lacking.length === 0 || budget.lists.postings < 0) break
      // These are many words on a few dictionary pages, and would evict the words of queries from the cache.
      const entry = segment.peek(term, hash)
      if (!entry) continue
      const cursor = openTerm(segment, entry, budget.lists, true)
      lacking = lacking.filter(({ index, doc }) => {
        if ((cursor.at < doc ? cursor.seek(doc) : cursor.at) !== doc) return true
        places[index]!.push(somewhere)
        return false
      })
    }
  }
}

/** Adds places for words in a row: each position of a first word that is followed by one of the second, and so on. */
function addPhrases(
  budget: DecodeBudget,
  { segment, posts }: InSegment,
  sequence: readonly Place[],
  unit: number,
  places: readonly number[][],
): void {
  const head = sequence[0]!
  const cursors = sequence.map(({ toks }) =>
    toks.map((tok) => {
      budget.lists.postings -= FIND
      const entry = budget.lists.postings < 0 ? undefined : segment.find(tok)
      return entry && openTerm(segment, entry, budget.lists)
    }),
  )
  for (const { index, doc } of posts) {
    const positions = cursors.map((column) =>
      column.map((cursor) => {
        if (cursor?.seek(doc) !== doc) return []
        const { values, count } = positionsAt(budget, cursor)
        return [...values.subarray(0, count)]
      }),
    )
    const rest = positions.slice(1).map((column) => new Set(column.flat()))
    const isFollowed = (at: number) =>
      rest.every((next, k) => next.has(at === UNKNOWN_POSITION ? at : at + k + 1))
    for (const [i, starts] of positions[0]!.entries()) {
      for (const at of starts) {
        if (isFollowed(at)) places[index]!.push(placeOf(at, unit, isTyped(head, head.toks[i]!)))
      }
    }
  }
}

const SOMEWHERE: Positions = { values: Uint32Array.of(UNKNOWN_POSITION), count: 1 }

/** Charged to the budget of positions. The result is valid until the next call. */
function positionsAt({ lists, positions }: DecodeBudget, cursor: TermCursor): Positions {
  if (positions.postings < 0) return SOMEWHERE
  const before = lists.postings
  const found = cursor.positions()
  positions.postings -= before - lists.postings
  lists.postings = before
  return found
}
