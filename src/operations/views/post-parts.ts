import { z } from 'zod'
import {
  ENTITY_TYPES,
  MEDIA_KINDS,
  type Entity,
  type Forward,
  type Media,
  type Poll,
  type Post,
  type PostRef,
  type Reaction,
  type Reply,
} from '../../model/post.ts'
import { countView, viewCount, viewCountOrNull } from './common.ts'
import { pictureView, thumbnailOf, type PictureOf, type PictureView } from './picture.ts'
import { servedLine, servedText } from './served-text.ts'

/** The smaller parts of a post: a schema for each, and the function that makes it. */

export const entityView = z
  .strictObject({
    type: z.enum(ENTITY_TYPES),
    offset: z.int(),
    length: z.int(),
    url: z.string().optional(),
    language: z.string().optional(),
    custom_id: z.string().optional(),
    collapsed: z.boolean().optional(),
  })
  .meta({ id: 'Entity', description: 'A stretch of `text`; offsets count UTF-16 units.' })

export function viewEntity({ customId, ...entity }: Entity): z.output<typeof entityView> {
  return customId === undefined ? entity : { ...entity, custom_id: customId }
}

export const mediaView = z
  .strictObject({
    kind: z.enum(MEDIA_KINDS),
    url: z.string().nullable(),
    thumbnail_url: z.string().nullable(),
    width: z.number().nullable(),
    height: z.number().nullable(),
    duration_s: z.number().nullable(),
    file_name: z.string().nullable(),
    size: countView.nullable(),
    mime: z.string().nullable(),
    title: z.string().nullable(),
    detail: z.string().nullable(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    round: z.boolean(),
    too_big: z.boolean(),
    picture: pictureView.optional(),
  })
  .meta({ id: 'Media', description: 'URLs of the platform’s CDN expire after about two days.' })

export function viewMedia(
  media: Media,
  picture: PictureView | undefined,
): z.output<typeof mediaView> {
  return {
    kind: media.kind,
    url: media.url,
    thumbnail_url: media.thumbnailUrl,
    width: media.width,
    height: media.height,
    duration_s: media.durationS,
    file_name: lineOrNull(media.fileName),
    size: viewCountOrNull(media.size),
    mime: media.mime,
    title: lineOrNull(media.title),
    detail: lineOrNull(media.detail),
    latitude: media.latitude,
    longitude: media.longitude,
    round: media.round,
    too_big: media.tooBig,
    ...(picture ? { picture } : {}),
  }
}

export const mediaSummaryView = z
  .strictObject({
    kinds: z.array(z.enum([...MEDIA_KINDS, 'poll'])),
    count: z.int(),
    duration_s: z
      .number()
      .optional()
      .meta({ description: 'Of the longest video, voice message or piece of music.' }),
    voters: countView.optional().meta({ description: 'Of the poll.' }),
    thumbnail: pictureView.optional(),
  })
  .meta({ id: 'MediaSummary', description: 'Attachments of the post; a poll counts as one.' })

export function summarizeMedia(
  post: PostRef & Post,
  pictureOf: PictureOf,
): z.output<typeof mediaSummaryView> {
  const { media, poll } = post
  const attached = [...media.map((m) => m.kind), ...(poll ? ['poll' as const] : [])]
  const longest = Math.max(0, ...media.map(({ durationS }) => durationS ?? 0))
  const thumbnail = thumbnailOf(post, pictureOf)
  return {
    kinds: [...new Set(attached)],
    count: attached.length,
    ...(longest > 0 ? { duration_s: longest } : {}),
    ...(poll?.voters ? { voters: viewCount(poll.voters) } : {}),
    ...(thumbnail ? { thumbnail } : {}),
  }
}

export const pollView = z
  .strictObject({
    question: z.string(),
    type: z.string(),
    options: z.array(z.strictObject({ text: z.string(), percent: z.number().nullable() })),
    voters: countView.nullable(),
  })
  .meta({ id: 'Poll' })

export function viewPoll(poll: Poll): z.output<typeof pollView> {
  return {
    question: servedText(poll.question),
    type: poll.type,
    options: poll.options.map(({ text, percent }) => ({ text: servedLine(text), percent })),
    voters: viewCountOrNull(poll.voters),
  }
}

export const linkPreviewView = z
  .strictObject({
    url: z.string(),
    site_name: z.string().nullable(),
    title: z.string().nullable(),
    description: z.string().nullable(),
    image_url: z.string().nullable(),
    picture: pictureView.optional(),
  })
  .meta({ id: 'LinkPreview' })

export function viewLinkPreview(
  post: Post,
  picture: PictureView | undefined,
): z.output<typeof linkPreviewView> | null {
  const preview = post.linkPreview
  return (
    preview && {
      url: preview.url,
      site_name: lineOrNull(preview.siteName),
      title: lineOrNull(preview.title),
      description: preview.description === null ? null : servedText(preview.description),
      image_url: preview.imageUrl,
      ...(picture ? { picture } : {}),
    }
  )
}

export const buttonView = z
  .strictObject({ text: z.string(), url: z.string().nullable() })
  .meta({ id: 'Button' })

export const forwardView = z
  .strictObject({
    name: z.string(),
    username: z.string().nullable(),
    post_url: z.string().nullable(),
    author: z.string().nullable(),
  })
  .meta({ id: 'Forward' })

export function viewForward(forward: Forward): z.output<typeof forwardView> {
  return {
    name: servedLine(forward.name),
    username: forward.username,
    post_url: forward.postUrl,
    author: lineOrNull(forward.author),
  }
}

export const replyView = z
  .strictObject({ url: z.string(), author: z.string().nullable(), text: z.string().nullable() })
  .meta({ id: 'Reply' })

export function viewReply(reply: Reply): z.output<typeof replyView> {
  return {
    url: reply.url,
    author: lineOrNull(reply.author),
    text: reply.text === null ? null : servedText(reply.text),
  }
}

export const reactionView = z
  .strictObject({
    emoji: z.string().optional(),
    custom_id: z.string().optional(),
    paid: z.literal(true).optional(),
    count: countView,
  })
  .meta({ id: 'Reaction', description: 'Exactly one of `emoji`, `custom_id` and `paid` is there.' })
type ReactionView = z.output<typeof reactionView>

export function viewReaction(reaction: Reaction): ReactionView {
  const count = viewCount(reaction.count)
  if (reaction.paid) return { paid: true, count }
  if (reaction.customId !== null) return { custom_id: reaction.customId, count }
  return { emoji: reaction.emoji ?? '', count }
}

export const reactionSummaryView = z
  .strictObject({
    total: z.int(),
    top: reactionView.nullable().meta({ description: 'The reaction used most.' }),
  })
  .meta({ id: 'ReactionSummary' })

export function summarizeReactions(post: Post): z.output<typeof reactionSummaryView> {
  let total = 0
  let top: Reaction | null = null
  for (const reaction of post.reactions) {
    total += reaction.count.value
    if (top === null || reaction.count.value > top.count.value) top = reaction
  }
  return { total, top: top && viewReaction(top) }
}

function lineOrNull(text: string | null): string | null {
  return text === null ? null : servedLine(text)
}
