import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PREVIEW_SLOT, isPictureOf } from '../../model/picture.ts'
import { refKey, type ArchivedPost } from '../../model/post.ts'
import { pictureFileName, type ExportedPicture } from '../../operations/views/read-pictures.ts'
import { makeFolder } from '../../store/file-system.ts'
import type { PictureFiles } from '../../store/picture-files.ts'
import type { KeptPicture, Pictures } from '../../store/pictures.ts'

export type PictureExport = ReturnType<typeof createPictureExport>

/** Copies the kept pictures of posts into a folder, each file once, and tells which post has which. */
export function createPictureExport(rows: Pictures, files: PictureFiles, folder: string) {
  const written = { files: 0, bytes: 0 }

  /** False when the file is missing; it is then left out, as in any answer. */
  async function copy({ file }: KeptPicture): Promise<boolean> {
    const path = join(folder, pictureFileName(file))
    const bytes = await files.read(file.sha256)
    if (!bytes) return false
    makeFolder(folder)
    // An export that was killed, or had no space, may have left a part of it.
    const found = await stat(path).catch(() => undefined)
    if (found?.size === bytes.length) return true
    await writeFile(path, bytes)
    written.files++
    written.bytes += bytes.length
    return true
  }

  return {
    /** What has been written so far; files that were there already are not counted. */
    written: written as Readonly<typeof written>,
    /** The pictures of these posts, looked up together. */
    async of(posts: readonly ArchivedPost[]): Promise<(post: ArchivedPost) => ExportedPicture[]> {
      const kept = await rows.of(posts.map(({ channelId, number }) => ({ channelId, number })))
      const told = new Map<number, ExportedPicture[]>()
      const asked = new Map(posts.map((post) => [refKey(post), post]))
      for (const picture of kept) {
        const key = refKey(picture)
        if (!isPictureOf(asked.get(key)!, picture) || !(await copy(picture))) continue
        told.set(key, [...(told.get(key) ?? []), viewOf(picture)])
      }
      return (post) => told.get(refKey(post)) ?? []
    },
  }
}

function viewOf({ slot, file }: KeptPicture): ExportedPicture {
  const { sha256, width, height } = file
  const medium = slot === PREVIEW_SLOT ? null : slot
  return { medium, file: pictureFileName(file), sha256, width, height }
}
