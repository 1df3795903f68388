/** The numbers of a post that a query may bound; `arrived` is in seconds. */
export type NumberName = 'views' | 'reactions' | 'subscribers' | 'arrived'

/** `from` is inclusive, `to` exclusive. */
export interface NumberRange {
  readonly name: NumberName
  readonly from: number
  readonly to: number
}

/** The ranges that exclude anything; none of these numbers is negative. */
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
