import type { PriorPlace } from '../position.ts'
import type { RankUnit } from '../rank-unit.ts'
import { hashesOf } from '../word-places.ts'
import type { FoundHit } from './ask.ts'
import type { Grouped } from './collapse.ts'
import { heldFields, unpackHeld, unpackRank, type RankColumns } from './rank-columns.ts'
import type { Search } from './search.ts'

/** A post worth ranking, with what the ranker needs of it. */
export interface Rankable extends Grouped, PriorPlace, RankColumns {}

/**
 * What has to be asked for: what the posts hold of the words or, where the engine runs no scripts, all of theirs. The words
 * themselves are read only where some of the query's are known by their beginning.
 */
export function candidateFields(
  { runsScripts }: Pick<Search, 'runsScripts'>,
  units: readonly RankUnit[],
): object {
  const prefixes = prefixesOf(units)
  if (runsScripts) return heldFields(hashesOf(units), prefixes)
  return { docvalue_fields: prefixes.length > 0 ? ['rank', 'texts'] : ['rank'] }
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
  const families = new Map(prefixes.map((prefix) => [prefix, familyOf(prefix, found)]))
  return units.map((unit) => ({
    ...unit,
    alternatives: unit.alternatives.map((places) =>
      places.map((place) =>
        place.prefix === undefined ? place : { ...place, toks: families.get(place.prefix)! },
      ),
    ),
  }))
}

/** Looked for where they stand: to cut all texts into words would cost more than to rank the posts. */
function familyOf(prefix: string, found: readonly Rankable[]): string[] {
  const family = new Set<string>()
  const begun = ` ${prefix}`
  for (const { texts } of found) {
    for (let at = texts.indexOf(begun); at >= 0; at = texts.indexOf(begun, at + 1)) {
      const end = texts.indexOf(' ', at + 1)
      family.add(texts.slice(at + 1, end < 0 ? texts.length : end))
    }
  }
  return [...family]
}

/** `hit` is sorted by its second, channel and number last of all. */
export function rankableOf({ fields = {}, sort = [] }: FoundHit): Rankable {
  const [sec = 0, channelId = 0, number = 0] = sort.slice(-3)
  const { held, rank = [''], texts = [] } = fields as RankFields
  const columns = held ? unpackHeld(held) : unpackRank(rank[0], texts[0])
  return { ...columns, prior: columns.candidate.prior, sec, channelId, number }
}

interface RankFields {
  readonly held?: readonly (number | string)[]
  readonly rank?: readonly [string]
  readonly texts?: readonly [string]
}
