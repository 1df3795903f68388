import { createHash } from 'node:crypto'
import type { Media, Post } from './post.ts'

/** Pictures of posts and channels: which there are, and where the platform has them. */

/** The platform's own hosts for files; everything below these names. A map or a site's own picture is somebody else's. */
export const MEDIA_HOSTS = [
  'telesco.pe',
  'cdn-telegram.org',
  'telegram-cdn.org',
  'telegram.space',
] as const

/** What is decided about pictures: `link` shows none, `show` those of the platform, `keep` those kept beside the archive. */
export const MEDIA_MODES = ['link', 'show', 'keep'] as const
export type MediaMode = (typeof MEDIA_MODES)[number]

/** One picture of a post: the still of a medium, or what a link shows. */
interface PostPicture {
  /** Its place in the post: the index of the medium, or `PREVIEW_SLOT`. */
  readonly slot: number
  /** Stays the same when the platform gives the picture another address. */
  readonly name: string
  readonly url: string
  readonly width: number | null
  readonly height: number | null
}

export const PREVIEW_SLOT = 255
/** An album has ten; more than this is somebody's joke. */
const MAX_PICTURES = 20

/** Is it an address of the platform's own, with nothing unusual about it? */
export function isPlatformMedia(url: string | null): url is string {
  if (url === null || !URL.canParse(url)) return false
  const { protocol, hostname, port, username, password } = new URL(url)
  const isPlain = protocol === 'https:' && port === '' && username === '' && password === ''
  return isPlain && MEDIA_HOSTS.some((host) => hostname.endsWith(`.${host}`))
}

/** The pictures of a post that the platform itself has, in order; files that are no pictures have none. */
export function picturesOf(post: Pick<Post, 'media' | 'linkPreview'>): PostPicture[] {
  const stills = post.media.slice(0, MAX_PICTURES).flatMap((media, slot): PostPicture[] => {
    const url = stillOf(media)
    const { width, height } = media
    return isPlatformMedia(url) ? [{ slot, name: nameOf(media), url, width, height }] : []
  })
  const preview = post.linkPreview
  if (!preview || !isPlatformMedia(preview.imageUrl)) return stills
  const name = createHash('sha256').update(preview.url).digest('base64url').slice(0, 16)
  const shown = { slot: PREVIEW_SLOT, name, url: preview.imageUrl, width: null, height: null }
  return [...stills, shown]
}

/** What of a medium can be shown as a picture. */
function stillOf(media: Media): string | null {
  const isPicture = media.kind === 'photo' || media.mime?.startsWith('image/') === true
  return isPicture ? (media.url ?? media.thumbnailUrl) : media.thumbnailUrl
}

/** As much as a page tells of a file beside its address. */
function nameOf({ kind, fileId, number, durationS }: Media): string {
  return [kind, fileId ?? '', number ?? '', durationS ?? ''].join('/')
}
