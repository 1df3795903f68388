import type { Reply } from '../operation.ts'

/** A post of any detail, as the line-by-line forms see it: what is there is shown. */
export interface Item {
  readonly id: string
  readonly slug: string
  readonly url: string
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
  readonly reactions?: unknown
  readonly media?: unknown
  readonly links?: readonly string[]
  readonly hashtags?: readonly string[]
  readonly mentions?: readonly string[]
  readonly forwarded_from?: {
    readonly name: string
    readonly username: string | null
    readonly post_url: string | null
  } | null
  readonly reply_to?: { readonly url: string } | null
  readonly score?: number
  readonly matched?: string
  readonly missing?: readonly string[]
  readonly deleted_at?: string
}

/** The posts of a reply: of a list, or of a live read. An explanation has none. */
export function itemsOf(reply: Reply): readonly Item[] {
  const data = reply.data as unknown
  if (Array.isArray(data)) return data as Item[]
  const posts = (data as { posts?: unknown }).posts
  return Array.isArray(posts) ? (posts as Item[]) : []
}

export function textOf(item: Item): string {
  return item.text ?? item.snippet ?? ''
}

/** Posts have no titles: the first line, cut between words, stands for one. */
export function titleOf(item: Item, max = 100): string {
  const line = textOf(item).trimStart().split('\n', 1)[0]!.trim()
  if (line === '') return item.channel ? `${item.channel.title}, post ${item.slug}` : item.id
  if (line.length <= max) return line
  const cut = line.slice(0, max)
  const space = cut.lastIndexOf(' ')
  return `${(space > max / 2 ? cut.slice(0, space) : cut).toWellFormed()}…`
}

export function reactionTotal(item: Item): number | null {
  const reactions = item.reactions
  if (Array.isArray(reactions)) {
    return (reactions as { count: { value: number } }[]).reduce((sum, r) => sum + r.count.value, 0)
  }
  return (reactions as { total?: number } | undefined)?.total ?? null
}

export function mediaKinds(item: Item): readonly string[] {
  const media = item.media
  if (Array.isArray(media)) return [...new Set((media as { kind: string }[]).map((m) => m.kind))]
  return (media as { kinds?: readonly string[] } | undefined)?.kinds ?? []
}

/** What the reply as a whole is called in a feed. */
export function feedTitle(operationName: string, reply: Reply, selfUrl: string): string {
  const first = itemsOf(reply)[0]
  if (operationName !== 'search_posts' && first?.channel) return first.channel.title
  const q = new URL(selfUrl).searchParams.get('q')
  return q === null ? 'Telegrep' : `Telegrep: ${q}`
}
