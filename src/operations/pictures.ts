import type { ChannelProfile } from '../model/channel.ts'
import { refKey, type ArchivedPost, type PostRef } from '../model/post.ts'
import { isPictureOf, isPlatformMedia, picturesOf, type MediaMode } from '../model/picture.ts'
import type { PictureFiles } from '../store/picture-files.ts'
import type { KeptPicture, PictureFile, Pictures as PictureRows } from '../store/pictures.ts'
import { NO_PICTURES, type PictureOf, type PictureView } from './views/picture.ts'

/** Which pictures answers may show, as the operator chose. */
export interface Pictures {
  /** The pictures of these posts, looked up together. */
  of(posts: readonly (ArchivedPost | undefined)[]): Promise<PictureOf>
  /** The channels' avatars, looked up together. */
  ofChannels(channels: readonly Pictured[]): Promise<AvatarOf>
  /** A kept picture that some post still has, by its hash; `read` returns undefined when its file is missing. */
  kept(sha256: string): Promise<KeptFile | undefined>
}

interface KeptFile extends PictureFile {
  read(): Promise<Uint8Array | undefined>
  /** Opens the file for reading in pieces; undefined when it is missing. */
  open(): Promise<(() => AsyncIterable<Uint8Array>) | undefined>
}

/** A channel that may not be archived; then it has no id. */
type Pictured = Pick<ChannelProfile, 'avatarUrl'> & { readonly id?: number }
type AvatarOf = (channel: Pictured) => PictureView | undefined

interface Shelf {
  readonly rows: PictureRows
  readonly files: PictureFiles
  /** Base of absolute addresses. */
  readonly publicUrl: string
}

export function createPictures(mode: MediaMode, shelf: Shelf): Pictures {
  const nothing = { kept: async () => undefined }
  switch (mode) {
    case 'link':
      return { ...nothing, of: async () => NO_PICTURES, ofChannels: async () => () => undefined }
    case 'show':
      return {
        ...nothing,
        of: async () => platformPictures(),
        ofChannels: async () => platformAvatar,
      }
    case 'keep':
      return keptPictures(shelf)
  }
}

function keptPictures({ rows, files, publicUrl }: Shelf): Pictures {
  const view = ({ file: { sha256, width, height } }: KeptPicture): PictureView => ({
    url: `${publicUrl}/media/${sha256}`,
    width,
    height,
    sha256,
  })
  return {
    async of(posts) {
      const pictured = posts.flatMap((post) =>
        post && post.channelId > 0 && hasPictures(post) ? [post] : [],
      )
      if (pictured.length === 0) return NO_PICTURES
      const kept = await rows.of(pictured)
      const found = new Map(kept.map((picture) => [placeOf(picture, picture.slot), picture]))
      return (post, slot) => {
        const picture = found.get(placeOf(post, slot))
        return picture && isPictureOf(post, picture) ? view(picture) : undefined
      }
    },
    async ofChannels(channels) {
      const ids = channels.flatMap(({ id }) => id ?? [])
      const kept = await rows.of(ids.map((channelId) => ({ channelId, number: 0 })))
      const found = new Map(kept.map((picture) => [picture.channelId, view(picture)]))
      return ({ id }) => (id === undefined ? undefined : found.get(id))
    },
    async kept(sha256) {
      const file = await rows.file(sha256)
      if (!file) return undefined
      return {
        ...file,
        read: () => files.read(sha256),
        open: async () => ((await files.has(sha256)) ? () => files.pieces(sha256) : undefined),
      }
    },
  }
}

function hasPictures({ media, linkPreview }: ArchivedPost): boolean {
  return media.length > 0 || linkPreview !== null
}

function placeOf(ref: PostRef, slot: number): string {
  return `${refKey(ref)}/${slot}`
}

function platformAvatar({ avatarUrl }: Pictured): PictureView | undefined {
  return isPlatformMedia(avatarUrl) ? { url: avatarUrl, width: null, height: null } : undefined
}

/** The platform's own pictures, computed once per post. */
function platformPictures(): PictureOf {
  const made = new WeakMap<object, ReadonlyMap<number, PictureView>>()
  return (post, slot) => {
    let pictures = made.get(post)
    if (!pictures) {
      const views = picturesOf(post).map(
        ({ slot: at, url, width, height }) => [at, { url, ...sizeOf(width, height) }] as const,
      )
      made.set(post, (pictures = new Map(views)))
    }
    return pictures.get(slot)
  }
}

/** Pages give the sizes of their layout, in fractions of a pixel. */
function sizeOf(width: number | null, height: number | null) {
  const isKnown = width !== null && height !== null && width >= 1 && height >= 1
  return isKnown
    ? { width: Math.round(width), height: Math.round(height) }
    : { width: null, height: null }
}
