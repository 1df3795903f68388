import type { PictureType } from '../model/picture.ts'

/**
 * The type and size of a picture by its own first bytes; what the server claims is not believed. Nothing is decoded; the size
 * is the one for which a browser would reserve room. A GIF is none: each of its frames has a size of its own, and the platform
 * serves no GIF, its animations are videos.
 */

export interface Sniffed {
  readonly type: PictureType
  readonly width: number
  readonly height: number
}

/** Enough to recognise the type of a file. */
export const MAGIC_BYTES = 16

export function kindOf(bytes: Buffer): PictureType | undefined {
  if (bytes.length < MAGIC_BYTES) return undefined
  const text = bytes.toString('latin1', 0, MAGIC_BYTES)
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  return text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP' ? 'webp' : undefined
}

/** Bounds on the decoded size: a small file may decompress into more pixels than any screen shows. */
const MAX_SIDE = 12_000
const MAX_PIXELS = 40_000_000

export function hasAcceptableSize({ width, height }: Sniffed): boolean {
  return width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_PIXELS
}

/** Undefined for anything but a JPEG, PNG or WebP that tells its size. */
export function sniffPicture(bytes: Buffer): Sniffed | undefined {
  const type = kindOf(bytes)
  const size = type && SIZES[type](bytes)
  return type && size && size.width > 0 && size.height > 0 ? { type, ...size } : undefined
}

interface Size {
  readonly width: number
  readonly height: number
}

const SIZES: Readonly<Record<PictureType, (bytes: Buffer) => Size | undefined>> = {
  jpeg: sizeOfJpeg,
  png: sizeOfPng,
  webp: sizeOfWebp,
}

function sizeOfPng(bytes: Buffer): Size | undefined {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** Reads the first frame header; every segment before it gives its own length. */
function sizeOfJpeg(bytes: Buffer): Size | undefined {
  let at = 2
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1]!
    if (marker === 0xff) {
      at++
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) {
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    }
    const hasNoLength = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9)
    // The compressed data begins, or the file ends, without a frame header.
    if (marker === 0xda || marker === 0xd9) return undefined
    at += hasNoLength ? 2 : 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

function sizeOfWebp(bytes: Buffer): Size | undefined {
  if (bytes.length < 30) return undefined
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ': {
      const isKeyFrame = (bytes[20]! & 1) === 0 && bytes.readUIntBE(23, 3) === 0x9d012a
      if (!isKeyFrame) return undefined
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    }
    case 'VP8L': {
      if (bytes[20] !== 0x2f) return undefined
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}
