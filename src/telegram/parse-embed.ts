import type { Post } from '../model/post.ts'
import { findClass, hasClass } from './html.ts'
import { parseHtml } from './parse-html.ts'
import { readPost } from './parse-post.ts'
import { readLine } from './parse-text.ts'
import { createWarnings } from './parse-warning.ts'

/** The widget at `/<name>/<number>?embed=1`: one post, or the platform's words on why there is none. */

type Embed =
  | {
      readonly kind: 'post'
      readonly post: Post
      readonly username: string
      readonly platformId: number | null
    }
  | { readonly kind: 'post_not_found' }
  | { readonly kind: 'channel_not_found' }
  /** Withheld by the platform; `words` are its own. */
  | { readonly kind: 'restricted'; readonly words: string }
  /** Not a widget, or one that cannot be read, which proves nothing about the post. */
  | { readonly kind: 'layout_unknown' }

export function parseEmbed(html: string, { at }: { readonly at: number }): Embed {
  const { root } = parseHtml(html, { boundary: 'tgme_widget_message_wrap' })
  const error = findClass(root, 'tgme_widget_message_error')
  if (error) return readError(readLine(error))
  const message = findClass(root, 'tgme_widget_message')
  if (!message || hasClass(message, 'err_message')) return { kind: 'layout_unknown' }
  const read = readPost(message, { at, warn: createWarnings().warn })
  if (!read?.post) return { kind: 'layout_unknown' }
  const { post, username, platformId } = read
  return { kind: 'post', post, username, platformId }
}

function readError(words: string): Embed {
  if (/^post not found/i.test(words)) return { kind: 'post_not_found' }
  if (/^(?:channel|group|chat|user) with username .* not found/i.test(words)) {
    return { kind: 'channel_not_found' }
  }
  if (words === '') return { kind: 'layout_unknown' }
  return { kind: 'restricted', words }
}
