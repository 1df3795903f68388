import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openProxy } from '../../../test/cutting-proxy.ts'
import { documentOf, NOW, OLDER, setUp, WEEK } from '../../../test/cluster/writer-stage.ts'
import { whyNoEngines } from '../../../test/engines.ts'
import { until } from '../../../test/until.ts'
import { HOUR_MS } from '../../model/time.ts'
import { openIndexWriter } from '../open-search-index.ts'
import { WINDOW_MS } from '../search-index.ts'
import { segmentsOf, segmentsWanted } from './merger.ts'

const skip = whyNoEngines() ?? false
const GB = 2 ** 30

const copy = (sizes: readonly number[], { id = 'a', bytes = 1 } = {}) =>
  sizes.map((size) => ({
    index: 'week',
    shard: '0',
    id,
    'docs.count': String(size * 10),
    size: String(size * bytes),
  }))

test('a shard is merged if its largest segment holds too few of its posts', () => {
  assert.equal(segmentsWanted(copy([]), 0.5), undefined)
  assert.equal(segmentsWanted(copy([1]), 0.9), undefined)
  assert.equal(segmentsWanted(copy([30, 40, 30]), 0.5), 1)
  assert.equal(segmentsWanted(copy([20, 60, 20]), 0.5), undefined)
  assert.equal(segmentsWanted(copy([20, 60, 20]), 0.9), 1)
  const other = copy([1, 1, 1], { id: 'b' })
  assert.equal(segmentsWanted([...copy([99]), ...other], 0.5), 1, 'each copy by itself')
})

test('a large shard is merged into segments of about five gigabytes', () => {
  const gigabytes = (sizes: readonly number[]) => copy(sizes, { bytes: GB })
  assert.equal(segmentsWanted(gigabytes(Array(24).fill(0.5)), 0.9), 3)
  assert.equal(segmentsWanted(gigabytes([5, 5, 0.5, 0.5]), 0.9), undefined)
  assert.equal(segmentsWanted(gigabytes([5, 5, 2]), 0.9), undefined)
  assert.equal(segmentsWanted(gigabytes([4, 4, 4]), 0.9), undefined)
  assert.equal(segmentsWanted(gigabytes([12]), 0.9), undefined)
})

/** A writer, its requests to merge, and how its weeks are cut into segments. */
async function openStage() {
  await using opening = new AsyncDisposableStack()
  const world = opening.use(await setUp())
  const { location, client, names, clock } = world
  const merges: string[] = []
  let isFailing = false
  const failing = () => '{"_shards":{"failed":1,"failures":[{"reason":{"reason":"a fault"}}]}}'
  const proxy = opening.use(
    await openProxy(location.nodes[0]!, ({ url = '' }) => {
      const [, week, how] = /-(\d+)\/_forcemerge\?(.*)/.exec(url) ?? []
      if (how === undefined) return 'pass'
      merges.push(`${how} of ${Number(week) === WEEK ? 'the running week' : 'a week before'}`)
      return isFailing ? { answer: failing } : 'pass'
    }),
  )
  const told: string[] = []
  const onUnmerged = (index: string, why: string) => told.push(`${index}: ${why}`)
  const through = { ...location, nodes: [proxy.origin] }
  const writer = opening.use(await openIndexWriter(through, clock, { onUnmerged }))
  const own = opening.move()
  const segments = async (week: number) => {
    const found = await segmentsOf(client, names.week(1, week))
    return `${found.map((each) => Number(each['docs.count'])).toSorted((a, b) => b - a)}`
  }
  return {
    ...world,
    writer,
    merges,
    told,
    fail: () => (isFailing = true),
    segments,
    put: (...numbers: number[]) =>
      writer.apply({
        puts: numbers.flatMap((n) => [documentOf(n), documentOf(100 + n, OLDER)]),
      }),
    async tendUntil(isSo: () => boolean | Promise<boolean>) {
      await until(async () => {
        await writer.expire(NOW - WINDOW_MS)
        return isSo()
      })
    },
    [Symbol.asyncDispose]: () => own.disposeAsync(),
  }
}

const RUNNING = 'max_num_segments=1 of the running week'
const BEFORE = 'max_num_segments=1 of a week before'

test(
  'a week that is over is merged into one segment, a running one as it doubles',
  { skip },
  async () => {
    await using stage = await openStage()
    const { segments, put, merges, tendUntil, pass, search } = stage
    for (const n of [1, 2, 3]) await put(n)
    assert.deepEqual([await segments(WEEK), await segments(WEEK - 1)], ['1,1,1', '1,1,1'])
    await tendUntil(async () => `${await segments(WEEK)} ${await segments(WEEK - 1)}` === '3 3')
    assert.deepEqual(merges.splice(0).sort(), [BEFORE, RUNNING])
    await put(4, 5)
    await tendUntil(() => true)
    assert.deepEqual(merges, [], 'once an hour')
    pass(HOUR_MS)
    await tendUntil(async () => (await segments(WEEK - 1)) === '5')
    assert.deepEqual([merges, await segments(WEEK)], [[BEFORE], '3,2'])
    assert.deepEqual(await search(), [1, 2, 3, 4, 5, 101, 102, 103, 104, 105])
  },
)

test(
  'in the night every week is rewritten without the posts that it has lost',
  { skip },
  async () => {
    await using stage = await openStage()
    const { put, merges, tendUntil, pass, clock } = stage
    await put(1)
    // The night is in the local time of the machine.
    while (new Date(clock.now()).getHours() !== 3) pass(HOUR_MS)
    await tendUntil(() => merges.length === 2)
    assert.deepEqual(merges.sort(), [
      'only_expunge_deletes=true of a week before',
      'only_expunge_deletes=true of the running week',
    ])
  },
)

test('a week that cannot be merged is told, and tried again in an hour', { skip }, async () => {
  await using stage = await openStage()
  const { put, fail, told, tendUntil, pass, names } = stage
  fail()
  for (const n of [1, 2, 3]) await put(n)
  await tendUntil(() => told.length === 2)
  assert.deepEqual(told.splice(0).sort(), [
    `${names.week(1, WEEK - 1)}: a fault`,
    `${names.week(1, WEEK)}: a fault`,
  ])
  // Only the answers told of a fault.
  await put(4)
  pass(HOUR_MS)
  await tendUntil(() => told.length === 1)
})
