import type { Post } from '../model/post.ts'
import { attribute, findClass, hasClass, isComplete } from './html.ts'
import { parseHtml } from './parse-html.ts'
import { readPost } from './parse-post.ts'
import { readLine } from './parse-text.ts'
import { createWarnings, type ParseWarning } from './parse-warning.ts'

/** The widget at `/<name>/<number>?embed=1`: one post, or the platform's words on why there is none. */

type Embed =
  | {
      readonly kind: 'post'
      readonly post: Post
      readonly username: string
      readonly platformId: number | null
      readonly renderedAt: number | null
      /** A group's message: it has no view counter and its author is a member. */
      readonly inGroup: boolean
      readonly warnings: readonly ParseWarning[]
    }
  | { readonly kind: 'post_not_found' }
  | { readonly kind: 'channel_not_found' }
  /** Withheld by the platform; `words` are its own. */
  | { readonly kind: 'restricted'; readonly words: string }
  /** Not a widget, or one that cannot be read: proves nothing about the post. */
  | { readonly kind: 'layout_unknown'; readonly warnings: readonly ParseWarning[] }

export function parseEmbed(html: string, { at }: { readonly at: number }): Embed {
  const { list: warnings, warn } = createWarnings()
  const { root } = parseHtml(html, { boundary: 'tgme_widget_message_wrap' })
  const error = findClass(root, 'tgme_widget_message_error')
  if (error) return readError(readLine(error), warnings)
  const message = findClass(root, 'tgme_widget_message')
  if (!message || hasClass(message, 'err_message')) return { kind: 'layout_unknown', warnings }
  if (!message.closed && !isComplete(html)) {
    warn('post_cut', 'its end is missing')
    return { kind: 'layout_unknown', warnings }
  }
  const read = readPost(message, { at, warn })
  if (!read?.post) return { kind: 'layout_unknown', warnings }
  const { post, username, platformId, renderedAt } = read
  const inGroup = attribute(message, 'data-view') === undefined
  return { kind: 'post', post, username, platformId, renderedAt, inGroup, warnings }
}

function readError(words: string, warnings: readonly ParseWarning[]): Embed {
  if (/^post not found/i.test(words)) return { kind: 'post_not_found' }
  if (/^(?:channel|group|chat|user) with username .* not found/i.test(words)) {
    return { kind: 'channel_not_found' }
  }
  if (words === '') return { kind: 'layout_unknown', warnings }
  return { kind: 'restricted', words }
}
