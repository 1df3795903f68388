import { isPlatformMedia } from '../model/picture.ts'
import { html, type Markup } from './markup.ts'
import { pictureOver, sourceOf } from './picture.ts'
import type { FullPost } from './views.ts'
import { duration } from '../model/duration.ts'

type Media = FullPost['media'][number]

const MAX_SIDE = 360
const UNKNOWN_SIZE = { width: 320, height: 240 }

/**
 * Attachments: labelled placeholders that link to the post, with the picture on top if it may be shown. `isPlayed`: videos
 * play from the platform.
 */
export function mediaList(post: FullPost, isPlayed: boolean): Markup | '' {
  if (post.media.length === 0) return ''
  return html`<ul class="media">
    ${post.media.map((media) => html`<li>${isPlayed && isFilm(media) ? film(media) : place(media, post)}</li>`)}
  </ul>`
}

/** A placeholder has the shape of its picture; without a picture it is only a label. */
function place(media: Media, post: FullPost): Markup {
  const { picture } = media
  const size = sizeOf(media) ?? (picture && (sizeOf(picture) ?? UNKNOWN_SIZE)) ?? null
  const shape =
    size === null
      ? ''
      : html`<svg width="${size.width}" height="${size.height}" aria-hidden="true">
          <rect width="100%" height="100%" />
        </svg>`
  return html`<a href="${post.url}" rel="noopener noreferrer" ${picture ? html`class="framed"` : ''}
    >${shape}<span>${label(media)}</span>${picture ? pictureOver(picture) : ''}</a
  >`
}

function isFilm({ kind, url, too_big: isTooBig }: Media): boolean {
  return kind === 'video' && isPlatformMedia(url) && !isTooBig
}

function film(media: Media): Markup {
  const { width, height } = sizeOf(media) ?? UNKNOWN_SIZE
  const { picture } = media
  return html`<video
    controls
    preload="none"
    src="${media.url}"
    ${picture ? html`poster="${sourceOf(picture)}"` : ''}
    width="${width}"
    height="${height}"
    aria-label="${label(media)}"
  ></video>`
}

/** The actual size, limited on its longer side. */
function sizeOf(
  media: Pick<Media, 'width' | 'height'>,
): { readonly width: number; readonly height: number } | null {
  const { width, height } = media
  if (width === null || height === null || width < 1 || height < 1) return null
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height))
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
}

/** A short description: `video, 1:02, 640×360`. */
function label(media: Media): string {
  const parts = [
    media.round ? 'round video' : media.kind,
    media.title ?? media.file_name,
    media.detail,
    media.duration_s === null ? null : duration(media.duration_s),
    media.width !== null && media.height !== null
      ? `${Math.round(media.width)}×${Math.round(media.height)}`
      : null,
    media.size?.raw,
    media.too_big ? 'too big for the preview' : null,
  ]
  return parts.filter((part) => part !== null && part !== undefined && part !== '').join(', ')
}
