import type { PriorPlace } from '../position.ts'
import type { RankUnit } from '../rank-unit.ts'
import { hashesOf } from '../word-places.ts'
import type { ResponseHit } from './engine-session.ts'
import type { Grouped } from './collapse.ts'
import { heldFields, unpackHeld, unpackRank, type RankColumns } from './rank-columns.ts'
import type { Search } from './search.ts'

/** A candidate, with everything the ranker needs of it. */
export interface Rankable extends Grouped, PriorPlace, RankColumns {}

/**
 * The fields to ask for: what the posts hold of the query's words or, if the engine runs no scripts, all their words. The
 * text is read only if the query contains prefixes.
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

/** The units with the words that the candidates have for each prefix: the ranker needs no others. */
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

/** Searches the texts directly: splitting them all into words would cost more than ranking the posts. */
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

/** The last three sort values of `hit` must be its second, channel and number. */
export function rankableOf({ fields = {}, sort = [] }: ResponseHit): Rankable {
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
