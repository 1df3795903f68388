/** The first index whose value is at least `wanted`; the values ascend. */
export function lowerBound(values: ArrayLike<number>, wanted: number): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low
}
