import type { ChannelProfile } from '../model/channel.ts'
import type { ArchivedPost } from '../model/post.ts'
import { isPlatformMedia, picturesOf } from '../model/picture.ts'
import type { MediaMode } from '../model/picture.ts'
import { NO_PICTURES } from './views/picture.ts'
import type { PictureOf, PictureView } from './views/picture.ts'

/** Which pictures answers may show, as the operator decided. */
export interface Pictures {
  /** Of these posts, looked up together. */
  of(posts: readonly (ArchivedPost | undefined)[]): Promise<PictureOf>
  /** The channels' own pictures, looked up together. */
  ofChannels(channels: readonly Pictured[]): Promise<AvatarOf>
}

/** A channel that may not be archived: then it has no id. */
type Pictured = Pick<ChannelProfile, 'avatarUrl'> & { readonly id?: number }
type AvatarOf = (channel: Pictured) => PictureView | undefined

export function createPictures(mode: MediaMode): Pictures {
  const isShown = mode === 'show'
  return {
    async of() {
      return isShown ? platformPictures() : NO_PICTURES
    },
    async ofChannels() {
      return isShown ? platformAvatar : () => undefined
    },
  }
}

function platformAvatar({ avatarUrl }: Pictured): PictureView | undefined {
  return isPlatformMedia(avatarUrl) ? { url: avatarUrl, width: null, height: null } : undefined
}

/** As the platform has them; made once a post. */
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

/** Pages give sizes as they lay them out, in parts of a pixel. */
function sizeOf(width: number | null, height: number | null) {
  const isKnown = width !== null && height !== null && width >= 1 && height >= 1
  return isKnown
    ? { width: Math.round(width), height: Math.round(height) }
    : { width: null, height: null }
}
