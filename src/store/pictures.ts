import type { PostRef } from '../model/post.ts'

/**
 * Which post has which picture. A picture is wanted from the moment its post is archived and goes with it; that is part of what
 * a reading and a removal write. The bytes are files, named by their hash and kept elsewhere (`PictureFiles`); several
 * pictures may be the same file.
 */
export interface Pictures {
  /** Those to be fetched now, latest first: addresses die, and what has waited longest has the least to hope for. */
  due(now: number, limit: number): Promise<readonly WantedPicture[]>
  /** It was fetched and its file is written. False when it is not wanted any more: the post is gone or has another. */
  keep(picture: WantedPicture, file: PictureFile, at: number): Promise<boolean>
  /** It could not be had; ignored when it is not wanted any more. */
  miss(picture: WantedPicture, missed: Missed): Promise<void>
  /** The kept pictures of these posts; number 0 is the channel itself. */
  of(refs: readonly PostRef[]): Promise<readonly KeptPicture[]>
  /** A file that some picture has; undefined for any other. */
  file(sha256: string): Promise<PictureFile | undefined>
  /** Those of the hashes that some picture has. */
  held(hashes: readonly string[]): Promise<ReadonlySet<string>>
  /** The first so many files by hash, which is as good as any choice. */
  sample(limit: number): Promise<readonly PictureFile[]>
  /** Hashes that no picture has any more, whose files are to be erased; told again until they are forgotten. */
  loose(limit: number): Promise<readonly string[]>
  /** Their files are erased: a picture that got one of them meanwhile has lost it and is wanted again. */
  forget(hashes: readonly string[], now: number): Promise<void>
  /** Adds to what was read of pictures on a day, counted since 1970. */
  spend(day: number, bytes: number): Promise<void>
  totals(day: number): Promise<PictureTotals>
}

export interface PictureRef extends PostRef {
  /** As in `PostPicture`. */
  readonly slot: number
}

export interface WantedPicture extends PictureRef {
  readonly name: string
  /** How often it was asked for in vain. */
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

const PICTURE_TYPES = ['jpeg', 'png', 'webp', 'gif'] as const
export type PictureType = (typeof PICTURE_TYPES)[number]

export interface KeptPicture extends PictureRef {
  readonly name: string
  readonly file: PictureFile
}

/**
 * `failed`: asked for again at `retryAt` or, when that is null, once the platform shows another address. `put_off`: the same, but
 * the picture is not to blame, and it does not count as a try. `refused`: what came is not kept, so that the same picture is not
 * asked for again.
 */
export type Missed =
  | { readonly kind: 'failed'; readonly retryAt: number | null }
  | { readonly kind: 'put_off'; readonly retryAt: number }
  | { readonly kind: 'refused' }

export interface PictureTotals {
  readonly files: number
  readonly bytes: number
  readonly waiting: number
  /** Failed or refused, and not asked for at present. */
  readonly missing: number
  /** Read on the day asked about. */
  readonly dayBytes: number
}

/** Fetching and erasing files: one process at a time. */
export const PICTURE_KEEPER = 'pictures'

/** After so many tries a picture is not asked for at another address either. */
export const MAX_TRIES = 8
/** A channel's own picture has no name that lasts: it is asked for again so often. */
export const AVATAR_DAYS = 7
export const AVATAR_SLOT = 0
