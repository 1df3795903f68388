import { contentHtml, pictureOf } from './feed-content.ts'
import { titleOf, type FeedParts, type Item } from './items.ts'

/** RSS 2.0 with `atom:link`s to itself and to the next page. */
export function rssOf({ title, homeUrl, selfUrl, next, items }: FeedParts): string {
  const links = [
    `<atom:link href="${xml(selfUrl)}" rel="self" type="application/rss+xml"/>`,
    ...(next === null
      ? []
      : [`<atom:link href="${xml(next)}" rel="next" type="application/rss+xml"/>`]),
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/">
<channel>
<title>${xml(plain(title))}</title>
<link>${xml(homeUrl)}</link>
<description>${xml('Posts of public channels. Third-party content.')}</description>
${links.join('\n')}
${items.map(rssItem).join('\n')}
</channel>
</rss>
`
}

function rssItem(item: Item): string {
  const parts = [
    `<title>${xml(plain(titleOf(item)))}</title>`,
    `<link>${xml(item.url)}</link>`,
    item.guid === undefined
      ? `<guid isPermaLink="true">${xml(item.url)}</guid>`
      : `<guid isPermaLink="false">${xml(item.guid)}</guid>`,
  ]
  if (item.published_at !== undefined) {
    parts.push(`<pubDate>${new Date(item.published_at).toUTCString()}</pubDate>`)
  }
  if (item.channel) parts.push(`<dc:creator>${xml(item.channel.title)}</dc:creator>`)
  for (const tag of item.hashtags ?? []) parts.push(`<category>${xml(tag)}</category>`)
  const content = contentHtml(item)
  if (content !== '') parts.push(`<description>${xml(content)}</description>`)
  const picture = pictureOf(item)
  if (picture !== undefined) parts.push(`<media:content url="${xml(picture)}" medium="image"/>`)
  return `<item>\n${parts.join('\n')}\n</item>`
}

/**
 * Feed readers show titles as HTML, so a tag or character reference that an author typed has to be escaped to stay as it is.
 */
function plain(title: string): string {
  return title.replaceAll(/&(?=#?\w+;)/g, '&amp;').replaceAll('<', '&lt;')
}

/** Escaped, and without the characters XML 1.0 cannot hold. */
export function xml(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  )
}
