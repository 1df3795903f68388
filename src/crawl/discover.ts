/** Discovery of channels: which others a post names, and whether a candidate is worth indexing. Pure. */
import { isChannelName, nameKey, parseChannelName } from '../model/channel-name.ts'
import type { Channel } from '../model/channel.ts'
import type { Post } from '../model/post.ts'
import { DAY_MS } from '../model/time.ts'
import type { Sighting } from '../store/frontier.ts'
import type { ChannelPage } from '../telegram/source.ts'

/** A channel that names hundreds of others must not fill the frontier with them. */
const MAX_NAMES_PER_VISIT = 20

/** The channels named in these posts: one sighting for each name and kind of naming. */
export function sightingsOf(
  source: Pick<Channel, 'id' | 'username' | 'aliases'>,
  posts: readonly Post[],
  at: number,
): Sighting[] {
  const own = new Set([source.username, ...source.aliases].map(nameKey))
  const names = new Set<string>()
  const sightings = new Map<string, Sighting>()
  const add = (name: string | undefined, how: Sighting['how']) => {
    if (name === undefined || !isChannelName(name)) return
    const key = nameKey(name)
    // By the platform's own rule the names of bots end in "bot"; bots have no posts.
    if (own.has(key) || key.endsWith('bot')) return
    if (!names.has(key) && names.size >= MAX_NAMES_PER_VISIT) return
    names.add(key)
    sightings.set(`${how} ${key}`, { name, sourceId: source.id, how, at })
  }
  for (const post of posts) {
    const forward = post.forwardedFrom
    // A forward without a link to its post comes from a person, not a channel.
    if (forward?.username && forward.postUrl) add(forward.username, 'forward')
    for (const { type, url } of post.entities) {
      if (url === undefined) continue
      if (type === 'mention') add(parseChannelName(url), 'mention')
      else if (type === 'link' || type === 'text_link') add(parseChannelName(url), 'link')
    }
  }
  return [...sightings.values()]
}

type CandidateVerdict =
  'admitted' | 'too_few_posts' | 'too_quiet' | 'too_small' | 'too_busy' | 'mirror' | 'clone'

const MIN_POSTS = 5
const MIN_SUBSCRIBERS = 100
const MAX_POSTS_PER_DAY = 500
const QUIET_MS = 30 * DAY_MS
/** A channel in which more than this share of posts is copied from elsewhere adds nothing. */
const COPIED = 0.8

/** Judges a candidate by its newest page. `known` holds texts of archived channels that look like it. */
export function judgeCandidate(page: ChannelPage, known: ReadonlySet<string>): CandidateVerdict {
  const posts = page.posts.filter((post) => post.kind === 'post')
  if (posts.length < MIN_POSTS) return 'too_few_posts'
  const newest = Math.max(...posts.map((post) => post.publishedAt))
  const oldest = Math.min(...posts.map((post) => post.publishedAt))
  if (page.fetchedAt - newest > QUIET_MS) return 'too_quiet'
  if ((page.profile.subscribers?.value ?? 0) < MIN_SUBSCRIBERS) return 'too_small'
  const days = Math.max(page.fetchedAt - oldest, 1) / DAY_MS
  if (posts.length / days > MAX_POSTS_PER_DAY) return 'too_busy'
  if (mostForwardedFrom(posts) > COPIED * posts.length) return 'mirror'
  const texts = posts.map(textKey).filter((text) => text !== undefined)
  const copied = texts.filter((text) => known.has(text)).length
  return texts.length >= MIN_POSTS && copied > COPIED * texts.length ? 'clone' : 'admitted'
}

function mostForwardedFrom(posts: readonly Post[]): number {
  const sources = posts.flatMap(({ forwardedFrom: from }) => from?.username ?? from?.name ?? [])
  const groups = Map.groupBy(sources, (source) => source).values()
  return Math.max(0, ...groups.map((group) => group.length))
}

/** Equal for two copies of a text; undefined for texts too short to prove anything. */
export function textKey(post: Pick<Post, 'text'>): string | undefined {
  const text = post.text.toLowerCase().replace(/\s+/gu, ' ').trim()
  return text.length >= 20 ? text.slice(0, 500) : undefined
}
