import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judgeFlatness } from './prove/flat.ts'

const SAMPLE_S = 5

/** Ten minutes of samples, or as many as given. */
function memory(of: (minute: number, i: number) => number, minutes = 10): number[] {
  const count = (minutes * 60) / SAMPLE_S
  return Array.from({ length: count }, (_, i) => of((i * SAMPLE_S) / 60, i))
}

/** Between -1 and 1, without a trend. */
const noise = (i: number) => Math.sin(i * 12.9898) * Math.cos(i * 4.1414)

describe('judgeFlatness', () => {
  test('treats noise of a few megabytes as flat, whatever its rhythm', () => {
    for (const swing of [
      (_minute: number, i: number) => noise(i),
      (minute: number) => Math.sin(minute),
      (minute: number) => Math.sin(minute * 5),
      // Low at the start of the second half, high in the rest: the worst case.
      (minute: number) => (minute < 7.5 ? -1 : 1),
    ]) {
      const values = memory((minute, i) => 375 + 5 * swing(minute, i))
      assert.equal(judgeFlatness(values, SAMPLE_S).isFlat, true, String(swing))
    }
  })

  test('detects a steady leak too slow to show between the thirds, despite noise', () => {
    const values = memory((minute, i) => 375 + 4 * minute + 5 * noise(i))
    const { isFlat, middle, last, perMinute } = judgeFlatness(values, SAMPLE_S)
    assert.ok(last < middle * 1.1)
    assert.ok(perMinute > 3.5 && perMinute < 4.5, String(perMinute))
    assert.equal(isFlat, false)
  })

  test('does not treat unreadable samples as flat', () => {
    assert.equal(
      judgeFlatness(
        memory((_, i) => (i === 100 ? NaN : 375)),
        SAMPLE_S,
      ).isFlat,
      false,
    )
    assert.equal(judgeFlatness([], SAMPLE_S).isFlat, false)
  })
})
