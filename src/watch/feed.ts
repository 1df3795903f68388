import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../operations/context.ts'
import { jsonFeedOf } from '../operations/render/jsonfeed.ts'
import { rssOf } from '../operations/render/rss.ts'
import { NO_PICTURES } from '../operations/views/picture.ts'
import { viewFullPost } from '../operations/views/post.ts'
import { feedUrl } from './secrets.ts'

const LENGTH = 50

/** What a watch told last, newest first, for callers that know the token; undefined for all others. */
export async function watchFeed(
  { store, cards, settings }: Context,
  {
    name,
    token,
    format,
  }: { readonly name: string; readonly token: string; readonly format: 'rss' | 'json' },
): Promise<string | undefined> {
  const watch = await store.watches.get(name)
  const expected = watch?.sinks.feed?.token
  if (!watch || expected === undefined || !isSame(token, expected)) return undefined
  const told = await store.deliveries.lastTold(watch.id, LENGTH)
  const [posts, known] = await Promise.all([
    store.archive.posts(told),
    cards.byId(told.map(({ channelId }) => channelId)),
  ])
  const items = posts.flatMap((post) => {
    const card = post && known.get(post.channelId)
    return card && post.deletedAt === null ? [viewFullPost(post, card, NO_PICTURES)] : []
  })
  const selfUrl = feedUrl(settings.publicUrl, name, token, format)
  const feed = {
    title: `Telegrep: ${name}`,
    homeUrl: settings.publicUrl,
    selfUrl,
    next: null,
    items,
  }
  return format === 'rss' ? rssOf(feed) : jsonFeedOf(feed)
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
