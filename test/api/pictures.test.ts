import { Hono } from 'hono'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Env } from '../../src/http/exchange.ts'
import { servePicture } from '../../src/http/serve-picture.ts'
import type { MediaMode } from '../../src/model/picture.ts'
import { makeMedia } from '../../src/model/post.ts'
import type { Context } from '../../src/operations/context.ts'
import { makePost, startService, type Service } from './harness.ts'

const HOST = 'https://cdn4.telesco.pe/file'
const MAP = 'https://static-maps.yandex.ru/1.x/?l=map'

/** A photo, a map and a link preview, in a channel with an avatar. */
async function withPictures(media: MediaMode): Promise<Service> {
  const service = await startService({ media })
  const publishedAt = Math.floor(service.clock.now() / 1000) * 1000 - 60_000
  const preview = { url: 'https://example.com/', siteName: null, title: 'Far', description: null }
  await service.publish(
    {
      username: 'lighthouses',
      title: 'Lighthouses',
      platformId: 1001,
      avatarUrl: `${HOST}/avatar.jpg`,
    },
    [
      makePost({
        number: 1,
        publishedAt,
        text: 'A lighthouse by night',
        media: [
          makeMedia('location', { thumbnailUrl: MAP, latitude: 1, longitude: 2 }),
          makeMedia('photo', { url: `${HOST}/tower.jpg`, width: 800, height: 533.4 }),
        ],
      }),
      makePost({
        number: 2,
        publishedAt,
        text: 'A lighthouse far away',
        linkPreview: { ...preview, imageUrl: `${HOST}/far.jpg` },
      }),
      makePost({ number: 3, publishedAt, text: 'A lighthouse in words' }),
    ],
  )
  return service
}

interface Shown {
  readonly slug: string
  readonly channel: { readonly avatar?: { readonly url: string } }
  readonly media: { readonly thumbnail?: unknown } & { readonly picture?: unknown }[]
  readonly link_preview: { readonly picture?: unknown }
}

test('with TELEGREP_MEDIA=show, answers contain addresses of pictures on the platform’s hosts only', async () => {
  await using service = await withPictures('show')
  const list = (await service.get('/v1/channels/lighthouses/posts?order=oldest')).json
    .data as Shown[]
  assert.deepEqual(
    list.map(({ media }) => media.thumbnail),
    [
      { url: `${HOST}/tower.jpg`, width: 800, height: 533 },
      { url: `${HOST}/far.jpg`, width: null, height: null },
      undefined,
    ],
  )
  const found = (await service.get('/v1/search?q=lighthouse')).json.data as Shown[]
  assert.equal(found.filter(({ media }) => media.thumbnail !== undefined).length, 2)
  const one = (await service.get('/v1/channels/lighthouses/posts/1')).json.data as Shown
  assert.deepEqual(
    one.media.map(({ picture }) => picture),
    [undefined, { url: `${HOST}/tower.jpg`, width: 800, height: 533 }],
  )
  assert.equal(one.channel.avatar?.url, `${HOST}/avatar.jpg`)
  const two = (await service.get('/v1/channels/lighthouses/posts/2')).json.data as Shown
  assert.deepEqual(two.link_preview.picture, { url: `${HOST}/far.jpg`, width: null, height: null })
})

test('with TELEGREP_MEDIA=link, no answer contains a picture, thumbnail or avatar', async () => {
  await using service = await withPictures('link')
  for (const path of [
    '/v1/search?q=lighthouse',
    '/v1/search?q=lighthouse&detail=full',
    '/v1/channels/lighthouses',
    '/v1/channels?q=lighthouses',
    '/v1/channels/lighthouses/posts/1',
  ]) {
    const reply = await service.get(path)
    assert.equal(reply.status, 200)
    assert.doesNotMatch(JSON.stringify(reply.json), /"(?:picture|thumbnail|avatar)":/, path)
  }
})

test('kept pictures are read from disk one at a time, however many requests arrive at once', async () => {
  const retention = { deleted: 'redact', versions: 'keep', pictures: true } as const
  await using service = await startService({ media: 'keep', retention })
  const photo = makeMedia('photo', { url: `${HOST}/tower.jpg`, width: 8, height: 8 })
  const publishedAt = service.clock.now() - 60_000
  await service.publish({ username: 'lighthouses' }, [
    makePost({ number: 1, publishedAt, text: 'A lighthouse', media: [photo] }),
  ])
  const { ctx, store, clock } = service
  const [wanted] = await store.pictures.due(clock.now() + 86_400_000, 1)
  const sha256 = await ctx.pictureFiles.write(new Uint8Array(100_000).fill(7))
  const file = { sha256, type: 'jpeg', bytes: 100_000, width: 8, height: 8 } as const
  await store.pictures.keep(wanted!, file, clock.now())

  let reading = 0
  let most = 0
  const counted: Pick<Context, 'pictures' | 'settings'> = {
    settings: ctx.settings,
    pictures: {
      ...ctx.pictures,
      async kept(hash) {
        const kept = await ctx.pictures.kept(hash)
        return (
          kept && {
            ...kept,
            async read() {
              most = Math.max(most, ++reading)
              const bytes = await kept.read()
              reading--
              return bytes
            },
          }
        )
      },
    },
  }
  const app = new Hono<Env>()
  app.get('/media/:sha256', servePicture(counted))
  const replies = await Promise.all(
    Array.from({ length: 20 }, async () => app.request(`/media/${sha256}`)),
  )
  for (const reply of replies) {
    assert.equal(reply.status, 200)
    assert.equal((await reply.arrayBuffer()).byteLength, 100_000)
  }
  assert.equal(most, 1)
})
