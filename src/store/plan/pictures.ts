import { isPlatformMedia, picturesOf } from '../../model/picture.ts'
import type { ArchivedPost, PostRef } from '../../model/post.ts'
import { DAY_MS } from '../../model/time.ts'
import { AVATAR_DAYS, AVATAR_SLOT } from '../pictures.ts'

/** All pictures that a post has from now on; any others that it had are dropped. */
export interface PicturesRow extends PostRef {
  readonly wanted: readonly { readonly slot: number; readonly name: string }[]
  readonly at: number
}

/** What a draft decides about pictures. */
export class PictureDraft {
  readonly wanted: PicturesRow[] = []
  readonly moved: { readonly from: PostRef; readonly to: PostRef }[] = []

  wantOf(post: ArchivedPost, at: number): void {
    const { channelId, number } = post
    const wanted = picturesOf(post).map(({ slot, name }) => ({ slot, name }))
    this.wanted.push({ channelId, number, wanted, at })
  }

  wantAvatar(channelId: number, url: string | null, at: number): void {
    if (!isPlatformMedia(url)) return
    const name = `week ${Math.floor(at / (AVATAR_DAYS * DAY_MS))}`
    this.wanted.push({ channelId, number: 0, wanted: [{ slot: AVATAR_SLOT, name }], at })
  }

  writes() {
    return { pictures: this.wanted, picturesMoved: this.moved }
  }
}
