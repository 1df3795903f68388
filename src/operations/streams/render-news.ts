import type { News } from '../../follow/news.ts'
import { getOrMake } from '../../model/get-or-make.ts'
import { refKey, type PostRef } from '../../model/post.ts'
import type { Cluster, QueryNode, SearchQuery } from '../../model/query.ts'
import type { SearchIndex } from '../../search/search-index.ts'
import type { Store } from '../../store/store.ts'
import { createMatcher, type Matcher } from '../../text/highlight.ts'
import type { ChannelCards } from '../channel-cards.ts'
import type { Pictures } from '../pictures.ts'
import type { Detail } from '../search-input.ts'
import { createSnippets } from '../snippets.ts'
import { createTextBudget, fitTexts } from '../text-budget.ts'
import { viewHit, type HitView } from '../views/hit.ts'
import { viewBriefPost, viewFullPost, viewId } from '../views/post.ts'
import { viewTime } from '../views/common.ts'

/** How a follower wants posts to be shown. */
export interface RenderOptions {
  /** What it searches for, and as it was typed. */
  readonly search: { readonly query: SearchQuery; readonly root: QueryNode | null }
  readonly detail: Detail
  readonly maxChars: number | undefined
  /** Posts are rendered alike for followers whose options have the same key. */
  readonly renderKey: string
}

/** What an event tells: a hit as in a search, the id of a deleted post, or that an event is lost. */
export type RenderedNews =
  | { readonly kind: 'post' | 'copy'; readonly data: HitView }
  | { readonly kind: 'edit'; readonly data: HitView & { readonly matches: boolean } }
  | { readonly kind: 'deleted' | 'lag'; readonly data: object }

/** What views of posts are made from. */
export interface Sources {
  readonly store: Store
  readonly index: SearchIndex
  readonly cards: ChannelCards
  readonly pictures: Pictures
}

/** Loads the posts of these news once for all readers; the returned function makes each reader's view. */
export async function renderNews(
  { store, index, cards, pictures }: Sources,
  all: readonly { readonly news: News; readonly options: RenderOptions }[],
): Promise<(news: News, options: RenderOptions) => RenderedNews | undefined> {
  const refs = new Map(all.map(({ news }) => [refKey(news), news] as const))
  const shown = [...refs.values()]
  const posts = await store.archive.posts(shown)
  const byKey = new Map(shown.map((ref, i) => [refKey(ref), posts[i]]))
  const clusters = await clustersOf(index, all)
  const ids = [...shown, ...[...clusters.values()].map(({ first }) => first)]
  const cardOf = await cards.byId(ids.map(({ channelId }) => channelId))
  const pictureOf = await pictures.of(posts)

  /** Reading what a search asks for takes longer than finding it in a post. */
  const matchers = new Map<string, Matcher>()

  function viewOf(
    news: News,
    { search, detail, maxChars, renderKey }: RenderOptions,
  ): HitView | undefined {
    const post = byKey.get(refKey(news))
    const card = cardOf.get(news.channelId)
    // Deleted or removed since; there is nothing left to show.
    if (!card || !post || post.deletedAt !== null) return undefined
    const { channelId, number } = news
    const cluster = search.query.collapse ? (clusters.get(refKey(news)) ?? null) : null
    const hit = { channelId, number, score: 0, matched: 'all', missing: [], cluster } as const
    const found = viewHit(hit, cardOf)
    if (detail === 'ids') return { ...viewId(card.username, number), ...found }
    const budget = createTextBudget(maxChars)
    const matcher = () =>
      getOrMake(matchers, renderKey, () => createMatcher(search.root, search.query.match))
    const view =
      detail === 'full'
        ? viewFullPost(post, card, pictureOf)
        : viewBriefPost(post, card, createSnippets(matcher(), budget), pictureOf)
    return fitTexts([{ ...view, ...found }], budget)[0]
  }

  function deletion({ channelId, number, at }: News): RenderedNews | undefined {
    const card = cardOf.get(channelId)
    if (!card) return undefined
    return { kind: 'deleted', data: { ...viewId(card.username, number), deleted_at: viewTime(at) } }
  }

  return (news, options) => {
    if (news.kind === 'lost') return { kind: 'lag', data: LOST }
    if (news.kind === 'deleted') return deletion(news)
    const data = viewOf(news, options)
    // The post left the search by an edit and was then deleted. Say now that it is gone, because no later event will.
    if (!data) return news.kind === 'edit' && !news.matches ? deletion(news) : undefined
    if (news.kind !== 'edit') return { kind: news.kind, data }
    return { kind: 'edit', data: { ...data, matches: news.matches } }
  }
}

const LOST = {
  reason: 'unreadable',
  detail:
    'at least one event cannot be read and is left out; search with `arrived_since` for what is missing',
}

async function clustersOf(
  index: SearchIndex,
  all: readonly { readonly news: News; readonly options: RenderOptions }[],
): Promise<Map<number, Cluster>> {
  const wanted = new Map<number, PostRef>()
  for (const { news, options } of all) {
    if (options.search.query.collapse && news.group !== null) wanted.set(refKey(news), news)
  }
  const found = new Map<number, Cluster>()
  for (const [key, ref] of wanted) {
    const { channelId, number } = ref
    // The number of copies is nice to have; failing to get it must not end a stream.
    const group = await index.duplicates({ channelId, number }, 1).catch(() => undefined)
    if (group) found.set(key, group.cluster)
  }
  return found
}
