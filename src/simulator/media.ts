import type { Count } from '../model/count.ts'
import { makeMedia, type Media, type MediaKind } from '../model/post.ts'
import { DAY_MS } from '../model/time.ts'
import { shownSize } from './counters.ts'
import type { MediaSpec } from './draft.ts'
import { Random, digits, hash32, hex, token } from './random.ts'

const KINDS: Readonly<Record<MediaSpec['shape'], MediaKind>> = {
  photo: 'photo',
  video: 'video',
  big_video: 'video',
  gif: 'gif',
  round: 'video',
  voice: 'voice',
  music: 'audio',
  document: 'document',
  sticker: 'sticker',
  animated_sticker: 'sticker',
  video_sticker: 'sticker',
  dice: 'sticker',
  location: 'location',
  venue: 'location',
  contact: 'contact',
  game: 'game',
  invoice: 'invoice',
  unsupported: 'unsupported',
  service_photo: 'photo',
}

const MIMES: Partial<Record<MediaSpec['shape'], string>> = {
  photo: 'image/jpeg',
  service_photo: 'image/jpeg',
  video: 'video/mp4',
  gif: 'video/mp4',
  round: 'video/mp4',
  voice: 'audio/ogg',
  sticker: 'image/webp',
  dice: 'image/webp',
  animated_sticker: 'application/x-tgsticker',
  video_sticker: 'video/webm',
}

/**
 * The CDN's address of a picture: one long token that changes every day. It begins with the name that the picture is drawn
 * from, which stays the same.
 */
export function pictureUrl(key: number, at: number): string {
  const random = new Random(hash32(key, 1, Math.floor(at / DAY_MS)))
  const host = random.pick([1, 4, 5])
  const name = hex(new Random(hash32(key, 8)), PICTURE_NAME)
  return `https://cdn${host}.telesco.pe/file/${name}${token(random, 342 - PICTURE_NAME)}.jpg`
}

const PICTURE_NAME = 10

/** The name that a picture of the CDN is drawn from; undefined for a path that is not a picture. */
export function pictureNameOf(pathname: string): string | undefined {
  const isPicture = /^\/file\/[\w-]{10,400}\.(?:jpg|webp)$/.test(pathname)
  return isPicture ? pathname.slice(6, 6 + PICTURE_NAME) : undefined
}

function fileUrl(key: number, ending: string, at: number): { url: string; fileId: string } {
  const fileId = hex(new Random(hash32(key, 2)), 10)
  const random = new Random(hash32(key, 3, Math.floor(at / DAY_MS)))
  return {
    url: `https://cdn4.telesco.pe/file/${fileId}.${ending}?token=${token(random, 342)}`,
    fileId,
  }
}

interface MediaMoment {
  /** Its number as a member of an album; null outside albums. */
  readonly number: number | null
  /** Addresses rotate by the day. */
  readonly at: number
}

const SIZES = [
  [800, 600],
  [800, 450],
  [600, 800],
  [640, 640],
  [800, 533],
] as const

/** A file as a page shows it at a given time. */
export function mediaAt(spec: MediaSpec, { number, at }: MediaMoment): Media {
  const random = new Random(hash32(spec.key, 4))
  const base = makeMedia(KINDS[spec.shape], { mime: MIMES[spec.shape] ?? null, number })
  // Inside an album the page gives only a ratio and positions on the grid.
  const [width, height] = number === null ? random.pick(SIZES) : [null, null]
  const durationS = random.chance(0.03) ? random.between(3600, 7200) : random.between(3, 600)
  switch (spec.shape) {
    case 'photo':
      return {
        ...base,
        url: pictureUrl(spec.key, at),
        width,
        height,
        fileId: number === null ? photoIds(spec.key)[0] : null,
      }
    case 'service_photo':
      return { ...base, url: pictureUrl(spec.key, at) }
    case 'video':
      return {
        ...base,
        ...fileUrl(spec.key, 'mp4', at),
        thumbnailUrl: pictureUrl(spec.key + 1, at),
        width,
        height,
        durationS,
      }
    case 'big_video':
      return {
        ...base,
        thumbnailUrl: pictureUrl(spec.key + 1, at),
        width,
        height,
        durationS,
        tooBig: true,
      }
    case 'gif':
      return {
        ...base,
        ...fileUrl(spec.key, 'mp4', at),
        thumbnailUrl: pictureUrl(spec.key + 1, at),
        width,
        height,
      }
    case 'round':
      return {
        ...base,
        ...fileUrl(spec.key, 'mp4', at),
        thumbnailUrl: pictureUrl(spec.key + 1, at),
        durationS: durationS % 60,
        round: true,
      }
    case 'voice':
      return { ...base, ...fileUrl(spec.key, 'ogg', at), durationS }
    case 'music':
      return { ...base, title: spec.title ?? 'Track', detail: spec.detail ?? 'Performer' }
    case 'document':
      return { ...base, fileName: spec.title ?? 'file.pdf', size: documentSize(spec.key, at) }
    case 'sticker':
    case 'dice':
      return { ...base, ...fileUrl(spec.key, 'webp', at), width: 256, height: 256 }
    case 'animated_sticker':
      return { ...base, ...fileUrl(spec.key, 'tgs', at) }
    case 'video_sticker':
      return {
        ...base,
        ...fileUrl(spec.key, 'webm', at),
        thumbnailUrl: pictureUrl(spec.key + 1, at),
      }
    case 'location':
    case 'venue': {
      const latitude = Number((random.next() * 140 - 70).toFixed(12))
      const longitude = Number((random.next() * 340 - 170).toFixed(12))
      return {
        ...base,
        thumbnailUrl: mapUrl(latitude, longitude),
        latitude,
        longitude,
        title: spec.title ?? null,
        detail: spec.detail ?? null,
      }
    }
    case 'contact':
    case 'game':
    case 'invoice':
      return { ...base, title: spec.title ?? null, detail: spec.detail ?? null }
    case 'unsupported':
      return base
  }
}

function mapUrl(latitude: number, longitude: number): string {
  const there = `${longitude},${latitude}`
  return `https://static-maps.yandex.ru/1.x/?l=map&ll=${there}&z=15&size=600,300&scale=1.5&pt=${there},comma&lang=en_US`
}

function documentSize(key: number, at: number): Count {
  return shownSize(Math.floor(10 ** (3 + new Random(hash32(key, 5)).next() * 6)), at)
}

/** The two class names of a single photo, which stay the same when its address changes. */
export function photoIds(key: number): readonly [string, string] {
  const random = new Random(hash32(key, 6))
  return [digits(random, 19), `${digits(random, 10)}_${digits(random, 9)}`]
}

export function waveform(key: number): readonly number[] {
  const random = new Random(hash32(key, 7))
  return Array.from({ length: 100 }, () => random.int(32))
}
