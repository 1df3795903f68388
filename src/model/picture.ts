import { createHash } from 'node:crypto'
import type { Media, Post } from './post.ts'

/** Pictures of posts and channels: which ones there are, and their addresses on the platform. */

/** The platform's own hosts for files, subdomains included. Maps and pictures of linked sites live on other people's hosts. */
export const MEDIA_HOSTS = [
  'telesco.pe',
  'cdn-telegram.org',
  'telegram-cdn.org',
  'telegram.space',
] as const

/** What the operator chose: `link` shows no pictures, `show` those on the platform, `keep` those kept beside the archive. */
export const MEDIA_MODES = ['link', 'show', 'keep'] as const
export type MediaMode = (typeof MEDIA_MODES)[number]

export type PictureType = 'jpeg' | 'png' | 'webp'

/** One picture of a post: the still of a medium, or the picture of a link preview. */
interface PostPicture {
  /** The index of the medium in the post, or `PREVIEW_SLOT`. */
  readonly slot: number
  /** Identifies the picture when the platform gives it another address. */
  readonly name: string
  readonly url: string
  readonly width: number | null
  readonly height: number | null
}

export const PREVIEW_SLOT = 255
/** An album has at most ten; a page with more than this is not genuine. */
const MAX_PICTURES = 20

/** True for a plain https address on one of the platform's own hosts. */
export function isPlatformMedia(url: string | null): url is string {
  if (url === null || !URL.canParse(url)) return false
  const { protocol, hostname, port, username, password } = new URL(url)
  const isPlain = protocol === 'https:' && port === '' && username === '' && password === ''
  return isPlain && MEDIA_HOSTS.some((host) => hostname.endsWith(`.${host}`))
}

/** The pictures of a post that are on the platform's own hosts, in order. */
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

/**
 * Whether a kept picture is one of the post as it is: it may belong to an earlier version, if pictures were not kept when the post
 * was edited.
 */
export function isPictureOf(
  post: Pick<Post, 'media' | 'linkPreview'>,
  { slot, name }: Pick<PostPicture, 'slot' | 'name'>,
): boolean {
  return picturesOf(post).some((picture) => picture.slot === slot && picture.name === name)
}

/** The address of a medium's picture: the file itself if it is a picture, else its thumbnail. */
function stillOf(media: Media): string | null {
  const isPicture = media.kind === 'photo' || media.mime?.startsWith('image/') === true
  return isPicture ? (media.url ?? media.thumbnailUrl) : media.thumbnailUrl
}

/** All that a page says about a file apart from its address. */
function nameOf({ kind, fileId, number, durationS }: Media): string {
  return [kind, fileId ?? '', number ?? '', durationS ?? ''].join('/')
}
