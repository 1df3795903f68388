/** The value below which this share of the list lies. */
export function quantile(list: readonly number[], share: number): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length * share)] ?? NaN
}

export function median(list: readonly number[]): number {
  return quantile(list, 0.5)
}
