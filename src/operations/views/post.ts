import { z } from 'zod'
import { PREVIEW_SLOT } from '../../model/picture.ts'
import {
  CAPTURES,
  INCOMPLETE,
  incompleteOf,
  type ArchivedPost,
  type PostVersion,
} from '../../model/post.ts'
import type { Edit } from '../../model/edit.ts'
import type { CleanText } from '../../text/clean.ts'
import type { Snippet } from '../../text/highlight.ts'
import { toHtml, toMarkdown } from '../../text/markup.ts'
import { postFeatures } from '../../text/post-features.ts'
import { channelCardView, type ChannelCardView } from './channel.ts'
import { countView, timeView, viewCountOrNull, viewTime } from './common.ts'
import {
  buttonView,
  entityView,
  forwardView,
  linkPreviewView,
  mediaSummaryView,
  mediaView,
  pollView,
  reactionSummaryView,
  reactionView,
  replyView,
  summarizeMedia,
  summarizeReactions,
  viewEntity,
  viewForward,
  viewLinkPreview,
  viewMedia,
  viewPoll,
  viewReaction,
  viewReply,
} from './post-parts.ts'
import type { PictureOf } from './picture.ts'
import { editKinds, namedChangeView, viewClassified } from './named-change.ts'
import { servedLine, servedPost } from './served-text.ts'

const aboutPost = {
  id: z.string().meta({ examples: ['durov/342'] }),
  slug: z.string().meta({ examples: ['342'] }),
  url: z.string(),
  channel: channelCardView,
  published_at: timeView,
  first_captured_at: timeView,
  edited: z.boolean(),
  language: z.string().nullable(),
  hidden_characters: z
    .literal(true)
    .optional()
    .meta({ description: 'Control, zero-width or bidi-override characters were removed.' }),
  incomplete: z.enum(INCOMPLETE).optional().meta({
    description:
      'Telegram shows this post only in its app. `not_shown`: nothing of it is known; `text_cut`: only the beginning of its text; `text_only`: its text without media and formatting.',
  }),
  views: countView.nullable(),
  links: z.array(z.string()),
  hashtags: z.array(z.string()),
  mentions: z.array(z.string()),
  forwarded_from: forwardView.nullable(),
  reply_to: replyView.nullable(),
  deleted_at: timeView.optional(),
}

const snippetFields = {
  snippet: z.string().meta({
    description: 'Spoilers are masked, except the words searched for; `text` has them.',
  }),
  highlights: z
    .array(z.strictObject({ start: z.int(), end: z.int() }))
    .meta({ description: 'UTF-16 offsets into `snippet`.' }),
}

/** A post as a list shows it. */
export const briefPost = {
  ...aboutPost,
  ...snippetFields,
  reactions: reactionSummaryView,
  media: mediaSummaryView,
}
export const briefPostView = z.strictObject(briefPost).meta({ id: 'PostBrief' })

const evidenceView = z
  .strictObject({
    content_sha256: z.string(),
    first_captured_at: timeView,
    last_captured_at: timeView,
    capture: z.enum(CAPTURES),
    parser_version: z.int(),
  })
  .meta({ id: 'Evidence' })

/** A post in full, without its earlier versions. */
export const fullPost = {
  ...aboutPost,
  kind: z.enum(['post', 'service']),
  text: z.string(),
  markdown: z.string(),
  html: z.string().meta({ description: 'Made from the entities; safe to embed.' }),
  entities: z.array(entityView),
  media: z.array(mediaView),
  poll: pollView.nullable(),
  link_preview: linkPreviewView.nullable(),
  buttons: z.array(z.array(buttonView)),
  author: z.string().nullable(),
  via_bot: z.string().nullable(),
  album_ids: z.array(z.string()),
  reactions: z.array(reactionView),
  evidence: evidenceView,
}
export const fullPostView = z.strictObject(fullPost).meta({ id: 'PostFull' })

export const postView = z
  .strictObject({
    ...fullPost,
    versions: z.array(
      z.strictObject({
        captured_at: timeView,
        text: z.string().nullable(),
        sha256: z.string(),
        changed_at: timeView
          .nullable()
          .meta({ description: 'When a newer version was first seen.' }),
        kinds: editKinds,
        named: z.array(namedChangeView),
      }),
    ),
  })
  .meta({ id: 'Post' })

export const idView = z
  .strictObject({ id: z.string(), slug: z.string(), url: z.string() })
  .meta({ id: 'PostId' })

/** Whether a post of a list has a snippet, which pages and terminals ask for. */
export function isBrief<P extends object>(
  post: P,
): post is Extract<P, { readonly snippet: string }> {
  return 'snippet' in post
}

export function viewId(username: string, number: number): z.output<typeof idView> {
  const id = `${username}/${number}`
  return { id, slug: String(number), url: `https://t.me/${id}` }
}

/** Bounds what a hostile post can put into a reply. */
const MAX_FACTS = 100

function viewAbout(post: ArchivedPost, card: ChannelCardView, served: CleanText) {
  const { links, hashtags, mentions } = postFeatures(post)
  return {
    ...viewId(card.username, post.number),
    channel: card,
    published_at: viewTime(post.publishedAt),
    first_captured_at: viewTime(post.firstCapturedAt),
    edited: post.edited,
    language: post.language,
    ...(served.hidden ? { hidden_characters: true as const } : {}),
    ...viewIncomplete(post),
    views: viewCountOrNull(post.views),
    links: links.slice(0, MAX_FACTS),
    // As written, without `#`; names are in lower case, without `@`.
    hashtags: hashtags.slice(0, MAX_FACTS).map(({ display }) => servedLine(display)),
    mentions: mentions.slice(0, MAX_FACTS),
    forwarded_from: post.forwardedFrom && viewForward(post.forwardedFrom),
    reply_to: post.replyTo && viewReply(post.replyTo),
    ...(post.deletedAt === null ? {} : { deleted_at: viewTime(post.deletedAt) }),
  }
}

/** A deleted post is not marked incomplete: nothing more of it can be had anywhere. */
function viewIncomplete(post: ArchivedPost) {
  const incomplete = post.deletedAt === null ? incompleteOf(post) : null
  return incomplete === null ? {} : { incomplete }
}

export function viewBriefPost(
  post: ArchivedPost,
  card: ChannelCardView,
  snippetOf: (served: CleanText, post: ArchivedPost) => Snippet,
  pictureOf: PictureOf,
): z.output<typeof briefPostView> {
  const served = servedPost(post)
  const snippet = snippetOf(served, post)
  return {
    ...viewAbout(post, card, served),
    snippet: snippet.text,
    highlights: snippet.highlights.map(({ start, end }) => ({ start, end })),
    reactions: summarizeReactions(post),
    media: summarizeMedia(post, pictureOf),
  }
}

export function viewFullPost(
  post: ArchivedPost,
  card: ChannelCardView,
  pictureOf: PictureOf,
): z.output<typeof fullPostView> {
  const served = servedPost(post)
  return {
    ...viewAbout(post, card, served),
    kind: post.kind,
    text: served.text,
    markdown: toMarkdown(served.text, served.entities),
    html: toHtml(served.text, served.entities),
    entities: served.entities.map(viewEntity),
    media: post.media.map((media, slot) => viewMedia(media, pictureOf(post, slot))),
    poll: post.poll && viewPoll(post.poll),
    link_preview: viewLinkPreview(post, pictureOf(post, PREVIEW_SLOT)),
    buttons: post.buttons.map((row) =>
      row.map(({ text, url }) => ({ text: servedLine(text), url })),
    ),
    author: post.author === null ? null : servedLine(post.author),
    via_bot: post.viaBot,
    album_ids: post.albumNumbers.map(String),
    reactions: post.reactions.map(viewReaction),
    evidence: viewEvidence(post),
  }
}

export function viewEvidence(post: ArchivedPost): z.output<typeof evidenceView> {
  return {
    content_sha256: post.contentSha256,
    first_captured_at: viewTime(post.firstCapturedAt),
    last_captured_at: viewTime(post.lastCapturedAt),
    capture: post.capture,
    parser_version: post.parserVersion,
  }
}

export function viewVersion(
  version: PostVersion,
  edit: Edit | undefined,
  clean: (text: string) => string,
) {
  return {
    captured_at: viewTime(version.capturedAt),
    text: version.text === null ? null : clean(version.text),
    sha256: version.sha256,
    changed_at: edit ? viewTime(edit.at) : null,
    ...viewClassified(edit ?? { kinds: [], named: [] }),
  }
}
