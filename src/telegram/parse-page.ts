import type { ChannelProfile } from '../model/channel.ts'
import { nameKey } from '../model/channel-name.ts'
import { contentSha256 } from '../model/content-hash.ts'
import type { Post } from '../model/post.ts'
import { attribute, findAllClass, findClass, hasClass, type Element } from './html.ts'
import { parseHtml } from './parse-html.ts'
import { postNumber } from './links.ts'
import { readLanding, type LandingState } from './parse-landing.ts'
import { readPost, type ReadPost } from './parse-post.ts'
import { readHeader } from './parse-profile.ts'
import { createWarnings, type ParseWarning, type ReadContext, type Warn } from './parse-warning.ts'

/**
 * Parses a `/s/<name>` page. Never throws, on any input; what could not be read is in `warnings`. The other pages:
 * `parseProfilePage` (parse-landing.ts), `parseEmbed` (parse-embed.ts), `parsePostPage` (parse-post-page.ts). Whether a page is
 * complete is checked before it is parsed (`classify.ts`).
 */

/** Raised when the same page would be read differently; archived posts keep the version by which they were read. */
export const PARSER_VERSION = 2

export const MAX_POSTS = 60

type PageState =
  | 'page'
  /** "No posts found": the start of history, an empty channel, or throttling, which looks the same. */
  | 'no_posts'
  /** The page is larger than the parser's bounds. */
  | 'truncated'
  /** `/s/` led to the landing page, which says why. */
  | LandingState

export interface ParsedPage {
  readonly state: PageState
  readonly profile: ChannelProfile | null
  /** Ascending by number. */
  readonly posts: readonly Post[]
  /** `?before=` of the older page; null if the page names none, which does not prove that none exists. */
  readonly before: number | null
  /** Every number that the page shows, ascending, including album members and posts that could not be read. */
  readonly numbers: readonly number[]
  readonly warnings: readonly ParseWarning[]
}

const WRAP = 'tgme_widget_message_wrap'

/** `at` is when the page was fetched. */
export function parsePage(html: string, { at }: { readonly at: number }): ParsedPage {
  const { list: warnings, warn } = createWarnings()
  const { root, cut } = parseHtml(html, { boundary: WRAP })
  if (cut) warn(cut === 'input' ? 'input_cut' : 'nodes_cut', 'the page is larger than is read')
  const header = readHeader(root, at)
  const read = readPosts(root, { at, warn })
  const { own, platformId } = sortByChannel(read.posts, warn)
  const posts = own.flatMap(({ post }) => post ?? [])
  const landing = header || posts.length > 0 ? null : readLanding(root, at)
  const username = own.at(-1)?.username ?? header?.username
  return {
    state: cut ? 'truncated' : (landing?.state ?? stateOf(posts, read.saysNone)),
    profile: header && username ? { ...header, username, platformId } : (landing?.profile ?? null),
    posts,
    before: readCursor(root),
    numbers: numbersOf(own),
    warnings,
  }
}

function stateOf(posts: readonly Post[], saysNone: boolean): PageState {
  if (posts.length > 0) return 'page'
  return saysNone ? 'no_posts' : 'layout_unknown'
}

interface PostsRead {
  readonly posts: readonly ReadPost[]
  readonly saysNone: boolean
}

function readPosts(root: Element, context: ReadContext): PostsRead {
  let saysNone = false
  const messages = findAllClass(root, WRAP).flatMap((wrap) => {
    const message = findClass(wrap, 'tgme_widget_message')
    saysNone ||= !message && findClass(wrap, 'tme_no_messages_found') !== undefined
    return message ?? []
  })
  if (messages.length > MAX_POSTS) context.warn('posts_cut', `more than ${MAX_POSTS} posts`)
  // The newest are kept: older posts are on the next page anyway, while newer ones would never be asked for again.
  const posts = messages.slice(-MAX_POSTS).flatMap((message) => readPost(message, context) ?? [])
  return { posts, saysNone }
}

/**
 * A channel may have several names, but only one id: posts with another id belong to another channel and are dropped. So are
 * posts without an id under another name than most of those with it.
 */
function sortByChannel(
  posts: readonly ReadPost[],
  warn: Warn,
): { own: ReadPost[]; platformId: number | null } {
  const platformId = majority(posts.map((post) => post.platformId).filter((id) => id !== null))
  const identified = posts.filter((post) => post.platformId === platformId)
  const slug = majority(identified.map((post) => nameKey(post.username)))
  const byNumber = new Map<number, ReadPost>()
  for (const read of posts) {
    const { number, username } = read
    const isForeign =
      read.platformId === null ? nameKey(username) !== slug : read.platformId !== platformId
    if (isForeign) warn('foreign_post', `${username}/${number} of ${read.platformId}`, number)
    else if (byNumber.has(number)) {
      warn('post_repeated', `${username}/${number}`, number)
      byNumber.set(number, oneOf(byNumber.get(number)!, read))
    } else byNumber.set(number, read)
  }
  const own = [...byNumber.values()].sort((a, b) => a.number - b.number)
  return { own, platformId }
}

/**
 * Resolves two posts with one number. Unless their content is the same, neither is kept: nobody knows which is right, and
 * the wrong one would pass for an edit.
 */
function oneOf(a: ReadPost, b: ReadPost): ReadPost {
  return a.post && b.post && contentSha256(a.post) === contentSha256(b.post)
    ? a
    : { ...a, post: null }
}

function majority<T>(all: readonly T[]): T | null {
  const groups = [...Map.groupBy(all, (each) => each).values()]
  return groups.toSorted((a, b) => b.length - a.length)[0]?.[0] ?? null
}

function numbersOf(posts: readonly ReadPost[]): number[] {
  const numbers = new Set<number>()
  for (const { number, post } of posts) {
    numbers.add(number)
    for (const member of post?.albumNumbers ?? []) numbers.add(member)
  }
  return [...numbers].sort((a, b) => a - b)
}

/** From the "more" links of the body, else from the head's `rel=prev`; never from `canonical`, which is this page itself. */
function readCursor(root: Element): number | null {
  let before: number | undefined
  for (const more of findAllClass(root, 'tme_messages_more').slice(0, 4)) {
    before ??= postNumber(attribute(more, 'data-before'))
  }
  for (const link of headLinks(root)) {
    if (attribute(link, 'rel') !== 'prev') continue
    before ??= postNumber(/[?&]before=(\d{1,10})\b/.exec(attribute(link, 'href') ?? '')?.[1])
  }
  return before ?? null
}

function headLinks(root: Element, into: Element[] = []): Element[] {
  for (const child of root.children) {
    if (typeof child === 'string' || hasClass(child, 'tgme_main')) continue
    if (child.tag === 'link') into.push(child)
    else if (child.tag === 'html' || child.tag === 'head') headLinks(child, into)
  }
  return into
}
