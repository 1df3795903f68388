import { addTo } from '../model/get-or-make.ts'
import { MAX_UNITS, placeOf } from './rank.ts'
import { isTyped, type RankUnit } from './rank-unit.ts'
import { wordHash } from './terms.ts'

/** The words of a post as hashes, in text order: `wordHash` of each folded word and of its stem term. */
export interface Words {
  readonly toks: Uint32Array
  readonly stems: Uint32Array
  /** The positions of the words that the query looks for, if they are known. */
  readonly held?: Iterable<number>
}

interface Target {
  readonly unit: number
  /** True for the form that was typed; false for another form or a stem. */
  readonly isTyped: boolean
  /** The words that must follow, place by place. */
  readonly rest: readonly ReadonlySet<number>[]
}

const SIEVE = 4_096

/** Finds the places of a query's units in the words of a post, for an engine whose posting lists have no positions. */
export function createPlacesIn(units: readonly RankUnit[]): (words: Words) => number[] {
  const targets = targetsOf(units)
  // Nearly no word of a post is in the query: one byte rules out most of them, at a tenth of the cost of a map lookup.
  const sieve = new Uint8Array(SIEVE)
  for (const hash of targets.keys()) sieve[hash % SIEVE] = 1
  return ({ toks, stems, held }) => {
    const places: number[] = []
    const note = (i: number, { unit, isTyped, rest }: Target) => {
      if (isFollowed(toks, i, rest)) places.push(placeOf(i, unit, isTyped))
    }
    const look = (i: number) => {
      const [stem, tok] = [stems[i]!, toks[i]!]
      if (sieve[stem % SIEVE] === 1) for (const target of targets.get(stem) ?? []) note(i, target)
      if (sieve[tok % SIEVE] === 1) for (const target of targets.get(tok) ?? []) note(i, target)
    }
    if (held) for (const i of held) look(i)
    else for (let i = 0; i < toks.length; i++) look(i)
    return places.sort((a, b) => a - b)
  }
}

/** The hashes of all words that the units look for. */
export function hashesOf(units: readonly RankUnit[]): Set<number> {
  const hashes = new Set<number>()
  for (const [hash, targets] of targetsOf(units)) {
    hashes.add(hash)
    for (const { rest } of targets)
      for (const place of rest) for (const tok of place) hashes.add(tok)
  }
  return hashes
}

function isFollowed(toks: Uint32Array, at: number, rest: Target['rest']): boolean {
  return rest.every((place, k) => at + k + 1 < toks.length && place.has(toks[at + k + 1]!))
}

function targetsOf(units: readonly RankUnit[]): Map<number, Target[]> {
  const targets = new Map<number, Target[]>()
  for (const [unit, { alternatives }] of units.slice(0, MAX_UNITS).entries()) {
    for (const [head, ...tail] of alternatives) {
      const rest = tail.map((place) => new Set(place.toks.map(wordHash)))
      for (const tok of head!.toks) {
        addTo(targets, wordHash(tok), { unit, isTyped: isTyped(head!, tok), rest })
      }
      for (const stem of head!.stems) addTo(targets, wordHash(stem), { unit, isTyped: false, rest })
    }
  }
  return targets
}
