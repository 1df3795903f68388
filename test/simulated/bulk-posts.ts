import { makeMedia, type Entity, type Post } from '../../src/model/post.ts'
import { DAY_MS } from '../../src/model/time.ts'
import { shownCount } from '../../src/simulator/counters.ts'
import { lexiconOf } from '../../src/simulator/lexicon.ts'
import { channelAt, type SimChannel, usernameMaker } from '../../src/simulator/population.ts'
import { Random, hash32, hex, seedOf } from '../../src/simulator/random.ts'
import { TOPICS, fill } from '../../src/simulator/texts/language-text.ts'
import { languageText } from '../../src/simulator/texts/languages.ts'
import { makePost } from '../../src/store/contract/make-post.ts'

/**
 * Posts in bulk for benchmarks, without a platform around them: fast, and with tens of thousands of word forms per language
 * under Zipf's law, so that both common and rare terms exist. Post `i` depends only on the seed and `i`.
 */
export interface BulkOptions {
  readonly seed: number | string
  readonly count: number
  /** How many channels the posts are spread over; a few channels get most of them. */
  readonly channels?: number
  readonly languages?: readonly string[]
  /** The newest post is just before this time, the oldest `days` earlier. */
  readonly until?: number
  readonly days?: number
}

export interface BulkChannel {
  readonly index: number
  readonly platformId: number
  readonly username: string
  readonly title: string
  readonly description: string
  readonly subscribers: number
  readonly language: string
}

export interface BulkPost {
  readonly channel: BulkChannel
  readonly post: Post
}

interface BulkWorld {
  readonly channels: readonly BulkChannel[]
  /** The i-th oldest post. */
  post(i: number): BulkPost
}

const MEDIA = makeMedia('photo', { width: 800, height: 600 })
const NONE: readonly never[] = []
/** Share of posts that repeat another channel's. */
const COPIES = 0.03

/** Ascending by time; the numbers of each channel ascend too. */
export function* generatePosts(options: BulkOptions): Generator<BulkPost> {
  const world = createBulk(options)
  for (let i = 0; i < options.count; i++) yield world.post(i)
}

export function createBulk(options: BulkOptions): BulkWorld {
  const seed = seedOf(options.seed)
  const until = options.until ?? Date.UTC(2026, 8, 1, 12)
  const days = options.days ?? 30
  const population = {
    seed,
    channels: options.channels ?? 2000,
    startAt: until,
    days,
    activity: 1,
    languages: options.languages ?? null,
    steady: true,
  }
  const nameFor = usernameMaker(seed)
  const full = Array.from({ length: population.channels }, (_, i) =>
    channelAt(population, i, nameFor(i)),
  )
  const channels = full.map(describe)
  const step = (days * DAY_MS) / options.count
  const oldest = until - days * DAY_MS
  const original = (i: number, random: Random): BulkPost => {
    const index = random.zipf(channels.length)
    const channel = channels[index] as BulkChannel
    const publishedAt = Math.floor((oldest + i * step) / 1000) * 1000
    const post = bulkPost(full[index] as SimChannel, channel, i + 1, publishedAt, random)
    return { channel, post }
  }
  /** Post i's own randomness, and whether it repeats an earlier post. */
  const drawn = (i: number) => {
    const random = new Random(hash32(seed, 20, i))
    return { random, isCopy: random.chance(COPIES) && i > 0 }
  }
  const byLanguage = Map.groupBy(channels, ({ language }) => language)
  return {
    channels,
    post(i) {
      const { random, isCopy } = drawn(i)
      if (!isCopy) return original(i, random)
      const earlier = i - 1 - random.int(Math.min(i, 5000))
      const source = drawn(earlier)
      if (source.isCopy) return original(i, random)
      const model = original(earlier, source.random)
      const channel = random.pick(byLanguage.get(model.channel.language) ?? channels)
      const publishedAt = Math.floor((oldest + i * step) / 1000) * 1000
      return { channel, post: { ...copyOf(model, random), number: i + 1, publishedAt } }
    },
  }
}

/** Forwarded as it is, or repeated with an added line. */
function copyOf({ channel, post }: BulkPost, random: Random): Post {
  const { title, username } = channel
  if (random.chance(0.5)) {
    const postUrl = `https://t.me/${username}/${post.number}`
    return { ...post, forwardedFrom: { name: title, username, postUrl, author: null } }
  }
  const language = languageText(channel.language)
  const line = fill(language, random.pick(language.asides), random, (r) =>
    lexiconOf(language).name(r),
  )
  return { ...post, forwardedFrom: null, text: `${post.text}\n${line}` }
}

function describe(channel: SimChannel): BulkChannel {
  return {
    index: channel.index,
    platformId: channel.platformId,
    username: channel.usernames[0]?.value[0] as string,
    title: channel.title,
    description: channel.description,
    subscribers: channel.subscribers,
    language: channel.language.code,
  }
}

function bulkPost(
  channel: SimChannel,
  { username, subscribers }: BulkChannel,
  number: number,
  publishedAt: number,
  random: Random,
): Post {
  let text = words(channel, random)
  let entities: Entity[] | readonly never[] = NONE
  const extra = random.next()
  if (extra < 0.1) {
    const tag = `#${random.pick(channel.language.tags)}`
    entities = [{ type: 'hashtag', offset: text.length + 1, length: tag.length }]
    text += `\n${tag}`
  } else if (extra < 0.25) {
    const url = `https://${random.pick(HOSTS)}/${random.bits().toString(36)}`
    entities = [{ type: 'link', offset: text.length + 1, length: url.length, url }]
    text += ` ${url}`
  } else if (extra < 0.3) {
    entities = [
      {
        type: 'mention',
        offset: text.length + 1,
        length: username.length + 1,
        url: `https://t.me/${username}`,
      },
    ]
    text += ` @${username}`
  }
  return makePost({
    number,
    publishedAt,
    edited: random.chance(0.05),
    text,
    entities,
    media: random.chance(0.35) ? [{ ...MEDIA, fileId: hex(random, 16) }] : NONE,
    views: shownCount(1 + Math.floor(subscribers * random.next() * 0.6), publishedAt),
  })
}

const HOSTS = [
  'news.example.com',
  'example.org',
  'blog.example.net',
  'shop.example',
  'video.example',
]

/** Mostly words of the lexicon; every fourth sentence is from the grammar, so that phrases recur. */
function words({ language, topic }: SimChannel, random: Random): string {
  const lexicon = lexiconOf(language)
  const wanted = Math.min(400, Math.max(3, Math.round(16 * Math.exp(0.8 * random.normal()))))
  let text = ''
  let written = 0
  while (written < wanted) {
    if (text !== '') text += random.chance(0.15) ? '\n' : language.space
    if (random.chance(0.25)) {
      const about = random.chance(0.8) ? topic : random.pick(TOPICS)
      text += fill(language, random.pick(language.topics[about]), random, (r) => lexicon.name(r))
      written += 10
      continue
    }
    const length = Math.min(wanted - written, random.between(4, 14))
    let sentence = lexicon.word(random)
    for (let i = 1; i < length; i++) sentence += language.space + lexicon.word(random)
    text += sentence.charAt(0).toUpperCase() + sentence.slice(1) + '.'
    written += Math.max(1, length)
  }
  return text
}
