import { html } from 'hono/html'
import type { Markup } from './layout.ts'
import type { FullPost } from './views.ts'

type Media = FullPost['media'][number]

/** Attachments: labelled places that link to the post, or the platform's own files where the operator shows them. */
export function mediaList(post: FullPost, showMedia: boolean): Markup | '' {
  if (post.media.length === 0) return ''
  return html`<div class="media">
    ${post.media.map((media) => (showMedia ? shown(media, post) : placeholder(media, post)))}
  </div>`
}

function placeholder(media: Media, post: FullPost): Markup {
  return html`<a href="${post.url}" rel="noopener noreferrer">${label(media)}</a>`
}

function shown(media: Media, post: FullPost): Markup {
  const size =
    media.width !== null && media.height !== null
      ? { w: Math.round(media.width), h: Math.round(media.height) }
      : null
  const still = media.kind === 'photo' ? media.url : media.thumbnail_url
  if (media.kind === 'video' && media.url !== null && !media.too_big) {
    return html`<video
      controls
      preload="none"
      src="${media.url}"
      poster="${media.thumbnail_url ?? ''}"
      width="${size?.w ?? 320}"
      height="${size?.h ?? 180}"
    ></video>`
  }
  if (still === null) return placeholder(media, post)
  return html`<a href="${post.url}" rel="noopener noreferrer"
    ><img
      loading="lazy"
      src="${still}"
      alt="${label(media)}"
      width="${size?.w ?? 320}"
      height="${size?.h ?? 240}"
  /></a>`
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
