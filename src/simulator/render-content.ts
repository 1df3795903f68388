import type { Post } from '../model/post.ts'
import { notice, renderAlbum, renderFile, renderMedia, type ShownMedia } from './render-media.ts'
import type { PostFrame, ShownPost } from './shown-post.ts'
import { renderText, withEmoji } from './render-text.ts'

/** What stands between a post's head and its foot: media, poll, words, or the notice that replaces them. */
export function renderContent(shown: ShownPost, frame: PostFrame, href: string): string {
  const { post, draft } = shown
  if (post.orphan) return notice(OPEN_TELEGRAM, href)
  if (post.kind === 'service' && frame.embed) return notice('Service message', href)
  const isAlbum = post.albumNumbers.length > 0
  const items = draft.media.map((spec, i): ShownMedia => {
    const media = post.media[i] as ShownMedia['media']
    return {
      spec,
      media,
      href: isAlbum ? `https://t.me/${frame.username}/${media.number}?single` : href,
    }
  })
  if (isAlbum && draft.extras.captions) return captionedFiles(items, draft.extras.captions, frame)
  const hasCustomEmoji = post.entities.some(({ type }) => type === 'custom_emoji')
  // Beside a caption the notice hides one medium, although it says that it hides the post.
  const isHidden = post.text !== '' && draft.media[0]?.shape === 'unsupported'
  const media = isAlbum
    ? renderAlbum(items)
    : isHidden
      ? notice(OPEN_TELEGRAM, href)
      : items.map(renderMedia).join('')
  const text = wording(shown, frame)
  const isNested = isAlbum && !hasCustomEmoji
  const words = text === '' ? '' : textBlock(isNested ? textBlock(text) : text)
  const all = media + poll(post, href) + words
  if (!hasCustomEmoji) return all
  return orElse(isAlbum ? oneMedia(orElse(all, `${href}?single`)) : all, href)
}

const OPEN_TELEGRAM = 'Please open Telegram to view this post'

/** Adds what a browser shows instead if it cannot show the content; the page always has both. */
function orElse(html: string, href: string): string {
  return `<div class="media_supported_cont">${html}</div><div class="media_not_supported_cont">${notice(OPEN_TELEGRAM, href)}</div>`
}

/** An album of documents or music, each file with a caption of its own. */
function captionedFiles(
  items: readonly ShownMedia[],
  captions: readonly string[],
  frame: PostFrame,
): string {
  return items
    .map((item, i) =>
      oneMedia(renderFile(item) + textBlock(renderText(captions[i] ?? '', [], frame.highlight))),
    )
    .join('')
}

function oneMedia(html: string): string {
  return `<div class="tgme_widget_message_one_media js-message_media">${html}</div>`
}

function textBlock(html: string): string {
  return `<div class="tgme_widget_message_text js-message_text" dir="auto">${html}</div>`
}

function wording({ post, draft }: ShownPost, frame: PostFrame): string {
  const strong = draft.extras.strong
  if (!strong) return renderText(post.text, post.entities, frame.highlight)
  const [start, end] = strong
  return `${withEmoji(post.text.slice(0, start))}<span class="tgme_widget_service_strong_text">${withEmoji(post.text.slice(start, end))}</span>${withEmoji(post.text.slice(end))}`
}

function poll(post: Post, href: string): string {
  if (!post.poll) return ''
  const options = post.poll.options.map(
    ({ text, percent }) => `  <div class="tgme_widget_message_poll_option">
    <div class="tgme_widget_message_poll_option_percent">${percent}%</div>
    <div class="tgme_widget_message_poll_option_value">
      <div class="tgme_widget_message_poll_option_text">${withEmoji(text)}</div>
      <div class="tgme_widget_message_poll_option_bar accent_bg" style="width:${percent}%"></div>
    </div>
  </div>`,
  )
  return `<div class="tgme_widget_message_poll js-poll">
  <div class="tgme_widget_message_poll_question">${withEmoji(post.poll.question)}</div>
  <div class="tgme_widget_message_poll_type">${post.poll.type}</div>
  <a class="tgme_widget_message_poll_options" href="${href}">${options.join('')}</a>
</div>`
}
