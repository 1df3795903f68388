import type { PriorPlace } from '../position.ts'
import type { RankUnit } from '../rank-unit.ts'
import type { Candidate } from '../rank.ts'
import type { Words } from '../word-places.ts'
import type { FoundHit } from './ask.ts'
import { groupOf, type Grouped } from './collapse.ts'
import { unpackWords } from './mapping.ts'

/** A post worth ranking, with what the ranker needs of it. */
export interface Rankable extends Grouped, PriorPlace {
  readonly candidate: Omit<Candidate, 'places'>
  readonly words: Words
  /** Its words, where they were asked for. */
  readonly texts: readonly string[]
}

const COLUMNS = ['words', 'len', 'first', 'copy', 'prior', 'grp', 'sec', 'ch', 'no']

/** What has to be asked for. The words themselves are read only where some of the query's are known by their beginning. */
export function candidateFields(units: readonly RankUnit[]): object {
  const columns = { docvalue_fields: COLUMNS }
  return prefixesOf(units).length > 0
    ? { ...columns, stored_fields: undefined, _source: ['w'] }
    : columns
}

function prefixesOf(units: readonly RankUnit[]): string[] {
  const places = units.flatMap(({ alternatives }) => alternatives.flat())
  return places.flatMap(({ prefix }) => prefix ?? [])
}

/** The units with the words that the candidates have of each prefix: the ranker need know no others. */
export function withFamilies(
  units: readonly RankUnit[],
  found: readonly Rankable[],
): readonly RankUnit[] {
  const prefixes = prefixesOf(units)
  if (prefixes.length === 0) return units
  const words = new Set(found.flatMap((each) => each.texts))
  const families = new Map(
    prefixes.map((prefix) => {
      return [prefix, [...words].filter((word) => word.startsWith(prefix))]
    }),
  )
  return units.map((unit) => ({
    ...unit,
    alternatives: unit.alternatives.map((places) =>
      places.map((place) =>
        place.prefix === undefined ? place : { ...place, toks: families.get(place.prefix)! },
      ),
    ),
  }))
}

export function rankableOf(hit: FoundHit): Rankable {
  const { fields = {} } = hit
  const number = (name: string) => Number(fields[name]?.[0] ?? 0)
  const prior = number('prior')
  const words = unpackWords(String(fields['words']?.[0] ?? ''))
  return {
    prior,
    sec: number('sec'),
    channelId: number('ch'),
    number: number('no'),
    group: groupOf(hit),
    texts: hit._source?.w.split(' ') ?? [],
    words,
    candidate: {
      toks: words.toks.length,
      words: number('len'),
      firstLine: number('first'),
      prior,
      isCopy: fields['copy']?.[0] === true,
    },
  }
}
