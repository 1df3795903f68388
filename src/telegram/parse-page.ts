import type { ChannelProfile } from '../model/channel.ts'
import { nameKey } from '../model/channel-name.ts'
import { contentSha256 } from '../model/content-hash.ts'
import type { Post } from '../model/post.ts'
import { attribute, findAllClass, findClass, hasClass, isComplete, type Element } from './html.ts'
import { parseHtml } from './parse-html.ts'
import { postNumber } from './links.ts'
import { readLanding, type LandingState } from './parse-landing.ts'
import { readPost, type ReadPost } from './parse-post.ts'
import { readHeader } from './parse-profile.ts'
import { createWarnings, type ParseWarning, type ReadContext, type Warn } from './parse-warning.ts'

/**
 * A `/s/<name>` page, or the JSON string its script asks for, as values. Never throws, on any input; what could not be
 * read is in `warnings`. The other pages: `parseProfilePage` (parse-landing.ts), `parseEmbed` (parse-embed.ts),
 * `parsePostPage` (parse-post-page.ts).
 */

/** Grows when the same page would be read differently, so that archived posts tell how they were read. */
export const PARSER_VERSION = 2

export const MAX_POSTS = 60

type PageState =
  | { readonly kind: 'page' }
  /** A page like any other, but its posts are of a channel that now goes by another name. */
  | { readonly kind: 'renamed'; readonly username: string }
  /** "No posts found": no hits, the start of history, an empty channel, or a throttle that cannot be told from them. */
  | { readonly kind: 'no_posts' }
  /** "No posts found" on the newest page of a channel whose own header counts some. */
  | { readonly kind: 'throttled' }
  /** The page breaks off; posts that were whole are there. */
  | { readonly kind: 'truncated' }
  /** `/s/` led to the landing page, which says why. */
  | LandingState

export interface PageRequest {
  readonly username?: string
  readonly before?: number
  readonly after?: number
  readonly query?: string
}

interface PageOptions {
  /** When the page was fetched, epoch milliseconds. */
  readonly at: number
  readonly requested?: PageRequest
}

export interface ParsedPage {
  readonly state: PageState
  readonly profile: ChannelProfile | null
  /** Ascending by number. */
  readonly posts: readonly Post[]
  /** `?before=` of the older page; null where the page names none, which is no proof that none exists. */
  readonly before: number | null
  /** `?after=` of the newer page. */
  readonly after: number | null
  /** Further names under which this channel appears here, the one asked for included when it is another. */
  readonly aliases: readonly string[]
  /** Every number the page shows, album members and posts that could not be read included, ascending. */
  readonly numbers: readonly number[]
  /** When the platform made the page. */
  readonly renderedAt: number | null
  /** The page reached us to its last line. */
  readonly complete: boolean
  readonly warnings: readonly ParseWarning[]
}

const WRAP = 'tgme_widget_message_wrap'

export function parsePage(source: string, options: PageOptions): ParsedPage {
  const { at, requested = {} } = options
  const { list: warnings, warn } = createWarnings()
  const { html, isFragment, isWhole } = unpack(source)
  const { root, cut } = parseHtml(html, { boundary: WRAP })
  const complete = isWhole && cut === null
  if (cut) warn(cut === 'input' ? 'input_cut' : 'nodes_cut', 'the page is larger than is read')

  const header = readHeader(root, at)
  const read = readPosts(root, { at, warn, complete })
  const { own, platformId, usernames } = sortByChannel(read.posts, warn)
  const canonical = own.at(-1)?.username ?? header?.username ?? null
  const posts = own.flatMap(({ post }) => post ?? [])
  const names = [...usernames, header?.username, requested.username]
  const landing = header || posts.length > 0 || isFragment ? null : readLanding(root, at)
  const cursors = readCursors(root)
  return {
    state: landing
      ? landing.state
      : stateOf({
          ...read,
          requested,
          header,
          posts,
          canonical,
          complete: complete || (isFragment && cut === null),
        }),
    profile:
      header && canonical
        ? { ...header, username: canonical, platformId }
        : (landing?.profile ?? null),
    posts,
    ...cursors,
    aliases: aliasesOf(names, canonical),
    numbers: numbersOf(own),
    renderedAt: own.findLast(({ renderedAt }) => renderedAt !== null)?.renderedAt ?? null,
    complete,
    warnings,
  }
}

/** The script's form of the page is one JSON string with the HTML of the posts and of the "more" links. */
function unpack(source: string): { html: string; isFragment: boolean; isWhole: boolean } {
  if (/^\s*"/.test(source)) {
    try {
      const html: unknown = JSON.parse(source)
      if (typeof html === 'string') return { html, isFragment: true, isWhole: true }
    } catch {
      return { html: '', isFragment: false, isWhole: false }
    }
  }
  const isFragment = !/<(?:!doctype|html|head|body)\b/i.test(source.slice(0, 2_000))
  return { html: source, isFragment, isWhole: isComplete(source) }
}

interface PostsRead {
  readonly posts: readonly ReadPost[]
  readonly saysNone: boolean
}

function readPosts(
  root: Element,
  { at, warn, complete }: ReadContext & { readonly complete: boolean },
): PostsRead {
  const posts: ReadPost[] = []
  let saysNone = false
  const wraps = findAllClass(root, WRAP)
  const messages = wraps.flatMap((wrap) => {
    const message = findClass(wrap, 'tgme_widget_message')
    saysNone ||= !message && findClass(wrap, 'tme_no_messages_found') !== undefined
    return message ? [{ wrap, message }] : []
  })
  if (messages.length > MAX_POSTS) warn('posts_cut', `more than ${MAX_POSTS} posts`)
  // Older ones are shown again below these; nobody would ask for newer ones.
  for (const { wrap, message } of messages.slice(-MAX_POSTS)) {
    const post = readPost(message, { at, warn })
    if (!post) continue
    // The last post of a page that broke off may have lost half its text.
    const isCut = !message.closed && !complete && wrap === wraps.at(-1)
    if (isCut) warn('post_cut', 'its end is missing', post.number)
    posts.push(isCut ? { ...post, post: null } : post)
  }
  return { posts, saysNone }
}

/** One channel may have several names; another channel's posts have another id, and no business here. */
function sortByChannel(
  posts: readonly ReadPost[],
  warn: Warn,
): { own: ReadPost[]; platformId: number | null; usernames: string[] } {
  const platformId = majority(posts.map((post) => post.platformId).filter((id) => id !== null))
  const usernames: string[] = []
  const byNumber = new Map<number, ReadPost>()
  for (const read of posts) {
    const { number, username } = read
    const isForeign =
      platformId !== null && read.platformId !== null && read.platformId !== platformId
    if (isForeign) warn('foreign_post', `${username}/${number} of ${read.platformId}`, number)
    else if (byNumber.has(number)) {
      warn('post_repeated', `${username}/${number}`, number)
      byNumber.set(number, oneOf(byNumber.get(number)!, read))
    } else {
      byNumber.set(number, read)
      if (!usernames.includes(username)) usernames.push(username)
    }
  }
  const own = [...byNumber.values()].sort((a, b) => a.number - b.number)
  return { own, platformId, usernames }
}

/** Two posts that claim one number: unless they say the same, neither is known to be it, and one would pass for an edit. */
function oneOf(a: ReadPost, b: ReadPost): ReadPost {
  return a.post && b.post && contentSha256(a.post) === contentSha256(b.post)
    ? a
    : { ...a, post: null }
}

function majority(ids: readonly number[]): number | null {
  const counts = new Map<number, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  let best: number | null = null
  for (const [id, count] of counts) if (best === null || count > counts.get(best)!) best = id
  return best
}

function stateOf(page: {
  readonly requested: PageRequest
  readonly header: ChannelProfile | null
  readonly posts: readonly Post[]
  readonly canonical: string | null
  readonly complete: boolean
  readonly saysNone: boolean
}): PageState {
  const { requested, header, posts, canonical } = page
  if (!page.complete) return { kind: 'truncated' }
  if (posts.length > 0) {
    const asked = requested.username
    const isRenamed = asked && canonical && nameKey(asked) !== nameKey(canonical)
    return isRenamed ? { kind: 'renamed', username: canonical } : { kind: 'page' }
  }
  if (!page.saysNone) return { kind: 'layout_unknown' }
  const isNewest = requested.query === undefined && requested.before === undefined
  const counters = header?.counters
  const hasSome = counters && Object.values(counters).some((count) => count && count.value > 0)
  return { kind: isNewest && requested.after === undefined && hasSome ? 'throttled' : 'no_posts' }
}

function aliasesOf(names: readonly (string | undefined)[], canonical: string | null): string[] {
  const aliases = new Map<string, string>()
  for (const name of names) {
    if (!name || !canonical || nameKey(name) === nameKey(canonical)) continue
    if (!aliases.has(nameKey(name))) aliases.set(nameKey(name), name)
  }
  return [...aliases.values()]
}

function numbersOf(posts: readonly ReadPost[]): number[] {
  const numbers = new Set<number>()
  for (const { number, post } of posts) {
    numbers.add(number)
    for (const member of post?.albumNumbers ?? []) numbers.add(member)
  }
  return [...numbers].sort((a, b) => a - b)
}

/** From the "more" links of the body, or else the head's `rel=prev|next`; never `canonical`, which is this very page. */
function readCursors(root: Element): { before: number | null; after: number | null } {
  let before: number | undefined
  let after: number | undefined
  for (const more of findAllClass(root, 'tme_messages_more').slice(0, 4)) {
    before ??= postNumber(attribute(more, 'data-before'))
    after ??= postNumber(attribute(more, 'data-after'))
  }
  for (const link of headLinks(root)) {
    const href = attribute(link, 'href') ?? ''
    const rel = attribute(link, 'rel')
    if (rel === 'prev') before ??= postNumber(/[?&]before=(\d{1,10})\b/.exec(href)?.[1])
    if (rel === 'next') after ??= postNumber(/[?&]after=(\d{1,10})\b/.exec(href)?.[1])
  }
  return { before: before ?? null, after: after ?? null }
}

function headLinks(root: Element, into: Element[] = []): Element[] {
  for (const child of root.children) {
    if (typeof child === 'string' || hasClass(child, 'tgme_main')) continue
    if (child.tag === 'link') into.push(child)
    else if (child.tag === 'html' || child.tag === 'head') headLinks(child, into)
  }
  return into
}
