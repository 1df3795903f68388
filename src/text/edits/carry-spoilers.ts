import type { Entity } from '../../model/post.ts'
import { diffWords } from './diff-words.ts'

type Formatting = Pick<Entity, 'type' | 'offset' | 'length'>

/**
 * The spoilers of one wording of a post where another wording has the same words. Earlier wordings are kept without
 * formatting. Words that stood in the place of a spoiler, or right beside it, count as hidden too.
 */
export function carrySpoilers(
  text: string,
  entities: readonly Formatting[],
  other: string,
): Formatting[] {
  const hidden = new Uint8Array(text.length)
  for (const { type, offset, length } of entities) {
    if (type === 'spoiler') hidden.fill(1, offset, offset + length)
  }
  const carried: Formatting[] = []
  let at = 0
  let there = 0
  const pieces = diffWords(other, text)
  for (const [
    i,
    {
      kind,
      text: { length },
    },
  ] of pieces.entries()) {
    if (kind === 'same') {
      for (let start = at; start < at + length;) {
        const end = endOfRun(hidden, start, at + length)
        if (hidden[start]) {
          carried.push({ type: 'spoiler', offset: there + start - at, length: end - start })
        }
        start = end
      }
    } else if (kind === 'removed') {
      const next = pieces[i + 1]
      const replaced = next?.kind === 'added' ? next.text.length : 0
      if (hidden.subarray(Math.max(0, at - 1), at + replaced + 1).includes(1)) {
        carried.push({ type: 'spoiler', offset: there, length })
      }
    }
    if (kind !== 'removed') at += length
    if (kind !== 'added') there += length
  }
  return carried
}

function endOfRun(values: Uint8Array, start: number, limit: number): number {
  let end = start + 1
  while (end < limit && values[end] === values[start]) end++
  return end
}
