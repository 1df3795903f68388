import { NO_COUNTERS, type ChannelProfile } from '../src/model/channel.ts'
/** A Source in memory, for stepping through visits: posts are added by hand, and the next outcomes can be replaced. */
import type { Clock } from '../src/model/clock.ts'
import type { Post } from '../src/model/post.ts'
import { makePost } from '../src/store/contract/make-post.ts'
import type { NoPage, PageOutcome, PostOutcome, Source } from '../src/telegram/source.ts'

export function postOf(number: number, publishedAt: number, text = `post ${number}`): Post {
  return makePost({ number, publishedAt, text })
}

export interface FakeChannel {
  profile: ChannelProfile
  posts: Post[]
  /** Pages that start with these numbers do not link to an older page although there is one. */
  lostLinks: Set<number>
}

export interface Asked {
  readonly name: string
  readonly before: number | null
  /** Set when a single post was requested. */
  readonly number: number | null
}

export function createFakePlatform(clock: Clock) {
  const channels = new Map<string, FakeChannel>()
  const asked: Asked[] = []
  const answers: (NoPage | 'as usual')[] = []
  const words = new Map<number, string>()
  const shownAlone = new Map<number, PostOutcome>()
  const source: Source = {
    async page(name, before): Promise<PageOutcome> {
      asked.push({ name, before, number: null })
      const scripted = answers.shift() ?? 'as usual'
      if (scripted !== 'as usual') return scripted
      const channel = channels.get(name.toLowerCase())
      if (!channel) return { kind: 'nobody' }
      const below = channel.posts.filter((post) => before === null || post.number < before)
      const posts = below.slice(-20)
      if (posts.length === 0) return { kind: 'empty', profile: channel.profile }
      const page = {
        profile: channel.profile,
        posts,
        numbers: posts.flatMap((post) => [post.number, ...post.albumNumbers.slice(1)]),
        before:
          below.length > posts.length && !channel.lostLinks.has(posts[0]!.number)
            ? posts[0]!.number
            : null,
        fetchedAt: clock.now(),
        parserVersion: 1,
        warnings: [],
      }
      return { kind: 'page', page }
    },
    async post(name, number) {
      asked.push({ name, before: null, number })
      const alone = shownAlone.get(number)
      if (alone) return alone
      const channel = channels.get(name.toLowerCase())
      const post = channel?.posts.find((each) => each.number === number)
      if (!post) return { kind: 'deleted' }
      return { kind: 'post', post, platformId: channel!.profile.platformId, parserVersion: 1 }
    },
    async words(name, number) {
      asked.push({ name, before: null, number })
      return { kind: 'words', text: words.get(number) ?? '' }
    },
    async [Symbol.asyncDispose]() {},
  }
  return {
    source,
    asked,
    /** The next outcomes of page requests, in order; after them the truth again. */
    answers,
    /** The texts that pages of single posts show, by number. */
    words,
    /** The outcome when one of these posts is requested by itself. */
    shownAlone,
    add(name: string, platformId: number): FakeChannel {
      const channel: FakeChannel = {
        profile: {
          username: name,
          platformId,
          title: name,
          description: '',
          avatarUrl: null,
          verified: false,
          subscribers: null,
          counters: NO_COUNTERS,
        },
        posts: [],
        lostLinks: new Set(),
      }
      channels.set(name.toLowerCase(), channel)
      return channel
    },
    /** Publishes posts with the next numbers, a minute apart, the last one at `at`. */
    publish(channel: FakeChannel, count: number, at = clock.now()): void {
      const next = (channel.posts.at(-1)?.number ?? 0) + 1
      for (let i = 0; i < count; i++) {
        channel.posts.push(postOf(next + i, at - (count - 1 - i) * 60_000))
      }
    },
    /** The same, with each post an album of `size`. */
    publishAlbums(channel: FakeChannel, count: number, size: number, at = clock.now()): void {
      for (let i = 0; i < count; i++) {
        const last = channel.posts.at(-1)
        const number = last ? last.number + Math.max(1, last.albumNumbers.length) : 1
        const albumNumbers = Array.from({ length: size }, (_, k) => number + k)
        channel.posts.push({ ...postOf(number, at - (count - 1 - i) * 60_000), albumNumbers })
      }
    },
    rename(from: string, to: string): void {
      const channel = channels.get(from.toLowerCase())!
      channels.delete(from.toLowerCase())
      channel.profile = { ...channel.profile, username: to }
      channels.set(to.toLowerCase(), channel)
    },
  }
}
