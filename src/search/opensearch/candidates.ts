import type { PriorPlace } from '../position.ts'
import type { RankUnit } from '../rank-unit.ts'
import type { Candidate } from '../rank.ts'
import type { Words } from '../word-places.ts'
import type { FoundHit } from './ask.ts'
import type { Grouped } from './collapse.ts'
import { unpackRank, unpackTexts } from './rank-columns.ts'

/** A post worth ranking, with what the ranker needs of it. */
export interface Rankable extends Grouped, PriorPlace {
  readonly candidate: Omit<Candidate, 'places'>
  readonly words: Words
  /** Its words, where they were asked for. */
  readonly texts: readonly string[]
}

/** What has to be asked for. The words themselves are read only where some of the query's are known by their beginning. */
export function candidateFields(units: readonly RankUnit[]): object {
  return { docvalue_fields: prefixesOf(units).length > 0 ? ['rank', 'texts'] : ['rank'] }
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

/** `hit` is sorted by its second, channel and number last of all. */
export function rankableOf({ fields = {}, sort = [] }: FoundHit): Rankable {
  const [sec = 0, channelId = 0, number = 0] = sort.slice(-3)
  const { candidate, group, words } = unpackRank(String(fields['rank']?.[0]))
  const texts = fields['texts'] ? unpackTexts(String(fields['texts'][0])) : []
  const { prior } = candidate
  return { prior, sec, channelId, number, group, texts, words, candidate }
}
