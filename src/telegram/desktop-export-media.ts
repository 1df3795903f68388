import { isRecord, parseJson } from '../model/parse-json.ts'
import { makeMedia, type Media, type MediaKind } from '../model/post.ts'
import { count, string, type Fields } from './desktop-export-fields.ts'

/** What a record says about its files. Their addresses are paths on the exporter's disk and are not kept. */

const KINDS: ReadonlyMap<string, MediaKind> = new Map([
  ['sticker', 'sticker'],
  ['video_message', 'video'],
  ['voice_message', 'voice'],
  ['animation', 'gif'],
  ['video_file', 'video'],
  ['audio_file', 'audio'],
])
const UNSUPPORTED = ['todo_list', 'giveaway_information', 'giveaway_results', 'paid_stars_amount']

export function readMedia(record: Fields, asOf: number): Media[] {
  const found: Media[] = []
  if (record['photo'] !== undefined) {
    found.push(
      makeMedia('photo', { ...sizes(record), size: count(record['photo_file_size'], asOf) }),
    )
  }
  if (record['file'] !== undefined || record['media_type'] !== undefined) {
    found.push(readFile(record, asOf))
  }
  const place = record['location_information']
  if (isRecord(place)) {
    found.push(
      makeMedia('location', {
        latitude: degrees(place['latitude'], 90),
        longitude: degrees(place['longitude'], 180),
        title: string(record['place_name']),
        detail: string(record['address']),
      }),
    )
  }
  const contact = record['contact_information']
  if (isRecord(contact)) {
    const names = [string(contact['first_name']), string(contact['last_name'])]
    found.push(
      makeMedia('contact', {
        title: names.filter(Boolean).join(' ') || null,
        detail: string(contact['phone_number']),
      }),
    )
  }
  if (record['game_title'] !== undefined) {
    const title = string(record['game_title'])
    found.push(makeMedia('game', { title, detail: string(record['game_description']) }))
  }
  if (record['invoice_information'] !== undefined) found.push(readInvoice(record))
  if (found.length === 0 && UNSUPPORTED.some((key) => record[key] !== undefined)) {
    found.push(makeMedia('unsupported'))
  }
  return found
}

function readFile(record: Fields, asOf: number): Media {
  const type = string(record['media_type']) ?? ''
  const kind = KINDS.get(type) ?? 'document'
  const path = string(record['file'])
  // A sentence in brackets stands for a file that was not exported.
  const fromPath =
    path === null || path.startsWith('(') ? null : (path.split(/[/\\]/).at(-1) ?? null)
  const seconds = record['duration_seconds']
  return makeMedia(kind, {
    ...sizes(record),
    fileName: string(record['file_name']) ?? fromPath,
    size: count(record['file_size'], asOf),
    mime: string(record['mime_type']),
    durationS:
      typeof seconds === 'number' && seconds >= 0 && seconds < Infinity
        ? Math.round(seconds)
        : null,
    title: string(record['title']) ?? string(record['sticker_emoji']),
    detail: string(record['performer']),
    round: type === 'video_message',
  })
}

/** The program writes this one object as a string of JSON. */
function readInvoice(record: Fields): Media {
  const told = record['invoice_information']
  const invoice = typeof told === 'string' ? parseJson(told) : told
  if (!isRecord(invoice)) return makeMedia('invoice')
  return makeMedia('invoice', {
    title: string(invoice['title']),
    detail: string(invoice['description']),
  })
}

function sizes(record: Fields): Pick<Media, 'width' | 'height'> {
  return { width: pixels(record['width']), height: pixels(record['height']) }
}

function pixels(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 100_000
    ? value
    : null
}

function degrees(value: unknown, limit: number): number | null {
  return typeof value === 'number' && Math.abs(value) <= limit ? value : null
}
