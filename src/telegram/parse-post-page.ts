import { attribute, findTag } from './html.ts'
import { parseHtml } from './parse-html.ts'
import { parsePlatformLink, postNumber } from './links.ts'
import { domainOf, readMetas, wordsOf } from './parse-profile.ts'

/** The page at `/<name>/<number>`. It holds no message, but its head has the words even of posts that no widget shows. */
interface PostPage {
  readonly username: string | null
  readonly number: number | null
  /** The post's text, or the channel's description if the post has none: compare before use. */
  readonly text: string
}

/** The sentence that the platform writes when there is nothing to describe. */
const STOCK = /^You can (?:view and join|contact) @\w+ right away\.$/

export function parsePostPage(html: string): PostPage {
  const { root } = parseHtml(html, { boundary: 'tgme_page' })
  const metas = readMetas(root)
  const frame = findTag(root, 'iframe')
  const link = parsePlatformLink((frame && attribute(frame, 'src')) ?? '')
  const post = /[?&]post=(\d{1,10})\b/.exec(metas.get('al:ios:url') ?? '')?.[1]
  const words = wordsOf(metas)
  return {
    username: domainOf(metas) ?? link?.username ?? null,
    number: link?.number ?? postNumber(post) ?? null,
    text: STOCK.test(words) ? '' : words,
  }
}
