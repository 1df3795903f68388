import { makeMedia, type Media } from '../model/post.ts'
import { attribute, find, findClass, findTag, hasClass, style, type Element } from './html.ts'
import { mediaUrl } from './links.ts'
import { parseDuration, parseSize } from './parse-count.ts'
import { readLine } from './parse-text.ts'

/** The reader for each kind of media, by the class of its wrapper. */
export const MEDIA_PARTS: ReadonlyMap<string, (wrap: Element, at: number) => Media> = new Map([
  ['tgme_widget_message_photo_wrap', readPhoto],
  ['tgme_widget_message_video_player', readVideo],
  ['tgme_widget_message_roundvideo_player', readRoundVideo],
  ['tgme_widget_message_voice_player', readVoice],
  ['tgme_widget_message_document_wrap', readDocument],
  ['tgme_widget_message_sticker_wrap', readSticker],
  ['tgme_widget_message_location_wrap', readLocation],
  ['tgme_widget_message_contact_wrap', readContact],
  ['tgme_widget_message_game', readGame],
  ['tgme_widget_message_game_wrap', readGame],
  ['tgme_widget_message_invoice', readInvoice],
  ['tgme_widget_message_invoice_wrap', readInvoice],
  ['tgme_widget_message_service_photo', readServicePhoto],
])

const MIME: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  mp4: 'video/mp4',
  webm: 'video/webm',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  tgs: 'application/x-tgsticker',
}

function readPhoto(wrap: Element): Media {
  const url = background(wrap)
  // A single photo has its id as a class token beside `<volume>_<local id>`; album members have none.
  const fileId = wrap.classes.find((token) => /^\d{5,20}$/.test(token)) ?? null
  return makeMedia('photo', {
    url,
    mime: mimeOf(url),
    fileId,
    ...size(wrap, findClass(wrap, 'tgme_widget_message_photo')),
  })
}

function readVideo(wrap: Element): Media {
  const player = findClass(wrap, 'js-message_video') ?? findTag(wrap, 'video')
  const url = mediaUrl(player && attribute(player, 'src'))
  const duration = findClass(wrap, 'message_video_duration')
  const tooBig = hasClass(wrap, 'not_supported') || (!player && duration !== undefined)
  const isGif = !tooBig && !duration && !findClass(wrap, 'message_video_play')
  const frame = findClass(wrap, 'tgme_widget_message_video_wrap')
  return makeMedia(isGif ? 'gif' : 'video', {
    ...file(url),
    thumbnailUrl: background(findClass(wrap, 'tgme_widget_message_video_thumb')),
    durationS: duration ? parseDuration(readLine(duration)) : null,
    tooBig,
    ...size(wrap, frame, frame),
  })
}

function readRoundVideo(wrap: Element): Media {
  const player = findClass(wrap, 'tgme_widget_message_roundvideo') ?? findTag(wrap, 'video')
  return makeMedia('video', {
    ...file(mediaUrl(player && attribute(player, 'src'))),
    thumbnailUrl: background(findClass(wrap, 'tgme_widget_message_roundvideo_thumb')),
    durationS: parseDuration(readLine(findClass(wrap, 'tgme_widget_message_roundvideo_duration'))),
    round: true,
  })
}

function readVoice(wrap: Element): Media {
  const player = findClass(wrap, 'tgme_widget_message_voice') ?? findTag(wrap, 'audio')
  const source = file(mediaUrl(player && attribute(player, 'src')))
  return makeMedia('voice', {
    ...source,
    mime: source.mime ?? 'audio/ogg',
    durationS: parseDuration(readLine(findClass(wrap, 'tgme_widget_message_voice_duration'))),
  })
}

function readDocument(wrap: Element, at: number): Media {
  const icon = findClass(wrap, 'tgme_widget_message_document_icon')
  const isAudio = icon !== undefined && hasClass(icon, 'audio')
  const title = readLine(findClass(wrap, 'tgme_widget_message_document_title')) || null
  const extra = readLine(findClass(wrap, 'tgme_widget_message_document_extra')) || null
  const shownSize = isAudio || extra === null ? undefined : parseSize(extra, at)
  return makeMedia(isAudio ? 'audio' : 'document', {
    thumbnailUrl:
      background(icon) ?? background(findClass(wrap, 'tgme_widget_message_document_thumb')),
    fileName: isAudio ? null : title,
    title: isAudio ? title : null,
    size: shownSize ?? null,
    detail: shownSize ? null : extra,
  })
}

function readSticker(wrap: Element): Media {
  const picture = findClass(wrap, 'tgme_widget_message_sticker')
  const source = find(wrap, (child) => child.tag === 'source' && isAnimated(child))
  const video = findTag(wrap, 'video')
  const url =
    mediaUrl(picture && attribute(picture, 'data-webp')) ??
    mediaUrl(source && attribute(source, 'srcset')) ??
    mediaUrl(video && attribute(video, 'src'))
  const mime = source ? 'application/x-tgsticker' : (mimeOf(url) ?? (picture ? 'image/webp' : null))
  const frame = picture && find(picture, (child) => style(child, 'padding-top') !== undefined)
  return makeMedia('sticker', {
    ...file(url),
    mime,
    thumbnailUrl: background(picture) ?? (video ? imageIn(video) : null),
    ...size(picture, frame),
  })
}

function isAnimated(source: Element): boolean {
  return attribute(source, 'type') === 'application/x-tgsticker'
}

function readLocation(wrap: Element): Media {
  const place = /[?&](?:q|ll)=(-?\d{1,3}(?:\.\d{1,20})?),(-?\d{1,3}(?:\.\d{1,20})?)/.exec(
    attribute(wrap, 'href') ?? '',
  )
  const latitude = place ? Number(place[1]) : NaN
  const longitude = place ? Number(place[2]) : NaN
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  return makeMedia('location', {
    thumbnailUrl: background(findClass(wrap, 'tgme_widget_message_location')),
    latitude: isPlace ? latitude : null,
    longitude: isPlace ? longitude : null,
    title: readLine(findClass(wrap, 'tgme_widget_message_location_title')) || null,
    detail: readLine(findClass(wrap, 'tgme_widget_message_location_address')) || null,
  })
}

function readContact(wrap: Element): Media {
  return makeMedia('contact', {
    title: readLine(findClass(wrap, 'tgme_widget_message_contact_name')) || null,
    detail: readLine(findClass(wrap, 'tgme_widget_message_contact_phone')) || null,
  })
}

function readGame(wrap: Element): Media {
  return makeMedia('game', titled(wrap, 'tgme_widget_message_game', ['text']))
}

/** What is sold, and for how much. */
function readInvoice(wrap: Element): Media {
  return makeMedia('invoice', titled(wrap, 'tgme_widget_message_invoice', ['description', 'total']))
}

function titled(wrap: Element, prefix: string, details: readonly string[]): Partial<Media> {
  const lines = details.map((name) => readLine(findClass(wrap, `${prefix}_${name}`)))
  return {
    title: readLine(findClass(wrap, `${prefix}_title`)) || null,
    detail: lines.filter(Boolean).join(' · ') || null,
    thumbnailUrl: background(
      findClass(wrap, `${prefix}_image`) ?? findClass(wrap, `${prefix}_video_thumb`),
    ),
  }
}

function imageIn(element: Element): string | null {
  const image = findTag(element, 'img')
  return mediaUrl(image && attribute(image, 'src'))
}

function readServicePhoto(wrap: Element): Media {
  const url = imageIn(wrap)
  return makeMedia('photo', { url, mime: mimeOf(url) })
}

export function background(element: Element | undefined): string | null {
  return mediaUrl(style(element, 'background-image'))
}

/** The short name of a file is stable; the token after it, and the host, are not. */
function file(url: string | null): Pick<Media, 'url' | 'mime' | 'fileId'> {
  const name = url === null ? null : /\/file\/([0-9a-f]{6,40})\.[a-z0-9]{2,5}(?:\?|$)/.exec(url)
  return { url, mime: mimeOf(url), fileId: name?.[1] ?? null }
}

function mimeOf(url: string | null): string | null {
  const extension = url === null ? null : /\.([a-z0-9]{2,5})(?:\?|$)/.exec(url)?.[1]
  return (extension && MIME[extension]) || null
}

/** The page gives the width in pixels and the height as a percentage of it. In an album both are only layout. */
function size(
  wrap: Element | undefined,
  frame: Element | undefined,
  measured: Element | undefined = wrap,
): Pick<Media, 'width' | 'height'> {
  if (!wrap || hasClass(wrap, 'grouped_media_wrap')) return { width: null, height: null }
  const width = Number(/^(\d{1,5})(?:\.\d{1,12})?px$/.exec(style(measured, 'width') ?? '')?.[1])
  const ratio = Number(/^(\d{1,6}(?:\.\d{1,20})?)%$/.exec(style(frame, 'padding-top') ?? '')?.[1])
  if (!(width > 0)) return { width: null, height: null }
  const height = Math.round((width * ratio) / 100)
  return { width, height: height > 0 && height < 100_000 ? height : null }
}
