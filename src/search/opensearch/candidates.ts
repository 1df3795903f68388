import type { PriorPlace } from '../position.ts'
import type { RankUnit } from '../rank-unit.ts'
import { hashesOf } from '../word-places.ts'
import type { ResponseHit } from './engine-session.ts'
import type { Grouped } from './collapse.ts'
import { heldFields, unpackHeld, type RankColumns } from './rank-columns.ts'

/** A candidate, with everything the ranker needs of it. */
export interface Rankable extends Grouped, PriorPlace, RankColumns {}

/** The fields to ask for: what the posts hold of the query's words. */
export function candidateFields(units: readonly RankUnit[]): object {
  return heldFields(hashesOf(units), prefixesOf(units))
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
  const { held = [] } = fields as { readonly held?: readonly (number | string)[] }
  const columns = unpackHeld(held)
  return { ...columns, prior: columns.candidate.prior, sec, channelId, number }
}
