import { HAS_VALUES, type FacetName, type FacetValue } from '../../model/query.ts'
import { DAY_S, HOUR_S } from '../../model/time.ts'
import { finishFacets, timeFacet } from '../facet-values.ts'
import { CHUNK, DOMAIN } from './columns.ts'
import { createVisitor, type Match, type Search } from './collector.ts'

/** Counts facets match by match. */
export function createFacets(search: Search) {
  const { snapshot } = search
  const names = search.query.facets
  const counts = Object.fromEntries(
    names.map((name) => [name, isTag(name) ? createWideTally() : createTally()]),
  )
  const { day, hour, channel, lang, has, hashtag, domain } = counts as Partial<
    Record<FacetName, Tally>
  >
  function countTags(match: Match): void {
    const { tags } = snapshot.columns(match.bucket)
    const { starts, ids } = tags[Math.floor(match.slot / CHUNK)]!
    const at = match.slot % CHUNK
    for (let i = starts[at]!; i < starts[at + 1]!; i++) {
      const id = ids[i]!
      if (id >= DOMAIN) domain?.add(id - DOMAIN)
      else hashtag?.add(id)
    }
  }

  function count(match: Match): void {
    const { columns, slot, sec } = match
    if (day) day.add(Math.floor(sec / DAY_S))
    if (hour) hour.add(Math.floor(sec / HOUR_S))
    if (channel) channel.add(columns.channel[slot]!)
    if (lang) lang.add(columns.language[slot]!)
    if (has) {
      const flags = columns.flags[slot]!
      for (let bit = 0; bit < HAS_VALUES.length; bit++) if (flags & (1 << bit)) has.add(bit)
    }
    if (hashtag ?? domain) countTags(match)
  }

  return {
    ...createVisitor(search, count),
    finish(): Partial<Record<FacetName, readonly FacetValue[]>> {
      return Object.fromEntries(names.map((name) => [name, valuesOf(search, name, counts[name]!)]))
    },
  }
}

function valuesOf(search: Search, name: FacetName, tally: Tally): FacetValue[] {
  const { limits } = search.plan
  const entries = tally.entries()
  const best = (counted: readonly Entry[], textOf: (value: number) => string) =>
    finishFacets(
      counted.map(([value, count]) => ({ value: textOf(value), count })),
      limits.facetValues,
    )
  switch (name) {
    case 'day':
    case 'hour':
      return timeFacet(name, new Map(entries))
    case 'channel':
      return best(entries, String)
    case 'has':
      return best(entries, (bit) => HAS_VALUES[bit]!)
    case 'lang': {
      const names = namesOf(search, 'language', entries)
      const known = entries.filter(([id]) => names.has(id))
      return best(known, (id) => names.get(id)!)
    }
    case 'hashtag':
    case 'domain': {
      // Ties are ordered by name, as far as names are looked up: of very many values that occur once, any will do.
      const byCount = entries.sort((a, b) => b[1] - a[1] || a[0] - b[0])
      const least = byCount[limits.facetValues - 1]?.[1] ?? 0
      if ((byCount[limits.facetNames]?.[1] ?? -1) >= least) search.budget.reason ??= 'facets'
      const wanted = byCount.slice(0, limits.facetNames).filter(([, count]) => count >= least)
      const names = namesOf(search, 'tag', wanted)
      return best(wanted, (id) => names.get(id)!.slice(1))
    }
  }
}

/** Read as one row: creating an object for each of hundreds of rows would take longer than everything else. */
function namesOf(
  { snapshot }: Search,
  table: 'tag' | 'language',
  entries: readonly Entry[],
): Map<number, string> {
  const row = snapshot
    .statement(
      `select json_group_object(cast(id as text), value) as names from ${table}
       where id in (select value from json_each(?))`,
    )
    .get(JSON.stringify(entries.map(([id]) => id)))
  const names = JSON.parse(String(row!['names'])) as Record<string, string>
  return new Map(Object.entries(names).map(([id, name]) => [Number(id), name]))
}

type Entry = [value: number, count: number]

interface Tally {
  add(value: number): void
  entries(): Entry[]
}

/** Counts small numbers that are close together in an array; a Map takes five times as long. */
function createTally(): Tally {
  let counts = new Uint32Array(64)
  /** The value that `counts` starts at. The first value is put near the middle, so that there is room on both sides. */
  let base = -1
  function grow(value: number): void {
    const from = Math.min(base, value)
    const to = Math.max(base + counts.length, value + 1)
    const room = Math.max(64, (to - from) >> 1)
    const start = Math.max(0, from === base ? from : from - room)
    const grown = new Uint32Array(to + room - start)
    grown.set(counts, base - start)
    counts = grown
    base = start
  }
  return {
    add(value) {
      if (base < 0) base = Math.max(0, value - 32)
      if (value < base || value >= base + counts.length) grow(value)
      counts[value - base]!++
    },
    entries() {
      const found: Entry[] = []
      for (let i = 0; i < counts.length; i++)
        if (counts[i] !== 0) found.push([base + i, counts[i]!])
      return found
    },
  }
}

/** Tags are numbered as they appear, and there are far more of them than a search meets: a Map suits them better. */
function createWideTally(): Tally {
  const counts = new Map<number, number>()
  return {
    add: (value) => void counts.set(value, (counts.get(value) ?? 0) + 1),
    entries: () => [...counts],
  }
}

function isTag(name: FacetName): boolean {
  return name === 'hashtag' || name === 'domain'
}
