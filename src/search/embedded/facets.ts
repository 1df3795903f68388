import { HAS_VALUES, type FacetName, type FacetValue } from '../../model/query.ts'
import { finishFacets, timeFacet } from '../facet-values.ts'
import { LIMITS } from '../limits.ts'
import { CHUNK } from './columns.ts'
import type { Match } from './matches.ts'
import type { Snapshot } from './snapshot.ts'

/** Counts facets match by match. */
export function createFacets(snapshot: Snapshot, names: readonly FacetName[]) {
  const counts = new Map(names.map((name) => [name, new Map<number, number>()]))
  const tags = new Map<number, number>()
  const wantsTags = counts.has('hashtag') || counts.has('domain')
  const count = (name: FacetName, value: number) => {
    const values = counts.get(name)
    if (values) values.set(value, (values.get(value) ?? 0) + 1)
  }
  const offsets = new Map<Uint8Array, Uint32Array>()

  function countTags(match: Match): void {
    const packed = snapshot.columns(match.bucket).tags[Math.floor(match.slot / CHUNK)]!
    let starts = offsets.get(packed)
    if (!starts) offsets.set(packed, (starts = startsOf(packed)))
    const at = match.slot % CHUNK
    const view = new DataView(packed.buffer, packed.byteOffset + CHUNK * 2)
    for (let i = starts[at]!; i < starts[at + 1]!; i++) {
      const id = view.getUint32(i * 4, true)
      tags.set(id, (tags.get(id) ?? 0) + 1)
    }
  }

  return {
    add(match: Match): void {
      const { columns, slot, sec } = match
      count('day', Math.floor(sec / 86_400))
      count('hour', Math.floor(sec / 3_600))
      count('channel', columns.channel[slot]!)
      count('lang', columns.language[slot]!)
      if (counts.has('has')) {
        const flags = columns.flags[slot]!
        for (let bit = 0; bit < HAS_VALUES.length; bit++) if (flags & (1 << bit)) count('has', bit)
      }
      if (wantsTags) countTags(match)
    },
    finish(): Partial<Record<FacetName, readonly FacetValue[]>> {
      const byCount = [...tags].sort(([, a], [, b]) => b - a)
      const named = (table: 'tag' | 'language', id: number) =>
        String(snapshot.statement(`select value from ${table} where id = ?`).get(id)?.['value'])
      const tagged = (mark: string) => {
        // Names are looked up from the most frequent down, to the end of the count that fills the list.
        const found: FacetValue[] = []
        for (const [id, n] of byCount) {
          if (found.length >= LIMITS.facetValues && n < found.at(-1)!.count) break
          const value = named('tag', id)
          if (value.startsWith(mark)) found.push({ value: value.slice(1), count: n })
        }
        return found
      }
      const listed = (name: FacetName, text: (value: number) => string) =>
        [...counts.get(name)!].map(([value, n]) => ({ value: text(value), count: n }))
      const facets: Partial<Record<FacetName, readonly FacetValue[]>> = {}
      for (const name of names) {
        facets[name] =
          name === 'day' || name === 'hour'
            ? timeFacet(name, counts.get(name)!)
            : finishFacets(
                name === 'hashtag'
                  ? tagged('#')
                  : name === 'domain'
                    ? tagged('d')
                    : name === 'has'
                      ? listed(name, (bit) => HAS_VALUES[bit]!)
                      : name === 'lang'
                        ? listed(name, (id) => (id === 0 ? '' : named('language', id))).filter(
                            (each) => each.value !== '',
                          )
                        : listed(name, String),
              )
      }
      return facets
    },
  }
}

/** Where each post's tags begin. */
function startsOf(packed: Uint8Array): Uint32Array {
  const lengths = new DataView(packed.buffer, packed.byteOffset)
  const starts = new Uint32Array(CHUNK + 1)
  for (let i = 0; i < CHUNK; i++) starts[i + 1] = starts[i]! + lengths.getUint16(i * 2, true)
  return starts
}
