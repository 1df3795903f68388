/** Adds up by number. A Map boxes numbers beyond 31 bits, and a relaxed query adds up thousands of rowids. */
export function createSums(expected: number) {
  const size = 2 ** Math.ceil(Math.log2(2 * expected + 64))
  let keys = new Float64Array(size)
  let sums = new Float64Array(size)
  let count = 0

  /** The place of a key, or the free one where it belongs; keys are above zero. */
  function placeOf(key: number): number {
    const mask = keys.length - 1
    const high = Math.floor(key / 0x400000)
    let at = (Math.imul(high, 0x9e3779b1) ^ Math.imul(key - high * 0x400000, 0x85ebca6b)) >>> 0
    for (at = (at ^ (at >>> 15)) & mask; keys[at] !== 0 && keys[at] !== key;) at = (at + 1) & mask
    return at
  }

  function grow(): void {
    const [oldKeys, oldSums] = [keys, sums]
    keys = new Float64Array(oldKeys.length * 4)
    sums = new Float64Array(oldKeys.length * 4)
    for (let i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] === 0) continue
      const at = placeOf(oldKeys[i]!)
      keys[at] = oldKeys[i]!
      sums[at] = oldSums[i]!
    }
  }

  return {
    add(key: number, value: number): void {
      const at = placeOf(key)
      if (keys[at] === 0) count++
      keys[at] = key
      sums[at]! += value
      if (count * 2 > keys.length) grow()
    },
    forEach(visit: (key: number, sum: number) => void): void {
      for (let i = 0; i < keys.length; i++) if (keys[i] !== 0) visit(keys[i]!, sums[i]!)
    },
  }
}
