import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyPackage } from '../../src/evidence/verify.ts'
import { makeMedia } from '../../src/model/post.ts'
import { pngOf } from '../pictures/picture-bytes.ts'
import { until } from '../until.ts'
import { makePost, startService, type ServiceOptions } from './harness.ts'

/** A service that keeps a picture of the first of two posts. */
async function startAlbum(options: ServiceOptions = {}) {
  const retention = { deleted: 'redact', versions: 'keep', pictures: true } as const
  const service = await startService({ media: 'keep', retention, ...options })
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
  return { service, sha256, bytes }
}

test('evidence packages with pictures are made one at a time; when the queue is full a request gets 503', async () => {
  const { service: opened, sha256, bytes } = await startAlbum()
  await using service = opened
  const { ctx } = service
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
    ctx.evidence.runExclusive(i === 0 ? new AbortController().signal : gone.signal, work),
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
  const page = verifyPackage(zip).files.find(({ name }) => name === 'page.html')!
  const shown = `src="data:image/png;base64,${bytes.toString('base64')}"`
  assert.ok(Buffer.from(page.bytes).includes(shown), 'the page shows it')
  assert.equal(reply.headers.get('content-length'), String(zip.length))
  const head = await fetch(reply.url, { method: 'HEAD' })
  assert.equal(head.headers.get('content-length'), String(zip.length))
})

test('a slow timestamp authority does not delay other evidence packages', async () => {
  const slow = Promise.withResolvers<undefined>()
  const asked: Uint8Array[] = []
  const stamper = async (signature: Uint8Array) => {
    asked.push(signature)
    return asked.length === 1 ? slow.promise : undefined
  }
  const { service: opened } = await startAlbum({ stamper })
  await using service = opened
  const evidence = () => fetch(`${service.url}/v1/channels/album/posts/1/evidence`)
  const first = evidence()
  await until(() => asked.length === 1)
  assert.equal((await evidence()).status, 200)
  slow.resolve(undefined)
  assert.equal((await first).status, 200)
})
