import { clipText } from '../model/cut-text.ts'
import { titleOf } from '../operations/render/items.ts'
import { maskSpoilers } from '../text/spoilers.ts'
import { safeHref } from './address.ts'
import { html, raw, type Markup } from './markup.ts'
import type { Post } from './views.ts'

/** Long posts need not be on the page twice. */
const MAX_CHARS = 5_000

/**
 * A post for reference managers and crawlers, in the head of its page: Dublin Core and Highwire fields, which Zotero reads
 * as a forum post at its address on the platform, and JSON-LD. No `canonical`: phones would share and bookmark that address
 * instead of the page's own, which shows the versions and outlives the post.
 */
export function citationHead(post: Post): Markup {
  const author = post.author ?? nameOf(post)
  const title = titleOf(post)
  const day = post.published_at.slice(0, 10)
  const fields: readonly (readonly [name: string, content: string | null])[] = [
    ['DC.type', 'forumPost'],
    ['DC.title', title],
    ['DC.creator', author],
    ['DC.date', post.published_at],
    ['DC.publisher', `Telegram, @${post.channel.username}`],
    ['DC.identifier', post.url],
    ['DC.language', post.language],
    ['citation_title', title],
    ['citation_author', author],
    ['citation_publication_date', day.replaceAll('-', '/')],
    ['citation_public_url', post.url],
    ['citation_language', post.language],
  ]
  return html`<link rel="schema.DC" href="http://purl.org/dc/elements/1.1/" />
    ${fields.map(([name, content]) => (content === null ? '' : html`<meta name="${name}" content="${content}" />`))}
    <script type="application/ld+json">
      ${raw(inScript(linkedData(post, title)))}
    </script>`
}

function nameOf({ channel }: Post): string {
  return channel.title || channel.username
}

function linkedData(post: Post, headline: string): object {
  const { channel, forwarded_from: forward, views } = post
  const picture = post.media.find((media) => media.picture)?.picture
  return {
    '@context': 'https://schema.org',
    '@type': 'SocialMediaPosting',
    '@id': post.url,
    url: post.url,
    headline,
    articleBody: clipText(maskSpoilers(post.text, post.entities), MAX_CHARS),
    datePublished: post.published_at,
    ...(post.language === null ? {} : { inLanguage: post.language }),
    author: {
      '@type': 'Organization',
      name: nameOf(post),
      alternateName: `@${channel.username}`,
      url: `https://t.me/${channel.username}`,
    },
    ...(post.author === null ? {} : { creditText: post.author }),
    publisher: { '@type': 'Organization', name: 'Telegram', url: 'https://telegram.org' },
    ...(views === null
      ? {}
      : {
          interactionStatistic: {
            '@type': 'InteractionCounter',
            interactionType: 'https://schema.org/ViewAction',
            userInteractionCount: views.value,
          },
        }),
    ...(picture ? { image: picture.url } : {}),
    ...(forward && safeHref(forward.post_url) !== undefined ? { isBasedOn: forward.post_url } : {}),
    ...(post.hashtags.length > 0 ? { keywords: post.hashtags.join(', ') } : {}),
  }
}

/** JSON in which no text of an author can close the script element. */
function inScript(data: object): string {
  return JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
}
