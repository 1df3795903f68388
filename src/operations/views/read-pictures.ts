import { z } from 'zod'
import { PREVIEW_SLOT } from '../../model/picture.ts'
import type { PictureFile } from '../../store/pictures.ts'

/** Which kept pictures a line of an export has, and the names of their files. */
export const pictureFields = {
  pictures: z
    .array(
      z.object({
        /** The index into `media`; null for the link's preview. */
        medium: z.int().min(0).max(PREVIEW_SLOT).nullable(),
        // A plain file name, so that no line can lead out of the folder.
        file: z.string().regex(/^[0-9a-f]{64}\.(?:jpg|png|webp)$/),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
        width: z.int().nullish(),
        height: z.int().nullish(),
      }),
    )
    .max(100)
    .optional(),
}
export type ExportedPicture = NonNullable<z.output<typeof pictureFields.pictures>>[number]

export function pictureFileName({ sha256, type }: Pick<PictureFile, 'sha256' | 'type'>): string {
  return `${sha256}.${type === 'jpeg' ? 'jpg' : type}`
}
