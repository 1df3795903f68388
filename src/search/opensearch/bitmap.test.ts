import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bitmapOf } from './bitmap.ts'

/** Reads the format as specified: cookie, containers, offset of each container. */
function read(bitmap: string): number[] {
  const bytes = Buffer.from(bitmap, 'base64')
  assert.equal(bytes.readUInt32LE(0), 12_346)
  const count = bytes.readUInt32LE(4)
  return Array.from({ length: count }, (_, i) => {
    const key = bytes.readUInt16LE(8 + 4 * i)
    const size = bytes.readUInt16LE(10 + 4 * i) + 1
    const at = bytes.readUInt32LE(8 + 4 * count + 4 * i)
    const low =
      size > 4_096
        ? Array.from({ length: 65_536 }, (_, n) => n).filter(
            (n) => (bytes[at + (n >> 3)]! >> (n & 7)) & 1,
          )
        : Array.from({ length: size }, (_, n) => bytes.readUInt16LE(at + 2 * n))
    assert.equal(low.length, size)
    return low.map((n) => key * 65_536 + n)
  }).flat()
}

test('a bitmap holds the numbers it was made of, each once and in order', () => {
  const dense = Array.from({ length: 5_000 }, (_, i) => 200_000 + i)
  for (const numbers of [[], [7], [65_536, 3, 3, 65_535], [...dense, 1, 2_147_483_647]]) {
    assert.deepEqual(
      read(bitmapOf(numbers)),
      [...new Set(numbers)].sort((a, b) => a - b),
    )
  }
})
