import type { Post } from '../../model/post.ts'

/**
 * What no database keeps is left out before anything is decided: the character U+0000 and halves of surrogate pairs.
 * Everything else comes back as it was written.
 */
export function storable<T>(value: T): T {
  return isWhole(value) ? value : storablePart(value)
}

/** Nearly everything is, and a look costs a tenth of a copy. */
function isWhole(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isWhole)
  for (const key in value) if (!isWhole(value[key as keyof typeof value])) return false
  return true
}

function storablePart<T>(value: T): T {
  if (typeof value === 'string') return without(value) as T
  if (typeof value !== 'object' || value === null) return value
  return isPost(value) ? (storablePost(value) as T) : storableParts(value)
}

function storableParts<T extends object>(value: T): T {
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as T
  for (const key in copy) copy[key] = storablePart(copy[key])
  return copy
}

function isPost(value: object): value is Post {
  return 'text' in value && 'entities' in value
}

/** Entities are moved with the text they mark; those of nothing but what was left out go. */
function storablePost(post: Post): Post {
  const parts = storableParts(post)
  if (parts.text === post.text) return parts
  const gone = [...post.text.matchAll(UNSTORABLE)].map(({ index }) => index)
  const at = (offset: number) => offset - countBelow(gone, offset)
  const entities = parts.entities.map((entity) => {
    const offset = at(entity.offset)
    return { ...entity, offset, length: at(entity.offset + entity.length) - offset }
  })
  return { ...parts, entities: entities.filter(({ length }) => length > 0) }
}

/** Of places in ascending order, those before an offset. */
function countBelow(places: readonly number[], offset: number): number {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (places[middle]! < offset) low = middle + 1
    else high = middle
  }
  return low
}

function without(text: string): string {
  return text.replace(UNSTORABLE, '')
}

// With the flag `u` a pair is one character, so that this class meets single halves only.
// oxlint-disable-next-line no-control-regex
const UNSTORABLE = /[\u0000\ud800-\udfff]/gu
