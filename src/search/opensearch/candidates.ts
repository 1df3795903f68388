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
  /** Its words, a space before each, where they were asked for. */
  readonly texts: string
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
  const { candidate, group, words } = unpackRank(String(fields['rank']?.[0]))
  const texts = fields['texts'] ? unpackTexts(String(fields['texts'][0])) : ''
  const { prior } = candidate
  return { prior, sec, channelId, number, group, texts, words, candidate }
}
