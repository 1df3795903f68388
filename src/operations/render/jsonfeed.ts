import { contentHtml, pictureOf } from './feed-content.ts'
import { feedTitle, pageUrl, titleOf } from './items.ts'
import type { Item } from './items.ts'
import type { Rendering } from './rendering.ts'

/** JSON Feed 1.1. */
export function renderJsonFeed({ operation, reply, selfUrl, next }: Rendering): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feedTitle(operation.items(reply.data), selfUrl),
    home_page_url: pageUrl(selfUrl),
    feed_url: selfUrl,
    ...(next === null ? {} : { next_url: next }),
    description: 'Posts of public channels. Third-party content.',
    items: operation.items(reply.data).map(feedItem),
  })
}

function feedItem(item: Item) {
  const picture = pictureOf(item)
  return {
    id: item.guid ?? item.url,
    url: item.url,
    title: titleOf(item),
    content_html: contentHtml(item),
    ...(picture === undefined ? {} : { image: picture }),
    ...(item.published_at === undefined ? {} : { date_published: item.published_at }),
    ...(item.channel
      ? {
          authors: [{ name: item.channel.title, url: `https://t.me/${item.channel.username}` }],
        }
      : {}),
    ...(item.language ? { language: item.language } : {}),
    ...(item.hashtags && item.hashtags.length > 0 ? { tags: item.hashtags } : {}),
  }
}
