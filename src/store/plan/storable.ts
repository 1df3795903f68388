import { lowerBound } from '../../model/lower-bound.ts'
import type { Post } from '../../model/post.ts'

/**
 * Drops what some database cannot store, before anything is decided: the character U+0000 and lone surrogates.
 * Everything else is read back as it was written.
 */
export function storable<T>(value: T): T {
  return isWhole(value) ? value : storablePart(value)
}

/** Nearly every value is storable as it is, and checking costs a tenth of copying. */
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

/** Entities move with the text they mark; those that marked only dropped characters are dropped. */
function storablePost(post: Post): Post {
  const parts = storableParts(post)
  if (parts.text === post.text) return parts
  const gone = [...post.text.matchAll(UNSTORABLE)].map(({ index }) => index)
  const at = (offset: number) => offset - lowerBound(gone, offset)
  const entities = parts.entities.map((entity) => {
    const offset = at(entity.offset)
    return { ...entity, offset, length: at(entity.offset + entity.length) - offset }
  })
  return { ...parts, entities: entities.filter(({ length }) => length > 0) }
}

function without(text: string): string {
  return text.replace(UNSTORABLE, '')
}

// With the flag `u` a surrogate pair is one character, so that this class matches only lone surrogates.
// oxlint-disable-next-line no-control-regex
const UNSTORABLE = /[\u0000\ud800-\udfff]/gu
