import assert from 'node:assert/strict'
import { test } from 'node:test'
import { count, makePost, startService } from './harness.ts'

const DAY = 86_400_000

test('a profile has one value per day of subscribers and views, for 90 days', async () => {
  await using service = await startService()
  const read = (subscribers: number, views: number) => {
    const now = service.clock.now()
    return service.publish({ username: 'grows', subscribers: count(subscribers, now) }, [
      makePost({ number: 1, publishedAt: now - 1000, views: count(views, now) }),
    ])
  }
  const grown = async () => (await service.get('/v1/channels/grows')).json.data.growth
  const values = (days: readonly { value: number }[]) => days.map(({ value }) => value)

  await read(1000, 40)
  service.pass(2 * DAY)
  await read(1100, 50)
  const { subscribers, views } = await grown()
  assert.deepEqual(values(subscribers), [1000, 1100])
  assert.deepEqual(values(views), [40, 50])
  const [first, last] = subscribers.map(({ date }: { date: string }) => Date.parse(date))
  assert.equal(new Date(first).toISOString().slice(0, 10), subscribers[0].date)
  assert.ok(last - first >= 2 * DAY && last <= service.clock.now())

  service.pass(88 * DAY)
  assert.deepEqual(values((await grown()).subscribers), [1100])
  service.pass(3 * DAY)
  assert.deepEqual(await grown(), { subscribers: [], views: [] })
})
