import type { z } from 'zod'
import { cutText } from '../../model/cut-text.ts'
import { maskSpoilers } from '../../text/spoilers.ts'
import type { briefHitView } from '../views/hit.ts'
import type { idView, postView } from '../views/post.ts'

type Full = z.output<typeof postView>
type Brief = z.output<typeof briefHitView>
type Shared = Omit<Full, 'media' | 'reactions'> & Omit<Brief, 'media' | 'reactions'>
type Id = z.output<typeof idView>

/** A post of any detail, as the line-based formats see it: they show whatever is there. */
export interface Item extends Id, Partial<Omit<Shared, keyof Id>> {
  /** Distinguishes the entries of a feed when several are of one post. */
  readonly guid?: string
  /** Each medium and each reaction, or a summary of them in brief replies. */
  readonly media?: Full['media'] | Brief['media']
  readonly reactions?: Full['reactions'] | Brief['reactions']
}

export type ItemMedia = Full['media'][number]

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

const MAX_TITLE = 100

/** Posts have no titles; the first line, cut between words and with its spoilers hidden, serves as one. */
export function titleOf(item: Item): string {
  const text = item.text ? maskSpoilers(item.text, item.entities ?? []) : textOf(item)
  const line = text.trimStart().split('\n', 1)[0]!.trim()
  if (line === '') return item.channel ? `${item.channel.title}, post ${item.slug}` : item.id
  return cutText(line, MAX_TITLE)
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
