import type { ArchivedPost } from '../../model/post.ts'
import { DAY_MS, HOUR_MS, firstStatsDay, postsPerDay } from '../channel-rules.ts'
import { FEATURE_KINDS, featuresOf, type Feature } from '../post-features.ts'
import { isCounted } from '../post-rules.ts'
import { markChannel } from './change-rows.ts'
import type { Database } from './database.ts'
import { FLAG, keyOf } from './post-codec.ts'

/** What a transaction changes in a channel's statistics, summed up in memory and written once at its end. */
export class StatsDelta {
  readonly #hours = new Map<number, { posts: number; first: number; last: number }>()
  readonly #features = new Map<string, Feature & { posts: number }>()
  readonly #languages = new Map<string, { posts: number; weight: number }>()
  readonly #days = new Map<string, { code: string; day: number; posts: number }>()
  #posts = 0
  #firstAt = Infinity
  #lastAt = -Infinity
  #isTaken = false
  #isWeightMoved = false

  /** `old` leaves, `next` comes; content that did not change costs no second look at its features. */
  replace(
    old: ArchivedPost | undefined,
    next: ArchivedPost | undefined,
    options: { readonly isContentSame: boolean },
  ): void {
    if (old && next && options.isContentSame) return
    const wasCounted = isCounted(old)
    const willCount = isCounted(next)
    if (next) this.#see(next)
    if (wasCounted) this.#count(old, -1)
    if (willCount) this.#count(next, 1)
  }

  addLanguage(code: string, publishedAt: number, posts: number): void {
    const day = Math.floor(publishedAt / DAY_MS)
    addTo(this.#languages, code, () => ({ posts: 0, weight: 0 })).posts += posts
    addTo(this.#days, `${code} ${day}`, () => ({ code, day, posts: 0 })).posts += posts
  }

  addWeight(code: string, weight: number): void {
    this.#isWeightMoved = true
    addTo(this.#languages, code, () => ({ posts: 0, weight: 0 })).weight += weight
  }

  #see(post: ArchivedPost): void {
    const hour = Math.floor(post.publishedAt / HOUR_MS)
    const { number } = post
    const bucket = addTo(this.#hours, hour, () => ({ posts: 0, first: number, last: number }))
    bucket.first = Math.min(bucket.first, number)
    bucket.last = Math.max(bucket.last, number)
  }

  #count(post: ArchivedPost, sign: 1 | -1): void {
    this.#see(post)
    this.#hours.get(Math.floor(post.publishedAt / HOUR_MS))!.posts += sign
    this.#posts += sign
    if (sign === 1) {
      this.#firstAt = Math.min(this.#firstAt, post.publishedAt)
      this.#lastAt = Math.max(this.#lastAt, post.publishedAt)
    } else {
      this.#isTaken = true
    }
    for (const feature of featuresOf(post)) {
      const key = `${feature.kind} ${feature.value}`
      addTo(this.#features, key, () => ({ ...feature, posts: 0 })).posts += sign
    }
    if (post.language !== null) this.addLanguage(post.language, post.publishedAt, sign)
  }

  flush(db: Database, channelId: number, at: number): void {
    for (const [hour, { posts, first, last }] of this.#hours) {
      db.run(ADD_HOUR, channelId, hour, posts, first, last)
    }
    for (const { kind, value, posts } of this.#features.values()) {
      if (posts === 0) continue
      const number = FEATURE_KINDS.indexOf(kind) + 1
      db.run(ADD_FEATURE, channelId, number, value, posts)
      if (posts < 0) db.run(DROP_FEATURE, channelId, number, value)
    }
    for (const [code, { posts, weight }] of this.#languages) {
      db.run(ADD_LANGUAGE, channelId, code, posts, weight)
      db.run(DROP_LANGUAGE, channelId, code)
    }
    if (this.#isWeightMoved) settleLanguage(db, channelId, at)
    for (const { code, day, posts } of this.#days.values()) {
      if (posts !== 0) db.run(ADD_DAY, code, day, posts)
      if (posts < 0) db.run(DROP_DAY, code, day)
    }
    if (this.#posts !== 0) db.run(ADD_TOTAL, this.#posts)
    if (this.#posts !== 0 || this.#firstAt !== Infinity || this.#isTaken) {
      this.#flushChannel(db, channelId)
    }
  }

  #flushChannel(db: Database, channelId: number): void {
    db.run(ADD_POSTS, this.#posts, channelId)
    if (this.#isTaken) {
      const [first, last] = [boundary(db, channelId, 'first'), boundary(db, channelId, 'last')]
      db.run(SET_BOUNDS, first, last, channelId)
    } else if (this.#firstAt !== Infinity) {
      db.run(WIDEN_BOUNDS, this.#firstAt, this.#firstAt, this.#lastAt, this.#lastAt, channelId)
    }
  }
}

function settleLanguage(db: Database, channelId: number, at: number): void {
  const majority = db.get<{ code: string }>(MAJORITY, channelId)?.code ?? null
  const isMoved = db.run(SET_LANGUAGE, majority, channelId, majority) > 0
  if (isMoved) markChannel(db, channelId, at)
}

/** The stored pace orders listings; it is as of the channel's last reading. */
export function refreshPace(db: Database, channelId: number, now: number): void {
  const row = db.get<{ posts: number; first_post_at: number | null }>(
    RECENT_POSTS,
    channelId,
    firstStatsDay(now) * 24,
    (Math.floor(now / DAY_MS) + 1) * 24,
    channelId,
  )
  if (row) db.run(SET_PACE, postsPerDay(row.posts, row.first_post_at, now), channelId)
}

/** The publication time of the first or last counted post, found through the hours that hold any. */
function boundary(db: Database, channelId: number, end: 'first' | 'last'): number | null {
  const hour = db.get<{ hour: number; first_number: number; last_number: number }>(
    end === 'first' ? FIRST_HOUR : LAST_HOUR,
    channelId,
  )
  if (!hour) return null
  const row = db.get<{ at: number | null }>(
    end === 'first' ? FIRST_IN_HOUR : LAST_IN_HOUR,
    keyOf(channelId, hour.first_number),
    keyOf(channelId, hour.last_number),
    hour.hour * HOUR_MS,
    (hour.hour + 1) * HOUR_MS,
  )
  return row?.at ?? null
}

function addTo<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}

export const UNCOUNTED = FLAG.service | FLAG.deleted

const ADD_HOUR = `insert into channel_hours values (?, ?, ?, ?, ?)
  on conflict do update set posts = posts + excluded.posts,
    first_number = min(first_number, excluded.first_number), last_number = max(last_number, excluded.last_number)`
const ADD_FEATURE = `insert into channel_features values (?, ?, ?, ?)
  on conflict do update set posts = posts + excluded.posts`
const DROP_FEATURE =
  'delete from channel_features where channel_id = ? and kind = ? and value = ? and posts <= 0'
const ADD_LANGUAGE = `insert into channel_languages values (?, ?, ?, ?)
  on conflict do update set posts = posts + excluded.posts, weight = weight + excluded.weight`
const DROP_LANGUAGE =
  'delete from channel_languages where channel_id = ? and code = ? and posts <= 0 and weight <= 0'
const ADD_DAY = `insert into language_days values (?, ?, ?)
  on conflict do update set posts = posts + excluded.posts`
const DROP_DAY = 'delete from language_days where code = ? and day = ? and posts <= 0'
const ADD_TOTAL = `update totals set value = value + ? where name = 'posts'`
const ADD_POSTS = 'update channels set posts = posts + ? where id = ?'
const SET_BOUNDS = 'update channels set first_post_at = ?, last_post_at = ? where id = ?'
const WIDEN_BOUNDS = `update channels set first_post_at = min(coalesce(first_post_at, ?), ?),
  last_post_at = max(coalesce(last_post_at, ?), ?) where id = ?`
const SET_PACE = 'update channels set posts_per_day = ?1 where id = ?2 and posts_per_day <> ?1'
const RECENT_POSTS = `select (select coalesce(sum(posts), 0) from channel_hours
  where channel_id = ? and hour >= ? and hour < ?) as posts, first_post_at from channels where id = ?`
const FIRST_HOUR = `select hour, first_number, last_number from channel_hours
  where channel_id = ? and posts > 0 order by hour limit 1`
const LAST_HOUR = `select hour, first_number, last_number from channel_hours
  where channel_id = ? and posts > 0 order by hour desc limit 1`
const FIRST_IN_HOUR = `select min(published_at) as at from posts
  where key between ? and ? and published_at >= ? and published_at < ? and flags & ${UNCOUNTED} = 0`
const LAST_IN_HOUR = FIRST_IN_HOUR.replace('min(', 'max(')
const MAJORITY = `select code from channel_languages where channel_id = ? and weight > 0
  order by weight desc, code limit 1`
const SET_LANGUAGE = 'update channels set language = ? where id = ? and language is not ?'
