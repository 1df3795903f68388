import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { createEventParser, type StreamEvent } from '../../src/client/event-stream.ts'
import { until } from '../until.ts'
import { makePost, startService, type Service } from './harness.ts'

/** More than the two ends of a connection can buffer: some megabytes, most of them in the kernel. */
const MANY = 300
const LONG = '—'.repeat(4_000)

/** A reader that takes nothing until told to. */
function open(service: Service, path: string) {
  const { port } = new URL(service.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.pause()
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  return socket
}

/** Reads what is waiting for it, until the connection ends. */
async function readAll(socket: Socket): Promise<readonly StreamEvent[]> {
  const pieces: Buffer[] = []
  socket.on('data', (piece) => pieces.push(piece))
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    socket.resume()
  })
  const parser = createEventParser()
  return parser.feed(bodyOf(Buffer.concat(pieces)))
}

/** The body of a chunked reply. */
function bodyOf(reply: Buffer): string {
  let at = reply.indexOf('\r\n\r\n') + 4
  const parts: Buffer[] = []
  for (;;) {
    const end = reply.indexOf('\r\n', at)
    const size = parseInt(reply.toString('latin1', at, end), 16)
    if (!(size > 0)) return Buffer.concat(parts).toString()
    parts.push(reply.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
}

const numbersOf = (events: readonly StreamEvent[]) =>
  events.flatMap(({ event, data }) =>
    event === 'post' ? [Number((data as { id: string }).id.split('/')[1])] : [],
  )

test('a stream whose client stops reading is closed with a position, from which nothing is missed or repeated', async () => {
  await using service = await startService()
  const { ctx, clock } = service
  const path = '/v1/stream?q=beacon&detail=full'
  const socket = open(service, path)
  await until(() => ctx.streams.open === 1)
  const publishedAt = clock.now() - 60_000
  for (let from = 1; from <= MANY; from += 100) {
    const posts = Array.from({ length: 100 }, (_, i) =>
      makePost({ number: from + i, publishedAt, text: `Beacon ${from + i}. ${LONG}` }),
    )
    await service.publish({ username: 'coast' }, posts)
  }
  // Its timeout starts when nothing more can be written.
  await until(() => {
    service.pass(2_000)
    return ctx.streams.open === 0
  })
  const events = await readAll(socket)
  const { event, data, id } = events.at(-1)!
  const { reason, since_id: sinceId } = data as Record<string, string>
  assert.deepEqual([event, reason, sinceId], ['end', 'slow_reader', id])
  const first = numbersOf(events)
  assert.ok(first.length > 0 && first.length < MANY, `${first.length} of ${MANY} were told`)

  const left = MANY - first.length
  const again = open(service, `${path}&since_id=${sinceId}&limit=${left}`)
  const rest = numbersOf(await readAll(again))
  assert.deepEqual(
    [...first, ...rest],
    Array.from({ length: MANY }, (_, i) => i + 1),
    'without a gap or a double',
  )
})
