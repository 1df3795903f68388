import { html, raw, type Markup } from './markup.ts'

const FEED_ICON = raw(
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 11a8 8 0 0 1 8 8M5 5a14 14 0 0 1 14 14"/><circle cx="6" cy="18" r="1"/></svg>',
)

interface Feeds {
  readonly rss: string
  readonly jsonFeed: string
}

/** For feed readers that are given the page's own address. */
export function feedLinks({ rss, jsonFeed }: Feeds, title: string) {
  return [
    { href: rss, type: 'application/rss+xml', title: `${title}: RSS` },
    { href: jsonFeed, type: 'application/feed+json', title: `${title}: JSON Feed` },
  ]
}

/** Buttons for the feeds of what the page shows. */
export function followButtons(feeds: Feeds, label = 'Follow by RSS'): Markup {
  return html`<a class="button quiet" href="${feeds.rss}" type="application/rss+xml"
      >${FEED_ICON}${label}</a
    >
    <a class="button quiet" href="${feeds.jsonFeed}" type="application/feed+json">JSON Feed</a>`
}
