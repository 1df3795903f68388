import { ANALYZER_VERSION } from '../../text/analyze.ts'
import { wordsOfChannel } from '../channel-words.ts'
import { FEATURE_KINDS, featuresOf } from '../post-features.ts'
import { FLAG, flagsOf } from '../post-codec.ts'
import { isCounted } from '../post-rules.ts'
import { saveWords } from './channel-words.ts'
import type { Database } from './database.ts'
import { classifyWaiting } from './edits.ts'
import { unpackPost, type PostRow } from './post-codec.ts'
import { BATCH, rangeOfChannel } from './post-range.ts'

/**
 * What a post has, and the words a channel is found by, are read off texts by the analyzer, so another version may find other
 * things in what was written long ago. Then all of it is made anew, channel by channel; where that stands is in `totals`.
 */

const PROGRESS = `derived/${ANALYZER_VERSION}`
const DONE = -1
/** In posts: what a channel's own words cost. */
const CHANNEL_COST = 10
/** A long channel takes many steps, and is begun again when a post that was counted changed meanwhile; not for ever. */
const MAX_TRIES = 3

/** The channel under way. */
interface Walk {
  readonly channelId: number
  readonly tries: number
  from: number
  steps: number
  readonly counts: Map<string, Counted>
  readonly seen: Seen
}

type Profile = Parameters<typeof wordsOfChannel>[0]

interface Counted {
  readonly kind: number
  readonly value: string
  posts: number
}

/** Tells whether the posts that were counted are still the same. */
interface Seen {
  posts: number
  revisions: number
  deleted: number
}

/** Is everything as this version would write it? Until then some channels' words are not in the index of their starts. */
export function isRecounted(db: Database): boolean {
  return progressOf(db) === DONE
}

/** A store that holds nothing yet has nothing to count anew. */
export async function settleNewStore(db: Database): Promise<void> {
  const isNew = await db.read(() => !isRecounted(db) && db.get(NEXT, 0) === undefined)
  if (isNew) await db.write(() => recountStep(db, undefined, 1))
}

/** A function that goes on for about so many posts; it resolves to 0 when nothing is left. */
export function createRecount(db: Database): (limit: number) => Promise<number> {
  let walk: Walk | undefined
  return async (limit) => {
    const classified = await classifyWaiting(db, limit)
    if (classified > 0) return classified
    const progress = await db.read(() => progressOf(db))
    if (progress === DONE) return 0
    try {
      return await db.write(() => {
        const step = recountStep(db, walk, limit)
        walk = step.walk
        return step.looked
      })
    } catch (error) {
      walk = undefined
      throw error
    }
  }
}

function recountStep(db: Database, begun: Walk | undefined, limit: number) {
  let walk = begun
  let looked = 0
  let progress = progressOf(db)
  while (looked < limit && progress !== DONE) {
    walk ??= nextWalk(db, progress)
    if (!walk) progress = DONE
    else {
      const wanted = limit - looked
      const found = countPosts(db, walk, wanted)
      looked += found
      if (found === wanted) continue
      looked += CHANNEL_COST
      progress = walk.channelId
      walk = finish(db, walk)
      if (walk) progress = walk.channelId - 1
    }
  }
  if (progress === DONE) db.run('delete from totals where name glob ?', 'derived/*')
  db.run('insert or replace into totals values (?, ?)', PROGRESS, progress)
  return { walk, looked }
}

function progressOf(db: Database): number {
  return db.get<{ value: number }>('select value from totals where name = ?', PROGRESS)?.value ?? 0
}

function nextWalk(db: Database, after: number): Walk | undefined {
  const next = db.get<{ id: number }>(NEXT, after)
  return next && newWalk(next.id, 1)
}

function newWalk(channelId: number, tries: number): Walk {
  const { from } = rangeOfChannel(channelId)
  const seen = { posts: 0, revisions: 0, deleted: 0 }
  return { channelId, tries, from, steps: 0, counts: new Map(), seen }
}

function countPosts(db: Database, walk: Walk, limit: number): number {
  const { to } = rangeOfChannel(walk.channelId)
  const rows = db.all<PostRow>(BATCH, walk.from, to, limit)
  for (const row of rows) {
    const post = unpackPost(row)
    const flags = flagsOf(post)
    if (flags !== row.flags) db.run(SET_FLAGS, flags, row.key)
    walk.seen.posts += 1
    walk.seen.revisions += post.revision
    walk.seen.deleted += post.deletedAt === null ? 0 : 1
    walk.from = row.key + 1
    if (!isCounted(post)) continue
    for (const { kind, value } of featuresOf(post)) {
      const name = `${kind} ${value}`
      const counted = walk.counts.get(name)
      if (counted) counted.posts += 1
      else walk.counts.set(name, { kind: FEATURE_KINDS.indexOf(kind) + 1, value, posts: 1 })
    }
  }
  walk.steps += 1
  return rows.length
}

/** Writes what differs; gives the walk to begin with anew where the posts moved on. */
function finish(db: Database, { channelId, tries, steps, counts, seen }: Walk): Walk | undefined {
  if (steps > 1 && tries < MAX_TRIES) {
    const { from, to } = rangeOfChannel(channelId)
    const now = db.get<Seen>(SEEN, from, to)!
    const isSame = now.posts === seen.posts && now.revisions === seen.revisions
    if (!isSame || now.deleted !== seen.deleted) return newWalk(channelId, tries + 1)
  }
  saveWords(db, channelId, wordsOfChannel(db.get<Profile>(PROFILE, channelId)!))
  for (const { kind, value, posts } of db.all<Counted>(FEATURES, channelId)) {
    const name = `${FEATURE_KINDS[kind - 1]} ${value}`
    if (!counts.has(name)) db.run(DROP, channelId, kind, value)
    else if (counts.get(name)!.posts === posts) counts.delete(name)
  }
  for (const { kind, value, posts } of counts.values()) db.run(SET, channelId, kind, value, posts)
  return undefined
}

const PROFILE = 'select username, title, description from channels where id = ?'
const NEXT = 'select id from channels where id > ? order by id limit 1'
const SET_FLAGS = 'update posts set flags = ? where key = ?'
const SEEN = `select count(*) as posts, coalesce(sum(revision), 0) as revisions,
  coalesce(sum(flags & ${FLAG.deleted} <> 0), 0) as deleted from posts where key between ? and ?`
const FEATURES = 'select kind, value, posts from channel_features where channel_id = ?'
const DROP = 'delete from channel_features where channel_id = ? and kind = ? and value = ?'
const SET = 'insert or replace into channel_features values (?, ?, ?, ?)'
