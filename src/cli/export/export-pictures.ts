import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PREVIEW_SLOT, picturesOf } from '../../model/picture.ts'
import { refKey, type ArchivedPost } from '../../model/post.ts'
import { pictureFileName, type ExportedPicture } from '../../operations/views/read-pictures.ts'
import { makeFolder } from '../../store/make-folder.ts'
import type { PictureFiles } from '../../store/picture-files.ts'
import type { KeptPicture, Pictures } from '../../store/pictures.ts'

/** Copies the kept pictures of posts into a folder, each file once, and tells which post has which. */
export class PictureExport {
  readonly #rows: Pictures
  readonly #files: PictureFiles
  readonly #folder: string
  #count = 0
  #bytes = 0

  constructor(rows: Pictures, files: PictureFiles, folder: string) {
    this.#rows = rows
    this.#files = files
    this.#folder = folder
  }

  /** What has been written so far; files that were there already are not counted. */
  get written(): { readonly files: number; readonly bytes: number } {
    return { files: this.#count, bytes: this.#bytes }
  }

  /** The pictures of these posts, looked up together. */
  async of(posts: readonly ArchivedPost[]): Promise<(post: ArchivedPost) => ExportedPicture[]> {
    const kept = await this.#rows.of(posts.map(({ channelId, number }) => ({ channelId, number })))
    const told = new Map<number, ExportedPicture[]>()
    const own = new Map(posts.map((post) => [refKey(post), picturesOf(post)]))
    for (const picture of kept) {
      const key = refKey(picture)
      // The kept picture may belong to an earlier version of the post, if pictures were not kept when it was edited.
      const isOwn = own.get(key)?.some((p) => p.slot === picture.slot && p.name === picture.name)
      if (!isOwn || !(await this.#copy(picture))) continue
      told.set(key, [...(told.get(key) ?? []), viewOf(picture)])
    }
    return (post) => told.get(refKey(post)) ?? []
  }

  /** False when the file is missing; it is then left out, as in any answer. */
  async #copy({ file }: KeptPicture): Promise<boolean> {
    const path = join(this.#folder, pictureFileName(file))
    const bytes = await this.#files.read(file.sha256)
    if (!bytes) return false
    makeFolder(this.#folder)
    // An export that was killed, or had no space, may have left a part of it.
    const found = await stat(path).catch(() => undefined)
    if (found?.size === bytes.length) return true
    await writeFile(path, bytes)
    this.#count++
    this.#bytes += bytes.length
    return true
  }
}

function viewOf({ slot, file }: KeptPicture): ExportedPicture {
  const { sha256, width, height } = file
  const medium = slot === PREVIEW_SLOT ? null : slot
  return { medium, file: pictureFileName(file), sha256, width, height }
}
