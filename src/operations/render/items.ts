import { cutText } from '../../model/cut-text.ts'
import type { INCOMPLETE_WORDS } from '../views/incomplete.ts'

/** A post of any detail, as the line-based formats see it: they show whatever is there. */
export interface Item {
  readonly id: string
  readonly slug: string
  readonly url: string
  /** Distinguishes the entries of a feed when several are of one post. */
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
  /** In full a list; in brief the sum and the most used reaction. */
  readonly reactions?:
    readonly { readonly count: { readonly value: number } }[] | { readonly total: number }
  /** In full a list; in brief the kinds. */
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

/** The parts of a feed. */
export interface FeedParts {
  readonly title: string
  /** The page for people that shows the same. */
  readonly homeUrl: string
  readonly selfUrl: string
  /** The next page's address; null at the end. */
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

/** True for the answer to `explain`, which holds no posts. */
export function isExplanation(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'parsed' in data
}

/** The readable text of a post: if it has none, its poll, the names of its files or the title of the page it links to. */
export function textOf(item: Item): string {
  const own = item.text || item.snippet
  if (own) return own
  if (item.poll)
    return [item.poll.question, ...item.poll.options.map(({ text }) => text)].join('\n')
  const names = mediaOf(item).flatMap((media) => media.title ?? media.file_name ?? [])
  return names.length > 0 ? names.join('\n') : (item.link_preview?.title ?? '')
}

/** The attachments of a post in full. */
export function mediaOf({ media }: Item): readonly ItemMedia[] {
  return media === undefined || 'kinds' in media ? [] : media
}

/** Posts have no titles; the first line, cut between words, serves as one. */
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

/** Parameters that only the API has. Cursors are among them because they are bound to the other parameters. */
const NOT_OF_PAGES = ['format', 'cursor', 'detail', 'explain', 'facets', 'max_chars']

/** The page for people that shows what the API returns at an address. */
export function pageUrl(selfUrl: string): string {
  const url = new URL(selfUrl)
  url.pathname = url.pathname.replace(/^\/v1(?:\/search$)?/, '').replace(/\/posts$/, '')
  for (const name of NOT_OF_PAGES) url.searchParams.delete(name)
  return url.href
}

/** Parameters that say nothing about what a feed is of, and so are not in its title. */
const UNNAMED = new Set([...NOT_OF_PAGES, 'sort', 'order', 'limit', 'collapse', 'max_age'])

/** The title of a feed: whose posts it holds, and which of them. */
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
