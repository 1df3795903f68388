import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { createStillClock } from '../../simulator/clocks.ts'
import { createBulk } from './bulk.ts'
import { IndexUnavailableError, openClient } from './client.ts'

const servers: { close(): void }[] = []
after(() => servers.forEach((server) => server.close()))

/** A node that takes bulk requests; `status` decides the result for each document. */
async function node(
  status: (id: string, turn: number, source: { readonly text: string }) => number,
  { type = 'some_exception', largest = Infinity } = {},
) {
  const kept = new Map<string, unknown>()
  const turns = new Map<string, number>()
  const sizes: number[] = []
  function answer(body: string): object {
    const lines = body.trimEnd().split('\n')
    sizes.push(body.length)
    const items = lines.flatMap((line, i) => {
      if (i % 2 === 1) return []
      const { _id: id } = (JSON.parse(line) as { index: { _id: string } }).index
      const turn = (turns.get(id) ?? 0) + 1
      turns.set(id, turn)
      const source = JSON.parse(lines[i + 1]!) as { readonly text: string }
      const told = status(id, turn, source)
      if (told < 300) kept.set(id, source)
      const error = { type, reason: 'as told' }
      return [{ index: { status: told, ...(told >= 300 && { error }) } }]
    })
    return { items }
  }
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (body.length > largest) {
        sizes.push(body.length)
        response.writeHead(413).end()
      } else response.end(JSON.stringify(answer(body)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push({ close: () => void server.close() })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { client: await openClient({ nodes: [origin] }), kept, turns, sizes }
}

const putsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    index: 'x',
    id: String(i),
    version: 1,
    source: { i, text: 'x'.repeat(1_000) },
  }))

const clock = createStillClock(0)

test('documents rejected for lack of room are sent again, and only those', async () => {
  const { client, kept, turns } = await node((id, turn) =>
    Number(id) % 3 === 0 && turn < 3 ? (turn === 1 ? 429 : 503) : 201,
  )
  await using _ = client
  await createBulk({ client, clock }).write(putsOf(30))
  assert.equal(kept.size, 30)
  assert.deepEqual([turns.get('0'), turns.get('1')], [3, 1])
})

test('a document that already exists in a later version counts as written', async () => {
  const { client, turns } = await node(() => 409)
  await using _ = client
  await createBulk({ client, clock }).write(putsOf(3))
  assert.equal(turns.get('2'), 1)
})

test('no request exceeds the size limit, and after a rejection requests are half as large', async () => {
  const maxBytes = 400_000
  let isFull = true
  const { client, kept, sizes } = await node(() => (isFull ? 429 : 201))
  await using _ = client
  const bulk = createBulk({ client, clock, maxBytes })
  const writing = bulk.write(putsOf(700))
  while (sizes.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  isFull = false
  await writing
  assert.equal(kept.size, 700)
  assert.ok(Math.max(...sizes.slice(0, 2)) > maxBytes / 2, `${sizes}`)
  assert.ok(Math.max(...sizes) <= maxBytes)
  assert.ok(Math.max(...sizes.slice(-2)) <= maxBytes / 2, `${sizes}`)
})

test('a request too large for the engine is split, and no later one is as large', async () => {
  const { client, kept, sizes } = await node(() => 201, { largest: 250_000 })
  await using _ = client
  const bulk = createBulk({ client, clock, maxBytes: 800_000 })
  await bulk.write(putsOf(700))
  assert.equal(kept.size, 700)
  const tried = sizes.length
  for (let again = 0; again < 3; again++) await bulk.write(putsOf(700))
  assert.ok(Math.max(...sizes.slice(tried)) <= 250_000, `${sizes}`)
})

test('a document that the engine refuses for good is blanked and reported, and the others are written', async () => {
  const { client, kept, turns } = await node((id, _, { text }) =>
    id === '1' && text.startsWith('x') ? 400 : 201,
  )
  await using _ = client
  const refused: string[] = []
  const onRefused = (id: string, why: string) => refused.push(`${id} ${why}`)
  await createBulk({ client, clock, onRefused }).write(putsOf(3))
  assert.deepEqual([...kept.keys()].toSorted(), ['0', '1', '2'])
  assert.deepEqual(kept.get('1'), { i: 0, text: 'AAAA' }, 'nothing of it is left')
  assert.deepEqual(refused, ['1 some_exception: as told'])
  assert.deepEqual([turns.get('0'), turns.get('1')], [1, 2])
})

test('a write fails without skipping any document if the engine refuses even a blank one', async () => {
  let isMended = false
  const { client, kept } = await node((id) => (id === '1' && !isMended ? 400 : 201))
  await using _ = client
  const refused: string[] = []
  const bulk = createBulk({ client, clock, onRefused: (id) => refused.push(id) })
  await assert.rejects(bulk.write(putsOf(3)), /does not take 1 documents now: some_exception/)
  isMended = true
  await bulk.write(putsOf(3))
  assert.deepEqual([kept.size, refused], [3, []])
})

test('documents for a closed index are retried, and none is skipped', async () => {
  const { client, kept } = await node((_, turn) => (turn === 1 ? 400 : 201), {
    type: 'index_closed_exception',
  })
  await using _ = client
  const refused: string[] = []
  await createBulk({ client, clock, onRefused: (id) => refused.push(id) }).write(putsOf(2))
  assert.deepEqual([[...kept.keys()], refused], [['0', '1'], []])
})

test('a user without rights to an index makes it unavailable', async () => {
  const { client } = await node((id) => (id === '1' ? 403 : 201), { type: 'security_exception' })
  await using _ = client
  await assert.rejects(
    createBulk({ client, clock }).write(putsOf(2)),
    (thrown: Error) =>
      thrown instanceof IndexUnavailableError &&
      thrown.message.includes('does not take 1 documents now: security_exception: as told'),
  )
})

test('a lasting lack of room and a lost index are reported as errors', async () => {
  const full = await node(() => 429)
  await using _ = full.client
  await assert.rejects(
    createBulk({ client: full.client, clock }).write(putsOf(2)),
    /does not take 2 documents now: some_exception: as told/,
  )
  const strict = await node((id) => (id === '1' ? 404 : 201))
  await using __ = strict.client
  await assert.rejects(
    createBulk({ client: strict.client, clock }).write(putsOf(2)),
    /refuses a document: some_exception: as told/,
  )
})
