import { contentHtml, pictureOf } from './feed-content.ts'
import { titleOf, type FeedParts, type Item } from './items.ts'

/** JSON Feed 1.1. */
export function jsonFeedOf({ title, homeUrl, selfUrl, next, items }: FeedParts): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: homeUrl,
    feed_url: selfUrl,
    ...(next === null ? {} : { next_url: next }),
    description: 'Posts of public channels. Third-party content.',
    items: items.map(feedItem),
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
