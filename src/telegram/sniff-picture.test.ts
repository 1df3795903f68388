import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { jpegOf, pngOf, webpOf } from '../../test/pictures/picture-bytes.ts'
import { drawPicture } from '../simulator/draw-picture.ts'
import { sniffPicture } from './sniff-picture.ts'

describe('sniffPicture', () => {
  test('recognises a picture and its size by the first bytes', () => {
    for (const [bytes, type, width, height] of [
      [pngOf(800, 600), 'png', 800, 600],
      [jpegOf(1280, 720), 'jpeg', 1280, 720],
      [webpOf('VP8 ', 512, 513), 'webp', 512, 513],
      [webpOf('VP8L', 77, 16_000), 'webp', 77, 16_000],
      [webpOf('VP8X', 70_000, 3), 'webp', 70_000, 3],
      [drawPicture('a name'), 'png', 320, 240],
    ] as const) {
      assert.deepEqual(sniffPicture(bytes), { type, width, height })
    }
  })

  test('recognises nothing else as a picture', () => {
    for (const bytes of [
      '',
      '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"></svg>',
      '<!doctype html><script>alert(1)</script>',
      '\xff\xd8\xff',
      '\xff\xd8\xff\xd9 and nothing more',
      '\xff\xd8\xff\xda\0\x08 compressed without a frame',
      '\x89PNG\r\n\x1a\n\0\0\0\rIDAT and no size anywhere',
      'RIFF\0\0\0\0WEBPXXXX0123456789abcdef',
      'RIFF\0\0\0\0AVI 0123456789abcdef0123',
      'BM a bitmap, which is not taken either',
      'II*\0 a tagged one, neither',
      // A screen of 10 × 10 with a frame of 60 000 × 60 000.
      'GIF89a\x0a\0\x0a\0\0\0\0,\0\0\0\0\x60\xea\x60\xea\0\x02\x01\0\0;',
    ]) {
      assert.equal(sniffPicture(Buffer.from(bytes, 'latin1')), undefined, bytes.slice(0, 20))
    }
    assert.equal(sniffPicture(pngOf(0, 600)), undefined)
  })

  test('never throws, whatever the bytes', () => {
    const starts = [pngOf(1, 1), jpegOf(1, 1), webpOf('VP8 ', 1, 1)]
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.nat(33), fc.uint8Array(), (start, cut, tail) => {
        sniffPicture(Buffer.concat([start.subarray(0, cut), tail]))
      }),
      { seed: 7, numRuns: 2_000 },
    )
  })
})
