import type { Entity } from '../model/post.ts'

interface Range {
  readonly start: number
  readonly end: number
}

/**
 * The text with what its author hid replaced by blocks, character by character: for titles and snippets, where nothing can
 * be revealed by a touch. What was searched for stays readable, since a hit has to show why it was found.
 */
export function maskSpoilers(
  text: string,
  entities: readonly Pick<Entity, 'type' | 'offset' | 'length'>[],
  shown: readonly Range[] = [],
): string {
  const spoilers = entities.filter(({ type }) => type === 'spoiler')
  if (spoilers.length === 0) return text
  const units = text.split('')
  let reached = 0
  for (const { offset, length } of spoilers.toSorted((a, b) => a.offset - b.offset)) {
    const end = Math.min(offset + length, units.length)
    for (let i = Math.max(offset, reached); i < end; i++) {
      if (units[i]!.trim() !== '') units[i] = '█'
    }
    reached = Math.max(reached, end)
  }
  for (const { start, end } of shown) {
    for (let i = start; i < end; i++) units[i] = text[i]!
  }
  return units.join('')
}
