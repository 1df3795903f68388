/**
 * A set of numbers in the portable Roaring bitmap format, as base64: the engine takes it as one term, where a list of a
 * million numbers would be megabytes. Numbers with the same upper half form a container: up to 4 096 as a list, more as
 * 65 536 bits.
 */
export function bitmapOf(numbers: readonly number[]): string {
  const containers = containersOf(numbers)
  const count = containers.length
  const header = 8 + 8 * count
  const size = containers.reduce((sum, { values }) => sum + sizeOf(values), header)
  const bytes = Buffer.alloc(size)
  bytes.writeUInt32LE(COOKIE, 0)
  bytes.writeUInt32LE(count, 4)
  let at = header
  for (const [i, { key, values }] of containers.entries()) {
    bytes.writeUInt16LE(key, 8 + 4 * i)
    bytes.writeUInt16LE(values.length - 1, 10 + 4 * i)
    bytes.writeUInt32LE(at, 8 + 4 * count + 4 * i)
    if (values.length <= MAX_LIST) {
      values.forEach((value, j) => bytes.writeUInt16LE(value, at + 2 * j))
    } else {
      for (const value of values) bytes[at + (value >> 3)]! |= 1 << (value & 7)
    }
    at += sizeOf(values)
  }
  return bytes.toString('base64')
}

/** Cookie of bitmaps without run containers. */
const COOKIE = 12_346
const MAX_LIST = 4_096

function sizeOf(values: readonly number[]): number {
  return values.length <= MAX_LIST ? 2 * values.length : 8_192
}

function containersOf(numbers: readonly number[]): { key: number; values: number[] }[] {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b)
  const byKey = Map.groupBy(sorted, (number) => number >>> 16)
  return [...byKey].map(([key, values]) => ({ key, values: values.map((value) => value & 0xffff) }))
}
