import { parseChannelName } from '../model/channel-name.ts'
import { AppError, errorOf } from '../model/errors.ts'
import { TYPED_CATALOGUE } from '../operations/catalogue.ts'
import { xml } from '../operations/render/rss.ts'
import { addressWith, channelPath, type Parameters } from './address.ts'

/** A list of feeds for feed readers: OPML 2.0, made from nothing but the parameters of the address. */
export const OPML_PATH = '/feeds.opml'

const MAX_CHANNELS = 100
const MAX_SEARCHES = 50

interface Feed {
  readonly name: string
  /** The feed and the page for people, as paths of this service. */
  readonly feed: string
  readonly page: string
}

/** Throws `invalid_username` or `invalid_parameter` for anything that cannot be followed. */
export function opmlOf(
  asked: { readonly channels: readonly string[]; readonly searches: readonly string[] },
  publicUrl: string,
): string {
  // Counted before any is parsed: parsing thousands of searches would block the process.
  const names = atMost('channel', split(asked.channels, /[\s,]+/), MAX_CHANNELS)
  const queries = atMost('search', split(asked.searches, /[\r\n]+/), MAX_SEARCHES)
  const channels = names.map(channelFeed)
  const searches = queries.map(searchFeed)
  const groups = [
    ['Channels', channels],
    ['Searches', searches],
  ] as const
  return `<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
<head><title>Telegrep</title></head>
<body>
${groups.map(([name, feeds]) => groupOf(name, feeds, publicUrl)).join('')}</body>
</opml>
`
}

function split(values: readonly string[], between: RegExp): string[] {
  const parts = values.flatMap((value) => value.split(between)).map((part) => part.trim())
  return [...new Set(parts.filter((part) => part !== ''))]
}

function atMost<T>(parameter: string, list: readonly T[], most: number): readonly T[] {
  if (list.length <= most) return list
  const detail = `expected at most ${most}; found ${list.length}`
  throw errorOf({ parameter, code: 'invalid_parameter', detail })
}

function channelFeed(given: string): Feed {
  const name = parseChannelName(given)
  if (name === undefined) {
    throw new AppError('invalid_username', `expected the name of a channel; found ${given}`)
  }
  const page = channelPath(name)
  return { name: `@${name}`, page, feed: `/v1${page}/posts?format=rss` }
}

/** Words, or the address of a search: `storm`, `/?q=storm&lang=en`. */
function searchFeed(given: string): Feed {
  const query = /^(?:https?:\/\/[^?]*|\/)?\?(.+)$/i.exec(given)?.[1]
  const parameters: Parameters =
    query === undefined ? { q: given } : Object.fromEntries(new URLSearchParams(query))
  const { cursor: _cursor, format: _format, ...asked } = parameters
  // Reports mistakes as the feed itself would.
  TYPED_CATALOGUE.search_posts.prepare(asked)
  const others = Object.entries(asked).filter(([name]) => name !== 'q' && name !== 'sort')
  const words = [asked['q'] ?? '', ...others.map(([name, value]) => `${name}:${value}`)]
  return {
    name: words.filter((word) => word !== '').join(' '),
    page: addressWith('/', asked, {}),
    feed: addressWith('/v1/search', asked, { format: 'rss', sort: 'newest' }),
  }
}

function groupOf(name: string, feeds: readonly Feed[], base: string): string {
  if (feeds.length === 0) return ''
  const rows = feeds.map(
    (feed) =>
      `<outline type="rss" text="${xml(feed.name)}" title="${xml(feed.name)}" xmlUrl="${xml(base + feed.feed)}" htmlUrl="${xml(base + feed.page)}"/>\n`,
  )
  return `<outline text="${name}">\n${rows.join('')}</outline>\n`
}
