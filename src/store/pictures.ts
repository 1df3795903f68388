import type { PictureType } from '../model/picture.ts'
import type { PostRef } from '../model/post.ts'

/**
 * Which post has which picture. A picture becomes wanted in the transaction that archives its post, and is dropped in the
 * one that erases it. The bytes are in files named by their hash (`PictureFiles`); several pictures may share one file.
 */
export interface Pictures {
  /** The pictures to fetch now, latest first: addresses expire, so the longest waiting are the least likely to succeed. */
  due(now: number, limit: number): Promise<readonly WantedPicture[]>
  /** Records that a picture was fetched and its file written. False when no longer wanted: the post is gone or has another. */
  keep(picture: WantedPicture, file: PictureFile, at: number): Promise<boolean>
  /** Records that a picture could not be fetched; ignored when it is no longer wanted. */
  miss(picture: WantedPicture, missed: Missed): Promise<void>
  /** The kept pictures of these posts; number 0 is the channel itself. */
  of(refs: readonly PostRef[]): Promise<readonly KeptPicture[]>
  /** The file with that hash, if some picture uses it. */
  file(sha256: string): Promise<PictureFile | undefined>
  /** Those of the hashes that some picture uses. */
  used(hashes: readonly string[]): Promise<ReadonlySet<string>>
  /** The first `limit` files by hash, which is as good as a random choice. */
  sample(limit: number): Promise<readonly PictureFile[]>
  /**
   * Hashes that no picture uses any more (`loose_files` in databases) and whose files are to be erased; returned again until
   * `forget` is called.
   */
  unused(limit: number): Promise<readonly string[]>
  /** Records that these files are erased. A picture that came to use one of them meanwhile has lost it and is wanted again. */
  forget(hashes: readonly string[], now: number): Promise<void>
  /** Adds to the bytes of pictures fetched on a day (days since 1970). */
  spend(day: number, bytes: number): Promise<void>
  totals(day: number): Promise<PictureTotals>
}

export interface PictureRef extends PostRef {
  /** As in `PostPicture`. */
  readonly slot: number
}

export interface WantedPicture extends PictureRef {
  readonly name: string
  /** How many attempts have failed. */
  readonly tries: number
}

export interface PictureFile {
  /** In hex. */
  readonly sha256: string
  readonly type: PictureType
  readonly bytes: number
  readonly width: number
  readonly height: number
}

export interface KeptPicture extends PictureRef {
  readonly name: string
  readonly file: PictureFile
}

/**
 * `failed`: retried at `retryAt` or, when that is null, once the platform shows another address. `put_off`: retried likewise,
 * but it was not the picture's fault and does not count as a try. `refused`: the content is not acceptable, and the same
 * picture is not fetched again.
 */
export type Missed =
  | { readonly kind: 'failed'; readonly retryAt: number | null }
  | { readonly kind: 'put_off'; readonly retryAt: number }
  | { readonly kind: 'refused' }

export interface PictureTotals {
  readonly files: number
  readonly bytes: number
  readonly waiting: number
  /** Failed or refused, with no retry planned. */
  readonly missing: number
  /** Bytes fetched on the given day. */
  readonly dayBytes: number
}

/** The role of fetching and erasing files, held by one process at a time. */
export const PICTURE_KEEPER = 'pictures'

/** After this many tries a picture is given up, even if the platform shows another address. */
export const MAX_TRIES = 8
/** A channel's own picture has no lasting name, so it is fetched again at this interval. */
export const AVATAR_DAYS = 7
export const AVATAR_SLOT = 0
