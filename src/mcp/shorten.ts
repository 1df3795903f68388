import { cutText } from '../model/cut-text.ts'

/** Cuts long strings and lists inside a value, keeping its shape. Returns the same value when nothing was cut. */
export function shorten(value: unknown, maxString: number, maxList: number): unknown {
  if (typeof value === 'string') return cutText(value, maxString)
  if (Array.isArray(value)) {
    const made = value.slice(0, maxList).map((item) => shorten(item, maxString, maxList))
    return made.length === value.length && made.every((item, i) => item === value[i]) ? value : made
  }
  if (typeof value !== 'object' || value === null) return value
  let isCut = false
  const made = Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const cut = shorten(item, maxString, maxList)
      isCut ||= cut !== item
      return [key, cut]
    }),
  )
  return isCut ? made : value
}
