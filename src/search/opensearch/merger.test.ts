import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openProxy, type Fate } from '../../../test/cutting-proxy.ts'
import { documentOf, NOW, OLDER, setUp, WEEK } from '../../../test/cluster/writer-stage.ts'
import { whyNoEngines } from '../../../test/engines.ts'
import { until } from '../../../test/until.ts'
import { HOUR_MS } from '../../model/time.ts'
import { openIndexWriter } from '../open-search-index.ts'
import { WINDOW_MS } from '../search-index.ts'
import { segmentsWanted } from './merger.ts'
import { hasRoom } from './room.ts'
import { segmentsOf, type Segment } from './segments.ts'

const skip = whyNoEngines() ?? false
const GB = 2 ** 30

const copy = (sizes: readonly number[], about: Partial<Segment> = {}) =>
  sizes.map((posts, i): Segment => ({
    index: 'week',
    copy: '0/a',
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
  const other = copy([1, 1, 1], { copy: '0/b' })
  assert.equal(segmentsWanted([...copy([99]), ...other], 0.5), 1, 'each copy by itself')
})

test('the smallest segments of a large shard are merged, into one of at most five gigabytes', () => {
  const gigabytes = (sizes: readonly number[]) =>
    copy(sizes).map((segment) => ({ ...segment, bytes: segment.bytes * GB }))
  assert.equal(segmentsWanted(gigabytes(Array(24).fill(0.5)), 0.9), 15, 'ten become one')
  assert.equal(segmentsWanted(gigabytes([5, ...Array(14).fill(0.5)]), 0.9), 6)
  assert.equal(segmentsWanted(gigabytes([5, 5, 0.5, 0.5]), 0.9), 3)
  assert.equal(segmentsWanted(gigabytes([5, 5, 2]), 0.9), undefined)
  assert.equal(segmentsWanted(gigabytes([4, 4, 4]), 0.9), undefined, 'no two fit')
  assert.equal(segmentsWanted(gigabytes([12]), 0.9), undefined)
})

test('a week is merged only where all its nodes have room for it', () => {
  const segments = [...copy([10, 20]), ...copy([30], { node: 'b' })]
  const disks = (a: number, b: number) => {
    const disk = (available: number) => ({ total_in_bytes: 400, available_in_bytes: available })
    return new Map(Object.entries({ a: disk(a), b: disk(b) }))
  }
  assert.equal(hasRoom(segments, disks(100, 100)), true)
  assert.equal(hasRoom(segments, disks(100, 99)), false)
  assert.equal(hasRoom(segments, disks(99, 100)), false)
  assert.equal(hasRoom(segments, new Map()), false)
})

test(
  'a week that is over is merged, one that is being filled only as it doubles',
  { skip },
  async () => {
    await using world = await setUp()
    const { location, client, names, clock, search } = world
    let looks = 0
    let merges = 0
    await using proxy = await openProxy(location.nodes[0]!, ({ url = '' }) => {
      if (url.includes('/_segments')) looks++
      if (url.includes('/_forcemerge')) merges++
      return 'pass'
    })
    const through = { ...location, nodes: [proxy.origin] }
    await using writer = await openIndexWriter(through, clock)
    const segments = async (week: number) => {
      const found = (await segmentsOf(client, names.week(1, week))) ?? []
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
    assert.equal(merges, 2)

    await put([4, 5])
    const before = looks
    await until(async () => {
      await writer.expire(NOW - WINDOW_MS)
      return looks > before + 2
    })
    assert.equal(merges, 2, 'both rest for an hour')
    world.pass(HOUR_MS)
    await untilMerged([over, '5'])
    assert.equal(await segments(filling), '3,2')
    assert.equal(merges, 3)
    assert.deepEqual(await search(), [1, 2, 3, 4, 5, 101, 102, 103, 104, 105])
  },
)

test(
  'a week is not merged where the engine is at it or lacks room, and failing is told',
  { skip },
  async () => {
    await using world = await setUp()
    const { location, clock } = world
    let looks = 0
    let merges = 0
    let fate: 'is busy' | 'lacks room' | 'fails' = 'is busy'
    const lacking = (body: string) =>
      body.replaceAll(/("available_in_bytes"):\d+/g, fate === 'lacks room' ? '$1:1' : '$&')
    const busy = (body: string) =>
      body.replaceAll('"current":0', fate === 'is busy' ? '"current":1' : '$&')
    const failing = () => '{"_shards":{"failed":1,"failures":[{"reason":{"reason":"a fault"}}]}}'
    await using proxy = await openProxy(location.nodes[0]!, ({ url = '' }): Fate => {
      if (url.includes('/_stats/store,merge')) looks++
      if (url.includes('/_forcemerge')) merges++
      if (url.includes('/_stats/store,merge')) return { answer: busy }
      if (url.includes('/_nodes/stats')) return { answer: lacking }
      return url.includes('/_forcemerge') ? { answer: failing } : 'pass'
    })
    const told: string[] = []
    const through = { ...location, nodes: [proxy.origin] }
    const onUnmerged = (index: string, why: string) => {
      assert.equal(index, world.names.week(1, WEEK))
      told.push(why)
    }
    await using writer = await openIndexWriter(through, clock, { onUnmerged })
    for (const n of [1, 2, 3]) await writer.apply({ puts: [documentOf(n)] })
    const tendUntil = (isSo: () => boolean) =>
      until(async () => {
        await writer.expire(NOW - WINDOW_MS)
        return isSo()
      })

    await tendUntil(() => looks > 2)
    assert.deepEqual([merges, told], [0, []])
    fate = 'lacks room'
    await tendUntil(() => told.length > 0)
    assert.deepEqual([merges, told], [0, ['its nodes lack room for a copy of it']])
    world.pass(HOUR_MS)
    fate = 'fails'
    await tendUntil(() => told.length > 1)
    assert.deepEqual([merges, told[1]], [1, 'a fault'])
  },
)

test('a week whose merge took long rests for longer', { skip }, async () => {
  await using world = await setUp()
  const { location, clock } = world
  let looks = 0
  let merges = 0
  await using proxy = await openProxy(location.nodes[0]!, ({ url = '' }) => {
    if (url.includes('/_segments')) looks++
    if (url.includes('/_forcemerge')) {
      merges++
      world.pass(HOUR_MS / 2)
    }
    return 'pass'
  })
  await using writer = await openIndexWriter({ ...location, nodes: [proxy.origin] }, clock)
  const put = async (numbers: readonly number[]) => {
    for (const n of numbers) await writer.apply({ puts: [documentOf(n)] })
  }
  const tendUntil = (isSo: () => boolean) =>
    until(async () => {
      await writer.expire(NOW - WINDOW_MS)
      return isSo()
    })
  await put([1, 2, 3])
  await tendUntil(() => merges === 1)
  await put([4, 5, 6, 7])
  world.pass(9 * HOUR_MS)
  const before = looks
  await tendUntil(() => looks > before + 2)
  assert.equal(merges, 1)
  world.pass(HOUR_MS)
  await tendUntil(() => merges === 2)
})
