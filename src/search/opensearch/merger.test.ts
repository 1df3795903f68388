import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentOf, NOW, OLDER, setUp, WEEK } from '../../../test/cluster/writer-stage.ts'
import { whyNoEngines } from '../../../test/engines.ts'
import { until } from '../../../test/until.ts'
import { HOUR_MS } from '../../model/time.ts'
import { openIndexWriter } from '../open-search-index.ts'
import { WINDOW_MS } from '../search-index.ts'
import { hasRoom, segmentsWanted } from './merger.ts'
import { segmentsOf, type Segment } from './segments.ts'

const skip = whyNoEngines() ?? false
const GB = 2 ** 30

const copy = (sizes: readonly number[], about: Partial<Segment> = {}) =>
  sizes.map((posts, i): Segment => ({
    index: 'week',
    shard: '0',
    node: 'a',
    name: `_${i}`,
    lost: 0,
    posts,
    bytes: posts,
    ...about,
  }))

test('a shard is merged if its largest segment holds too few of its posts', () => {
  assert.equal(segmentsWanted(copy([]), 0.5), undefined)
  assert.equal(segmentsWanted(copy([1]), 0.9), undefined)
  assert.equal(segmentsWanted(copy([30, 40, 30]), 0.5), 1)
  assert.equal(segmentsWanted(copy([20, 60, 20]), 0.5), undefined)
  assert.equal(segmentsWanted(copy([20, 60, 20]), 0.9), 1)
  const other = copy([1, 1, 1], { node: 'b' })
  assert.equal(segmentsWanted([...copy([99]), ...other], 0.5), 1, 'each copy by itself')
})

test('a large shard is merged into segments of five gigabytes', () => {
  const parts = copy([1, 1, 1, 1, 1, 1], { bytes: 2 * GB })
  assert.equal(segmentsWanted(parts, 0.9), 3)
  assert.equal(segmentsWanted(copy([4, 4, 4], { bytes: 4 * GB }), 0.9), undefined)
})

test('a week is merged only where all its nodes have room for it', () => {
  const segments = [...copy([10, 20]), ...copy([30], { node: 'b' })]
  const free = (a: number, b: number) => new Map(Object.entries({ a, b }))
  assert.equal(hasRoom(segments, free(61, 61)), true)
  assert.equal(hasRoom(segments, free(61, 60)), false)
  assert.equal(hasRoom(segments, free(60, 61)), false)
  assert.equal(hasRoom(segments, new Map()), false)
})

test(
  'a week that is over is merged, one that is being filled only as it doubles',
  { skip },
  async () => {
    await using world = await setUp()
    const { location, client, names, clock, search } = world
    await using writer = await openIndexWriter(location, clock)
    const segments = async (week: number) => {
      const found = await segmentsOf(client, names.week(1, week))
      return `${found.map(({ posts }) => posts).toSorted((a, b) => b - a)}`
    }
    const [filling, over] = [WEEK, WEEK - 1]
    const put = (numbers: readonly number[]) =>
      writer.apply({
        puts: numbers.flatMap((n) => [documentOf(n), documentOf(100 + n, OLDER)]),
      })
    const untilMerged = (...expected: readonly (readonly [number, string])[]) =>
      until(async () => {
        await writer.expire(NOW - WINDOW_MS)
        const found = await Promise.all(expected.map(([week]) => segments(week)))
        return expected.every(([, sizes], i) => found[i] === sizes)
      })

    for (const n of [1, 2, 3]) await put([n])
    assert.equal(await segments(filling), '1,1,1')
    assert.equal(await segments(over), '1,1,1')
    await untilMerged([filling, '3'], [over, '3'])

    await put([4, 5])
    await untilMerged([over, '3,2'])
    world.pass(HOUR_MS)
    await untilMerged([over, '5'])
    assert.equal(await segments(filling), '3,2')
    assert.deepEqual(await search(), [1, 2, 3, 4, 5, 101, 102, 103, 104, 105])
  },
)
