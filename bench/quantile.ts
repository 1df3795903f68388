/** The value that so large a share of the list lies below. */
export function quantile(list: readonly number[], share: number): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length * share)] ?? NaN
}

export function median(list: readonly number[]): number {
  return quantile(list, 0.5)
}
