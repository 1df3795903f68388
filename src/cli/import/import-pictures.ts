import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../model/clock.ts'
import { PREVIEW_SLOT, picturesOf } from '../../model/picture.ts'
import type { Post } from '../../model/post.ts'
import type { ExportedPicture } from '../../operations/views/read-pictures.ts'
import type { PictureFiles } from '../../store/picture-files.ts'
import type { PictureFile, Pictures } from '../../store/pictures.ts'
import { hasAcceptableSize, sniffPicture } from '../../telegram/sniff-picture.ts'

export interface PictureImport {
  /** Keeps the pictures of a post that was just written, as far as the folder has them. */
  take(channelId: number, post: Post, told: readonly ExportedPicture[]): Promise<void>
  readonly taken: number
  /** Pictures that a line names but that were not kept: no such file, other bytes, too large, or not of this post. */
  readonly left: number
}

/**
 * Imports the pictures of an export. A file is trusted as little as one from the platform: its bytes must be a picture with
 * the hash that the line names, and the operator's limits apply here too.
 */
export function createPictureImport(options: {
  readonly rows: Pictures
  readonly files: PictureFiles
  readonly folder: string
  readonly limits: { readonly pictureBytes: number; readonly bytes: number }
  readonly clock: Clock
}): PictureImport {
  const { rows, files, folder, limits, clock } = options
  let taken = 0
  let left = 0

  async function read(told: ExportedPicture): Promise<Buffer | undefined> {
    const path = join(folder, told.file)
    const found = await stat(path).catch(() => undefined)
    if (!found?.isFile() || found.size > limits.pictureBytes) return undefined
    const bytes = await readFile(path)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return sha256 === told.sha256 ? bytes : undefined
  }

  async function takeOne(channelId: number, post: Post, told: ExportedPicture): Promise<boolean> {
    const slot = told.medium ?? PREVIEW_SLOT
    const wanted = picturesOf(post).find((picture) => picture.slot === slot)
    const bytes = wanted && (await read(told))
    const sniffed = bytes && sniffPicture(bytes)
    if (!sniffed || !hasAcceptableSize(sniffed)) return false
    const { bytes: held } = await rows.totals(0)
    if (held + bytes.length > limits.bytes) return false
    // The file before the row, as when pictures are fetched: no row names a missing file.
    const file: PictureFile = {
      sha256: await files.write(bytes),
      bytes: bytes.length,
      ...sniffed,
    }
    const picture = { channelId, number: post.number, slot, name: wanted.name, tries: 0 }
    return rows.keep(picture, file, clock.now())
  }

  return {
    async take(channelId, post, told) {
      for (const each of told) {
        if (await takeOne(channelId, post, each)) taken++
        else left++
      }
    },
    get taken() {
      return taken
    },
    get left() {
      return left
    },
  }
}
