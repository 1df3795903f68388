/** What a query may bound of a post; `arrived` in seconds. */
export type NumberName = 'views' | 'reactions' | 'subscribers' | 'arrived'

/** Numbers that a post must have: from here on, and below there. */
export interface NumberRange {
  readonly name: NumberName
  readonly from: number
  readonly to: number
}

/** Of these ranges those that exclude anything: no number is below nothing. */
export function excluding(ranges: readonly NumberRange[]): NumberRange[] {
  return ranges.filter(({ from, to }) => from > 0 || to < Infinity)
}

export function isWithin(
  ranges: readonly NumberRange[],
  numberOf: (name: NumberName) => number,
): boolean {
  for (const { name, from, to } of ranges) {
    const number = numberOf(name)
    if (number < from || number >= to) return false
  }
  return true
}
