import { createCache } from '../model/cache.ts'
import { TYPED_CATALOGUE } from '../operations/catalogue.ts'
import type { Context } from '../operations/context.ts'
import { isBrief } from '../operations/views/post.ts'
import { createAsk, type Ask } from './ask.ts'
import type { Hit, ListedChannel } from './views.ts'

/** What the home page shows before anything is searched. */
export interface Front {
  /** Posted by more than one channel today, most channels first. */
  readonly stories: readonly Hit[]
  readonly mostSeen: readonly Hit[]
  readonly newChannels: readonly ListedChannel[]
}

/** Well below the 60 s within which a removed channel has to be gone. */
const KEPT_MS = 30_000
/** After this long, the page is shown without it. */
const PATIENCE_MS = 3_000
const ROWS = 6
/** How many of today's posts are checked for copies: the most viewed, and the most viewed of those that are forwards. */
const SAMPLE = 50

/**
 * Queries the front with public operations, once for all visitors within half a minute. It costs two searches, seldom three,
 * a list of channels and a few groups, whatever store and index there are. Undefined when they cannot be queried now.
 */
export function createFront(ctx: Context): () => Promise<Front | undefined> {
  const cache = createCache<'front', Promise<Front | undefined>>({
    maxEntries: 1,
    maxAge: { ms: KEPT_MS, clock: ctx.clock },
  })

  async function make(): Promise<Front | undefined> {
    const abort = new AbortController()
    const end = ctx.deadlines.start(PATIENCE_MS, () => abort.abort())
    const exchange = { requestId: 'front', address: '127.0.0.1', abort, operation: 'web_front' }
    try {
      return await askFront(createAsk(ctx, { exchange }))
    } catch {
      // The failure is reported wherever it is asked for directly; the next visitor's front is queried again.
      cache.delete('front')
      return undefined
    } finally {
      end()
    }
  }

  return () => cache.getOrMake('front', make)
}

async function askFront(ask: Ask): Promise<Front> {
  const today = { since: '24h', sort: 'views', collapse: 'duplicates', limit: SAMPLE }
  const [seen, forwarded, channels] = await Promise.all([
    ask.also(TYPED_CATALOGUE.search_posts, today),
    ask.also(TYPED_CATALOGUE.search_posts, { ...today, forwards: 'only' }),
    ask.also(TYPED_CATALOGUE.list_channels, { sort: 'added', limit: ROWS }),
  ])
  const hitsOf = ({ data }: typeof seen) => (Array.isArray(data) ? data.filter(isBrief) : [])
  const copied = mostCopied([...hitsOf(seen), ...hitsOf(forwarded)]).slice(0, ROWS)
  const stories = await Promise.all(
    copied.map((hit) => whoSaidItFirst(ask, hit, seen.meta.window.since)),
  )
  // Posts whose views are unknown come last.
  const viewedOf = (reply: typeof seen) => hitsOf(reply).filter(({ views }) => views !== null)
  const mostSeen = onePerChannel(viewedOf(seen))
  const loud = mostSeen.map(({ channel }) => channel.username)
  if (viewedOf(seen).length === SAMPLE && loud.length < ROWS) {
    const others = { ...today, exclude_channel: loud }
    mostSeen.push(...onePerChannel(viewedOf(await ask.also(TYPED_CATALOGUE.search_posts, others))))
  }
  return { stories, mostSeen: mostSeen.slice(0, ROWS), newChannels: channels.data }
}

/** The first post of a story that began today: the most viewed posts may only be copies of it. */
async function whoSaidItFirst(ask: Ask, hit: Hit, since: string): Promise<Hit> {
  const { id, slug, channel, cluster } = hit
  if (!cluster || cluster.first === id) return hit
  const asked = { username: channel.username, slug, limit: 1, links: 'exclude' }
  const spread = await ask.also(TYPED_CATALOGUE.get_spread, asked).catch(() => undefined)
  const first = spread?.data.members[0]
  return first && first.published_at >= since ? { ...hit, ...first } : hit
}

/**
 * One post per channel, since a large channel would fill the list alone. If it fills even the sample, other channels are
 * searched separately.
 */
function onePerChannel(hits: readonly Hit[]): Hit[] {
  return [...Map.groupBy(hits, ({ channel }) => channel.username).values()].map((own) => own[0]!)
}

/** One post of each story that several channels carry, most channels first. */
function mostCopied(hits: readonly Hit[]): Hit[] {
  const stories = new Map<string, Hit>()
  for (const hit of hits) {
    const { cluster } = hit
    if (cluster && cluster.channels > 1 && !stories.has(cluster.id)) stories.set(cluster.id, hit)
  }
  return [...stories.values()].toSorted(
    (a, b) =>
      b.cluster!.channels - a.cluster!.channels ||
      b.cluster!.size - a.cluster!.size ||
      (a.id < b.id ? -1 : 1),
  )
}
