import { cutText } from '../../model/cut-text.ts'
import type { INCOMPLETE_WORDS } from '../views/incomplete.ts'

/** A post of any detail, as the line-by-line forms see it: what is there is shown. */
export interface Item {
  readonly id: string
  readonly slug: string
  readonly url: string
  /** What tells entries of a feed apart, where several are of one post. */
  readonly guid?: string
  readonly channel?: {
    readonly username: string
    readonly title: string
    readonly language: string | null
  }
  readonly published_at?: string
  readonly first_captured_at?: string
  readonly edited?: boolean
  readonly language?: string | null
  readonly text?: string
  readonly markdown?: string
  readonly html?: string
  readonly snippet?: string
  readonly views?: { readonly value: number; readonly raw: string } | null
  /** A list in full, the sum and the one used most in brief. */
  readonly reactions?:
    readonly { readonly count: { readonly value: number } }[] | { readonly total: number }
  /** A list in full, kinds and their number in brief. */
  readonly media?:
    | readonly ItemMedia[]
    | { readonly kinds: readonly string[]; readonly thumbnail?: ItemPicture | undefined }
  readonly poll?: {
    readonly question: string
    readonly options: readonly { readonly text: string; readonly percent: number | null }[]
    readonly voters: { readonly raw: string } | null
  } | null
  readonly link_preview?: {
    readonly url: string
    readonly title: string | null
    readonly description: string | null
    readonly picture?: ItemPicture | undefined
  } | null
  readonly links?: readonly string[]
  readonly hashtags?: readonly string[]
  readonly mentions?: readonly string[]
  readonly forwarded_from?: {
    readonly name: string
    readonly username: string | null
    readonly post_url: string | null
  } | null
  readonly reply_to?: { readonly url: string; readonly text: string | null } | null
  readonly author?: string | null
  readonly buttons?: readonly (readonly { readonly text: string; readonly url: string | null }[])[]
  readonly versions?: readonly {
    readonly captured_at: string
    readonly text: string | null
    readonly named?: readonly { readonly before: string | null; readonly after: string | null }[]
  }[]
  readonly score?: number
  readonly matched?: string
  readonly missing?: readonly string[] | undefined
  readonly deleted_at?: string | undefined
  readonly incomplete?: keyof typeof INCOMPLETE_WORDS | undefined
  readonly cluster?:
    { readonly size: number; readonly channels: number; readonly first: string | null } | undefined
}

/** What a feed is made of. */
export interface FeedParts {
  readonly title: string
  /** Of the page for people. */
  readonly homeUrl: string
  readonly selfUrl: string
  /** The next page's address, null at the end. */
  readonly next: string | null
  readonly items: readonly Item[]
}

export interface ItemMedia {
  readonly kind: string
  readonly title: string | null
  readonly file_name: string | null
  readonly duration_s?: number | null
  readonly picture?: ItemPicture | undefined
}

interface ItemPicture {
  readonly url: string
}

/** The answer to `explain`, which holds no posts. */
export function isExplanation(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'parsed' in data
}

/** What can be read of a post: where it has no text, its poll, the names of its files or the page it links to. */
export function textOf(item: Item): string {
  const own = item.text || item.snippet
  if (own) return own
  if (item.poll)
    return [item.poll.question, ...item.poll.options.map(({ text }) => text)].join('\n')
  const names = mediaOf(item).flatMap((media) => media.title ?? media.file_name ?? [])
  return names.length > 0 ? names.join('\n') : (item.link_preview?.title ?? '')
}

/** What is attached, where the post is in full. */
export function mediaOf({ media }: Item): readonly ItemMedia[] {
  return media === undefined || 'kinds' in media ? [] : media
}

/** Posts have no titles: the first line, cut between words, stands for one. */
export function titleOf(item: Item, max = 100): string {
  const line = textOf(item).trimStart().split('\n', 1)[0]!.trim()
  if (line === '') return item.channel ? `${item.channel.title}, post ${item.slug}` : item.id
  return cutText(line, max)
}

export function reactionTotal({ reactions }: Item): number | null {
  if (reactions === undefined) return null
  if ('total' in reactions) return reactions.total
  return reactions.reduce((sum, { count }) => sum + count.value, 0)
}

export function mediaKinds(item: Item): readonly string[] {
  const { media } = item
  if (media && 'kinds' in media) return media.kinds
  const kinds = new Set(mediaOf(item).map(({ kind }) => kind))
  return item.poll ? [...kinds, 'poll'] : [...kinds]
}

/** What an address asks of the API alone; a cursor is bound to it. */
const NOT_OF_PAGES = ['format', 'cursor', 'detail', 'explain', 'facets', 'max_chars']

/** The page for people that shows what the API has at an address. */
export function pageUrl(selfUrl: string): string {
  const url = new URL(selfUrl)
  url.pathname = url.pathname.replace(/^\/v1(?:\/search$)?/, '').replace(/\/posts$/, '')
  for (const name of NOT_OF_PAGES) url.searchParams.delete(name)
  return url.href
}

/** What tells no two feeds apart. */
const UNNAMED = new Set([...NOT_OF_PAGES, 'sort', 'limit', 'collapse'])

/** What the reply as a whole is called in a feed: whose posts, and which of them. */
export function feedTitle([first]: readonly Item[], selfUrl: string): string {
  const { pathname, searchParams } = new URL(selfUrl)
  const username = /^\/v1\/channels\/([^/]+)/.exec(pathname)?.[1]
  const whole =
    pathname === '/v1/changes'
      ? 'Telegrep: changes'
      : username === undefined
        ? 'Telegrep'
        : first?.channel?.title || `@${username}`
  const words = [...searchParams]
    .filter(([name]) => !UNNAMED.has(name))
    .map(([name, value]) => (name === 'q' ? value : `${name}:${value}`))
  return words.length === 0 ? whole : `${whole}: ${words.join(' ')}`
}
