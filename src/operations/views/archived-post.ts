import { incompleteOf, type ArchivedPost, type Media, type PostVersion } from '../../model/post.ts'
import type { ChannelCardView } from './channel.ts'
import { viewTime } from './common.ts'
import { NO_PICTURES } from './picture.ts'
import { viewFullPost } from './post.ts'
import { viewEntity, viewMedia } from './post-parts.ts'

/**
 * A post as the archive has it: the fields of `PostFull`, but with the text as its author wrote it, hidden characters
 * included, and with everything else a store needs to recreate the same post. `readPost` reads it back.
 */
export function viewArchivedPost(
  post: ArchivedPost,
  card: ChannelCardView,
  versions?: readonly PostVersion[],
) {
  const { poll, linkPreview, forwardedFrom, replyTo } = post
  const view = viewFullPost(post, card, NO_PICTURES)
  const incomplete = incompleteOf(post)
  return {
    ...view,
    ...(incomplete === null ? {} : { incomplete }),
    text: post.text,
    entities: post.entities.map(viewEntity),
    media: post.media.map(viewArchivedMedia),
    poll:
      view.poll && poll
        ? { ...view.poll, question: poll.question, options: poll.options }
        : view.poll,
    link_preview:
      view.link_preview && linkPreview
        ? {
            ...view.link_preview,
            site_name: linkPreview.siteName,
            title: linkPreview.title,
            description: linkPreview.description,
          }
        : view.link_preview,
    buttons: post.buttons,
    author: post.author,
    forwarded_from:
      view.forwarded_from && forwardedFrom
        ? { ...view.forwarded_from, name: forwardedFrom.name, author: forwardedFrom.author }
        : view.forwarded_from,
    reply_to:
      view.reply_to && replyTo
        ? { ...view.reply_to, author: replyTo.author, text: replyTo.text }
        : view.reply_to,
    evidence: { ...view.evidence, revision: post.revision },
    ...(versions === undefined ? {} : { versions: versions.map(viewArchivedVersion) }),
  }
}
export type ArchivedPostView = ReturnType<typeof viewArchivedPost>

function viewArchivedMedia(media: Media) {
  const { fileName, title, detail, number, fileId } = media
  const view = { ...viewMedia(media, undefined), file_name: fileName, title, detail }
  return { ...view, number, file_id: fileId }
}

function viewArchivedVersion({ capturedAt, text, sha256 }: PostVersion) {
  return { captured_at: viewTime(capturedAt), text, sha256 }
}
