import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchNews } from '../src/mcp/news-resource.ts'
import { makePost, startService } from './api/harness.ts'
import { until } from './until.ts'

const NEW = 'telegrep://new/q=beacon'

test('an MCP listener that stops reading is disconnected, and others are not', async () => {
  await using service = await startService()
  const { ctx, clock } = service
  const stop = new AbortController()
  const hungUp: string[] = []
  const caller = ctx.access.anonymous('192.0.2.1')
  const listen = (name: string, isFull: boolean) =>
    watchNews(ctx, caller, {
      uris: [NEW],
      signal: stop.signal,
      notify() {},
      reader: { isFull, drained: () => new Promise(() => {}) },
      hangUp: () => void hungUp.push(name),
    })
  await listen('taking', false)
  await listen('stalled', true)
  assert.equal(ctx.streams.open, 2)
  const publishedAt = clock.now() - 60_000
  await service.publish({ username: 'coast' }, [
    makePost({ number: 1, publishedAt, text: 'Beacon' }),
  ])
  await until(() => {
    service.pass(2_000)
    return hungUp.length > 0
  })
  assert.deepEqual(hungUp, ['stalled'])
  assert.equal(ctx.streams.open, 1)
  stop.abort()
})
