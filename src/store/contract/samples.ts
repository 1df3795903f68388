import type { Channel, ChannelProfile } from '../../model/channel.ts'
import type { Count } from '../../model/count.ts'
import { makeMedia, type Media, type Post } from '../../model/post.ts'
import {
  ALL_CHANNELS,
  SHOWN_POSTS,
  type ChannelQuery,
  type PostListQuery,
  type Reading,
  type WordSearch,
} from '../archive.ts'
import type { Claim } from '../changes.ts'
import type { EditQuery } from '../edits.ts'
import type { LeasedVisit, VisitResult } from '../frontier.ts'
import type { Retention, Store } from '../store.ts'
import { termHash } from '../terms.ts'
import { makePost } from './make-post.ts'

/** Sample data and helpers of the contract suites. */

export interface Opened {
  readonly store: Store
  /** Sets the store's own clock, which starts at NOON. */
  setNow(now: number): void
}

export type OpenStore = (retention?: Partial<Retention>) => Promise<Opened>

/** 2026-03-10 12:00 UTC. */
export const NOON = Date.UTC(2026, 2, 10, 12)
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export function count(value: number, asOf: number = NOON): Count {
  return { value, approx: false, raw: String(value), asOf }
}

export function samplePost(number: number, fields: Partial<Post> = {}): Post {
  return makePost({
    number,
    publishedAt: NOON - DAY + number * MINUTE,
    text: `post ${number}`,
    views: count(number * 10),
    ...fields,
  })
}

export function sampleMedia(fields: Partial<Media> = {}): Media {
  const url = 'https://cdn.example/a.jpg'
  return makeMedia('photo', { url, width: 800, height: 600, fileId: 'a', ...fields })
}

export function hashtagged(number: number, tag: string): Post {
  const text = `#${tag} is the word`
  const entities = [{ type: 'hashtag', offset: 0, length: tag.length + 1 } as const]
  return samplePost(number, { text, entities })
}

export function forwarded(number: number, username: string): Post {
  const forwardedFrom = { name: username, username, postUrl: null, author: null }
  return samplePost(number, { forwardedFrom })
}

export function sampleProfile(
  username: string,
  fields: Partial<ChannelProfile> = {},
): ChannelProfile {
  return {
    username,
    platformId: null,
    title: `The ${username}`,
    description: '',
    avatarUrl: null,
    verified: false,
    subscribers: count(100),
    counters: { photos: count(3), videos: null, files: null, links: null },
    ...fields,
  }
}

export function sampleReading(channelId: number, fields: Partial<Reading> = {}): Reading {
  return {
    channelId,
    at: NOON,
    capture: 'crawl',
    parserVersion: 1,
    profile: null,
    posts: [],
    deleted: [],
    ...fields,
  }
}

export async function addChannel(store: Store, name: string, at: number = NOON): Promise<Channel> {
  const added = await store.archive.addChannel(name, { at, status: 'queued' })
  if (added.outcome === 'removed') throw new Error(`${name} is in the opt-out register`)
  return added.channel
}

/** Leases the channels that are due. */
export function take(
  store: Store,
  fields: { readonly owner?: string; readonly eager?: boolean } = {},
): Promise<readonly LeasedVisit[]> {
  const asked = { owner: 'a', limit: 10, ttlMs: MINUTE, eager: false, ...fields }
  return store.frontier.lease(asked)
}

/** The result of a visit that read nothing. */
export function ended(visit: LeasedVisit, fields: Partial<VisitResult> = {}): VisitResult {
  return {
    reading: null,
    schedule: { ...visit.schedule, nextVisitAt: NOON + HOUR, earliestVisitAt: NOON + 30 * MINUTE },
    status: 'active',
    reason: null,
    gaps: [],
    walked: [],
    ...fields,
  }
}

export function listOf(channelId: number, fields: Partial<PostListQuery> = {}): PostListQuery {
  return { ...SHOWN_POSTS, channelId, limit: 100, ...fields }
}

export function browse(fields: Partial<ChannelQuery> = {}): ChannelQuery {
  return { ...ALL_CHANNELS, limit: 100, ...fields }
}

/** All edits, latest first. */
export const ALL_EDITS: Omit<EditQuery, 'limit'> = {
  order: 'newest',
  kinds: [],
  channelIds: null,
  lang: [],
  since: null,
  until: null,
  minViews: null,
  deleted: 'include',
  after: null,
}

/** A search for words, each given by its forms, in posts whose text consists of their terms only. */
export function wordsOf(...places: readonly (readonly string[])[]): WordSearch {
  return {
    hashes: places.map((forms) => forms.map(termHash)),
    holds: ({ text }) =>
      places.every((forms) => forms.some((form) => text.split(' ').includes(form))),
  }
}

/** The numbers of all posts that the query lists, fetched page by page. */
export async function walk(store: Store, query: PostListQuery): Promise<number[]> {
  const numbers: number[] = []
  for (let after = query.after; ;) {
    const page = await store.archive.listPosts({ ...query, after })
    numbers.push(...page.items.map((post) => post.number))
    if (page.next === null) return numbers
    after = page.next
  }
}

/** The consumer of changes for tests in which it does not matter which. */
export const CONSUMER = 'index-1'

export function told({ changes }: Claim): string[] {
  return changes.map((change) =>
    change.kind === 'channel' || change.kind === 'language'
      ? `${change.kind} ${change.channelId}`
      : `${change.kind} ${change.channelId}/${change.number}`,
  )
}

/** Claims and finishes all waiting changes, and returns them. */
export async function drained(store: Store): Promise<string[]> {
  const seen: string[] = []
  await store.changes.register(CONSUMER)
  for (;;) {
    const claim = await store.changes.claim(CONSUMER, { limit: 1000, ttlMs: MINUTE })
    if (!claim) return seen
    seen.push(...told(claim))
    await store.changes.done(claim)
  }
}
