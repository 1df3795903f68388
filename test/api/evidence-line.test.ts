import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeMedia } from '../../src/model/post.ts'
import { pngOf } from '../pictures/picture-bytes.ts'
import { makePost, startService } from './harness.ts'

test('packages with pictures are made one at a time, and few wait for their turn', async () => {
  const retention = { deleted: 'redact', versions: 'keep', pictures: true } as const
  await using service = await startService({ media: 'keep', retention })
  const { ctx, store, clock } = service
  const publishedAt = clock.now() - 60_000
  const url = 'https://cdn4.telesco.pe/file/tower.jpg'
  await service.publish({ username: 'album' }, [
    makePost({ number: 1, publishedAt, text: 'A tower', media: [makeMedia('photo', { url })] }),
    makePost({ number: 2, publishedAt, text: 'A tower in words' }),
  ])
  const [wanted] = await store.pictures.due(clock.now(), 1)
  const bytes = pngOf(8, 8)
  const sha256 = await ctx.pictureFiles.write(bytes)
  const file = { sha256, type: 'png', bytes: bytes.length, width: 8, height: 8 } as const
  await store.pictures.keep(wanted!, file, clock.now())

  const evidence = (number: number) =>
    fetch(`${service.url}/v1/channels/album/posts/${number}/evidence`)
  const held = Promise.withResolvers<void>()
  const gone = new AbortController()
  let made = 0
  const work = async () => {
    made++
    await held.promise
  }
  const line = Array.from({ length: 5 }, (_, i) =>
    ctx.evidence.inTurn(i === 0 ? new AbortController().signal : gone.signal, work),
  )
  const all = Promise.allSettled(line)
  const refused = await evidence(1)
  assert.equal(refused.status, 503)
  assert.equal(refused.headers.get('retry-after'), '2')
  assert.equal((await evidence(2)).status, 200, 'one without pictures waits for nobody')
  gone.abort()
  held.resolve()
  await all
  assert.equal(made, 1, 'those who went away are passed over')
  const reply = await evidence(1)
  assert.equal(reply.status, 200)
  const zip = Buffer.from(await reply.arrayBuffer())
  assert.ok(zip.includes(`pictures/${sha256}.png`))
})
