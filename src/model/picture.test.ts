import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makePost } from '../store/contract/make-post.ts'
import { isPlatformMedia, picturesOf, PREVIEW_SLOT } from './picture.ts'
import { makeMedia } from './post.ts'

const HOST = 'https://cdn4.telesco.pe/file'

describe('pictures of a post', () => {
  test('have addresses on the platform’s own hosts only', () => {
    for (const url of [
      `${HOST}/a.jpg`,
      'https://cdn1.telegram-cdn.org/file/a.jpg',
      'https://cdn5.cdn-telegram.org/file/a',
      'https://cdn1.telegram.space/file/a',
      'HTTPS://CDN4.TELESCO.PE/file/a.jpg',
    ]) {
      assert.ok(isPlatformMedia(url), url)
    }
    for (const url of [
      null,
      '',
      'not an address',
      'http://cdn4.telesco.pe/file/a.jpg',
      'https://telesco.pe/file/a.jpg',
      'https://cdn4.telesco.pe:8443/file/a.jpg',
      'https://user@cdn4.telesco.pe/file/a.jpg',
      'https://user:word@cdn4.telesco.pe/file/a.jpg',
      'https://cdn4.telesco.pe.example.com/file/a.jpg',
      'https://eviltelesco.pe/file/a.jpg',
      'https://cdn4.telesco.pe@127.0.0.1/a.jpg',
      'https://127.0.0.1/a.jpg',
      'https://[::1]/a.jpg',
      'https://static-maps.yandex.ru/1.x/?l=map',
      'ftp://cdn4.telesco.pe/a.jpg',
      'data:image/png;base64,AAAA',
    ]) {
      assert.ok(!isPlatformMedia(url), String(url))
    }
  })

  test('are photos, thumbnails of videos, still stickers and link previews, but not maps', () => {
    const post = makePost({
      number: 1,
      publishedAt: 0,
      media: [
        makeMedia('photo', { url: `${HOST}/a.jpg`, fileId: '5123', width: 800, height: 600 }),
        makeMedia('video', { url: `${HOST}/b.mp4`, thumbnailUrl: `${HOST}/b.jpg`, fileId: 'ab' }),
        makeMedia('sticker', { url: `${HOST}/c.webp`, mime: 'image/webp' }),
        makeMedia('sticker', { url: `${HOST}/d.tgs`, mime: 'application/x-tgsticker' }),
        makeMedia('voice', { url: `${HOST}/e.ogg` }),
        makeMedia('location', { thumbnailUrl: 'https://static-maps.yandex.ru/1.x/?l=map' }),
      ],
      linkPreview: {
        url: 'https://example.com/',
        siteName: null,
        title: null,
        description: null,
        imageUrl: `${HOST}/f.jpg`,
      },
    })
    assert.deepEqual(
      picturesOf(post).map(({ slot, url }) => [slot, url.slice(HOST.length)]),
      [
        [0, '/a.jpg'],
        [1, '/b.jpg'],
        [2, '/c.webp'],
        [PREVIEW_SLOT, '/f.jpg'],
      ],
    )
  })

  test('keep their name when their address changes, but not when their file does', () => {
    const nameOf = (url: string, fileId: string) =>
      picturesOf({ media: [makeMedia('photo', { url, fileId })], linkPreview: null })[0]?.name
    assert.equal(nameOf(`${HOST}/a.jpg`, '51'), nameOf(`${HOST}/b.jpg`, '51'))
    assert.notEqual(nameOf(`${HOST}/a.jpg`, '51'), nameOf(`${HOST}/a.jpg`, '52'))
  })
})
