import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventParser } from '../../src/client/event-stream.ts'
import { AppError } from '../../src/model/errors.ts'
import { streamPosts } from '../../src/operations/stream-posts.ts'
import { until } from '../until.ts'
import { makePost, startService, type Service } from './harness.ts'

/** Follows a search as MCP and the command line do, inside the service's process. */
async function follow({ ctx }: Service, q: string, signal: AbortSignal, lastEventId?: string) {
  const caller = ctx.access.anonymous('203.0.113.7')
  const start = await streamPosts.prepare({ q, detail: 'ids' }).open(ctx, {
    caller,
    lastEventId,
  })
  const parser = createEventParser()
  const told: string[] = []
  start({
    signal,
    write(text) {
      if (text.startsWith(': \n')) told.push(`comment ${/id: (.*)/.exec(text)![1]}`)
      for (const { event, data } of parser.feed(text)) {
        const { id, detail } = data as { id?: string; detail?: string }
        if (event !== 'begin') told.push(`${event} ${id ?? detail}`)
      }
      return true
    },
    isFull: false,
    drained: async () => {},
    end: () => void told.push('ended'),
  })
  return told
}

test('a stream reports when the store fails and recovers, and then delivers the posts it missed', async (t) => {
  await using service = await startService()
  const { events, archive } = service.store
  const stop = new AbortController()
  t.after(() => stop.abort())
  const told = await follow(service, 'river', stop.signal)
  const publish = (number: number, text: string) => {
    const publishedAt = service.clock.now() - 60_000
    return service.publish({ username: 'floods' }, [makePost({ number, publishedAt, text })])
  }
  const { after, bounds } = events
  const { posts } = archive
  let asked = 0
  Object.assign(events, { bounds: () => (asked++, bounds()) })
  const askedAgain = async () => {
    const before = asked
    await until(() => asked > before + 1)
  }
  const away = async (): Promise<never> => {
    asked++
    throw new AppError('unavailable', 'the database is away')
  }
  await publish(1, 'The river rose')
  await until(() => told.length === 1)
  // Does not match: the tail moves ahead of the stream.
  await publish(2, 'The bridge is closed')
  await askedAgain()

  Object.assign(events, { after: away })
  await publish(3, 'The river fell')
  await until(() => told.length === 2)
  await askedAgain()
  // Found, but it cannot be loaded.
  Object.assign(archive, { posts: away })
  Object.assign(events, { after })
  await askedAgain()
  Object.assign(archive, { posts })

  await publish(4, 'The river rose again')
  await until(() => told.length === 5)
  assert.deepEqual(told.toSorted(), [
    'lag the database is away; what is new is told later',
    'lag the store can be read again',
    'post floods/1',
    'post floods/3',
    'post floods/4',
  ])
  assert.equal(service.ctx.streams.open, 1)
})

test('a stream that reads a long log hears every 15 seconds how far it has come', async (t) => {
  await using service = await startService()
  const { events } = service.store
  const stop = new AbortController()
  t.after(() => stop.abort())
  const publishedAt = service.clock.now() - 60_000
  const posts = Array.from({ length: 101 }, (_, i) =>
    makePost({ number: i + 1, publishedAt, text: `Tide ${i}` }),
  )
  await service.publish({ username: 'coast' }, posts)
  const { log } = await events.bounds()
  const { after } = events
  // The second page is long in coming.
  const slow = async (seq: number, limit: number) =>
    seq < 100 ? after(seq, limit) : new Promise<never>(() => {})
  Object.assign(events, { after: slow })
  const told = await follow(service, 'river', stop.signal, `${log}-0`)
  await until(() => {
    service.pass(15_000)
    return told.includes(`comment ${log}-100`)
  })
})
