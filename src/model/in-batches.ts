/** Splits a list into batches of at most `most` items. */
export function* inBatches<T>(list: readonly T[], most: number): Generator<readonly T[]> {
  for (let from = 0; from < list.length; from += most) yield list.slice(from, from + most)
}
