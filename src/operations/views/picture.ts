import { z } from 'zod'
import { PREVIEW_SLOT } from '../../model/picture.ts'
import type { Post, PostRef } from '../../model/post.ts'

/** A picture that may be shown. Absent when the operator wants only placeholders, or when the picture was not kept. */
export const pictureView = z
  .strictObject({
    url: z.string(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    sha256: z
      .string()
      .optional()
      .meta({ description: 'Hash of the file, if this service keeps the picture.' }),
  })
  .meta({
    id: 'Picture',
    description:
      'A picture that may be shown. With a `sha256` it is kept by this service; otherwise its URL is the platform’s and expires after about two days.',
  })
export type PictureView = z.output<typeof pictureView>

/** A post's picture by its slot (see `PostPicture`); undefined when none may be shown. */
export type PictureOf = (post: PostRef & Post, slot: number) => PictureView | undefined

export const NO_PICTURES: PictureOf = () => undefined

/** The picture that a list shows beside a post: the first of its pictures. */
export function thumbnailOf(post: PostRef & Post, pictureOf: PictureOf): PictureView | undefined {
  for (const slot of [...post.media.keys(), PREVIEW_SLOT]) {
    const picture = pictureOf(post, slot)
    if (picture) return picture
  }
  return undefined
}
