import { crc32, deflateSync } from 'node:zlib'
import { Random, hash32 } from './random.ts'

/**
 * Draws pictures: hills under a sky with a sun or a moon. They depend on a name alone, so the same name gives the same
 * picture. They are PNGs with a palette, which are small and take a millisecond or two to make.
 */

const SKY = 128
const LAYERS = 4
const SUN = SKY + LAYERS

export function drawPicture(name: string, width = 320, height = 240): Buffer {
  const seed = [...Buffer.from(name)].reduce((hash, byte) => hash32(hash, byte), 0)
  const random = new Random(seed)
  const hue = random.next() * 360
  const palette = [
    ...Array.from({ length: SKY }, (_, i) => tint(hue, 0.65, 0.35 + (0.5 * i) / SKY)),
    ...Array.from({ length: LAYERS }, (_, i) => tint(hue + 25, 0.35, 0.42 - i * 0.09)),
    tint(hue + 180, 0.8, 0.85),
  ]
  const hills = Array.from({ length: LAYERS }, (_, i) => ({
    base: height * (0.5 + 0.13 * i),
    rise: height * (0.05 + random.next() * 0.1),
    length: width * (0.12 + random.next() * 0.2),
    at: random.next() * width,
  }))
  const sun = {
    x: width * (0.15 + random.next() * 0.7),
    y: height * (0.15 + random.next() * 0.25),
    r: height * (0.06 + random.next() * 0.07),
  }
  const pixels = Buffer.alloc((width + 1) * height)
  const tops = hills.map(({ base, rise, length, at }) =>
    Array.from({ length: width }, (_, x) => base + rise * Math.sin((x + at) / length)),
  )
  for (let y = 0; y < height; y++) {
    const sky = Math.floor((y * (SKY - 1)) / height)
    for (let x = 0; x < width; x++) {
      const hill = tops.findLastIndex((top) => y >= top[x]!)
      const isSun = (x - sun.x) ** 2 + (y - sun.y) ** 2 < sun.r ** 2
      pixels[y * (width + 1) + 1 + x] = hill >= 0 ? SKY + hill : isSun ? SUN : sky
    }
  }
  return writePng({ width, height, palette: Buffer.concat(palette), pixels })
}

/** Red, green and blue of a hue in degrees. */
function tint(hue: number, saturation: number, lightness: number): Buffer {
  const part = saturation * Math.min(lightness, 1 - lightness)
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12
    return Math.round(255 * (lightness - part * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return Buffer.from([channel(0), channel(8), channel(4)])
}

/** One byte per pixel; each row starts with a byte that says it is not filtered. */
function writePng(picture: {
  readonly width: number
  readonly height: number
  readonly palette: Buffer
  readonly pixels: Buffer
}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(picture.width, 0)
  header.writeUInt32BE(picture.height, 4)
  header[8] = 8
  header[9] = 3
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', picture.palette),
    chunk('IDAT', deflateSync(picture.pixels, { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
