import { html } from './markup.ts'
import type { Markup } from './markup.ts'
import type { FullPost } from './views.ts'

type Media = FullPost['media'][number]

const MAX_SIDE = 360

/** Attachments: labelled places that link to the post, or the platform's own files where the operator shows them. */
export function mediaList(post: FullPost, showMedia: boolean): Markup | '' {
  if (post.media.length === 0) return ''
  return html`<ul class="media">
    ${post.media.map((media) => html`<li>${showMedia ? shown(media, post) : placeholder(media, post)}</li>`)}
  </ul>`
}

/** A picture's place has its shape; what has none is a label alone. */
function placeholder(media: Media, post: FullPost): Markup {
  const size = sizeOf(media)
  const shape =
    size === null
      ? ''
      : html`<svg width="${size.width}" height="${size.height}" aria-hidden="true">
          <rect width="100%" height="100%" />
        </svg>`
  return html`<a href="${post.url}" rel="noopener noreferrer"
    >${shape}<span>${label(media)}</span></a
  >`
}

function shown(media: Media, post: FullPost): Markup {
  const { width, height } = sizeOf(media) ?? { width: 320, height: 240 }
  const still = media.kind === 'photo' ? media.url : media.thumbnail_url
  if (media.kind === 'video' && media.url !== null && !media.too_big) {
    return html`<video
      controls
      preload="none"
      src="${media.url}"
      ${media.thumbnail_url === null ? '' : html`poster="${media.thumbnail_url}"`}
      width="${width}"
      height="${height}"
      aria-label="${label(media)}"
    ></video>`
  }
  if (still === null) return placeholder(media, post)
  return html`<a href="${post.url}" rel="noopener noreferrer"
    ><img loading="lazy" src="${still}" alt="${label(media)}" width="${width}" height="${height}"
  /></a>`
}

/** As large as it is, but for a bound on its longer side. */
function sizeOf(media: Media): { readonly width: number; readonly height: number } | null {
  const { width, height } = media
  if (width === null || height === null || width < 1 || height < 1) return null
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height))
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
}

/** `video, 1:02, 640×360`: what it is, in a few words. */
export function label(media: Media): string {
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

function duration(seconds: number): string {
  const s = Math.round(seconds)
  const h = Math.floor(s / 3600)
  const tail = `${String(Math.floor(s / 60) % 60).padStart(h > 0 ? 2 : 1, '0')}:${String(s % 60).padStart(2, '0')}`
  return h > 0 ? `${h}:${tail}` : tail
}
