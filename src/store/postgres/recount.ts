import { ANALYZER_VERSION } from '../../text/analyze.ts'
import { FLAG, flagsOf } from '../post-codec.ts'
import { FEATURE_KINDS, featuresOf } from '../post-features.ts'
import { isCounted } from '../post-rules.ts'
import { writeWords, type Worded } from './channel-rows.ts'
import type { Database } from './database.ts'
import { classifyWaiting } from './edits.ts'
import { POSTS, POST_COLUMNS, unpackStored, type StoredPost } from './post-rows.ts'
import { rowSet } from './row-set.ts'

/**
 * What a post has, and the words a channel is found by, are read off texts by the analyzer, so another version may find other
 * things in what was written long ago. Then all of it is made anew, channel by channel; where that stands is in `totals`.
 */

const PROGRESS = `derived/${ANALYZER_VERSION}`
const DONE = -1
/** A channel is begun again when a post that was counted changed meanwhile; not for ever. */
const MAX_TRIES = 3

/** The channel under way. */
interface Walk {
  readonly channelId: number
  readonly tries: number
  from: number
  readonly counts: Map<string, Counted>
  readonly seen: Seen
}

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

/** A function that goes on for about so many posts; it resolves to 0 when nothing is left. */
export function createRecount(db: Database): (limit: number) => Promise<number> {
  let walk: Walk | undefined
  return async (limit) => {
    const classified = await classifyWaiting(db, limit)
    if (classified > 0) return classified
    let looked = 0
    let progress = (await db.get<{ value: number }>(LOAD, PROGRESS))?.value ?? 0
    while (looked < limit && progress !== DONE) {
      const next = walk ? undefined : await db.get<{ id: number }>(NEXT, progress)
      walk ??= next && newWalk(next.id, 1)
      if (!walk) {
        await db.run(SAVE, PROGRESS, (progress = DONE))
        break
      }
      const wanted = limit - looked
      const found = await countPosts(db, walk, wanted)
      // A channel costs something even when it has no post.
      looked += found + 1
      if (found === wanted) continue
      progress = walk.channelId
      walk = await finish(db, walk)
      if (walk) progress -= 1
      else await db.run(SAVE, PROGRESS, progress)
    }
    return looked
  }
}

function newWalk(channelId: number, tries: number): Walk {
  const seen = { posts: 0, revisions: 0, deleted: 0 }
  return { channelId, tries, from: 0, counts: new Map(), seen }
}

async function countPosts(db: Database, walk: Walk, limit: number): Promise<number> {
  const { channelId, seen, counts } = walk
  const rows = await db.slow.all<StoredPost>(BATCH, channelId, walk.from, limit)
  const flagged: { number: number; old: number; flags: number }[] = []
  for (const row of rows) {
    const post = unpackStored(row)
    const flags = flagsOf(post)
    if (flags !== row.flags) flagged.push({ number: row.number, old: row.flags, flags })
    seen.posts += 1
    seen.revisions += post.revision
    seen.deleted += post.deletedAt === null ? 0 : 1
    walk.from = row.number
    if (isCounted(post)) {
      for (const { kind, value } of featuresOf(post)) {
        const name = `${kind} ${value}`
        const counted = counts.get(name)
        if (counted) counted.posts += 1
        else counts.set(name, { kind: FEATURE_KINDS.indexOf(kind) + 1, value, posts: 1 })
      }
    }
  }
  if (flagged.length > 0) await db.run(SET_FLAGS, channelId, ...FLAGS.values(flagged))
  return rows.length
}

/** Writes words and counts; gives the walk to begin with anew where the posts moved on. */
function finish(db: Database, { channelId, tries, counts, seen }: Walk): Promise<Walk | undefined> {
  return db.transaction(async (tx) => {
    const [channel, now] = await Promise.all([
      tx.get<Worded>(CHANNEL, channelId),
      tx.get<Seen>(SEEN, channelId),
    ])
    if (!channel) return undefined
    const isSame = now!.posts === seen.posts && now!.revisions === seen.revisions
    if (tries < MAX_TRIES && (!isSame || now!.deleted !== seen.deleted))
      return newWalk(channelId, tries + 1)
    await Promise.all([
      writeWords(tx, [channel]),
      tx.run('delete from channel_features where channel_id = $1', channelId),
      tx.run(ADD, channelId, ...COUNTS.values([...counts.values()])),
    ])
    return undefined
  })
}

const FLAGS = rowSet({ number: 'int', old: 'int', flags: 'int' })
const COUNTS = rowSet({ kind: 'smallint', value: 'text', posts: 'int' })
const LOAD = 'select value from totals where name = $1 and slot = 0'
const SAVE = `insert into totals (name, slot, value) values ($1, 0, $2)
  on conflict (name, slot) do update set value = excluded.value`
const CHANNEL = 'select id, username, title, description from channels where id = $1 for update'
const NEXT = 'select id from channels where id > $1 order by id limit 1'
const BATCH = `select ${POST_COLUMNS} from ${POSTS} where p.channel_id = $1 and b.channel_id = $1 and p.number > $2
  order by p.number limit $3`
const SET_FLAGS = `update posts p set flags = r.flags from ${FLAGS.from(2)}
  where p.channel_id = $1 and p.number = r.number and p.flags = r.old`
const SEEN = `select count(*)::integer as posts, coalesce(sum(revision), 0)::integer as revisions,
  (count(*) filter (where flags & ${FLAG.deleted} <> 0))::integer as deleted from posts where channel_id = $1`
const ADD = `insert into channel_features (channel_id, kind, value, posts)
  select $1, r.kind, r.value, r.posts from ${COUNTS.from(2)}`
