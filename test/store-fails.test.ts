import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import { AppError } from '../src/model/errors.ts'
import { startService } from './start-service.ts'

test('a search during which two store reads fail gets one 503, and the process survives', async () => {
  await using service = await startService({ world: { channels: 2, days: 3 } })
  await service.settled()
  const ask = () => fetch(`${service.url}/v1/search?channel=${service.names[0]}`)
  const away = async (afterMs: number) => {
    await sleep(afterMs)
    throw new AppError('unavailable', 'the database is away', { retryAfterS: 5 })
  }
  // Both are requested at once. If nobody awaited the second failure, it would end this process and the test.
  const archive = { posts: () => away(0), channelsById: () => away(50) }
  Object.assign(service.app.store.archive, archive)
  const reply = await ask()
  assert.equal(reply.status, 503)
  assert.ok(reply.headers.has('retry-after'))
  await sleep(200)
})
