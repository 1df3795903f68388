import { wordsOfChannel } from '../channel-words.ts'
import { FLAG } from '../post-codec.ts'
import {
  DONE,
  PROGRESS,
  isSame,
  type FeatureCount,
  type RecountRows,
  type PostsChecksum,
} from '../recount.ts'
import { saveWords } from './channel-words.ts'
import type { Database } from './database.ts'
import { keyOf, unpackPost, type PostRow } from './post-codec.ts'
import { BATCH, rangeOfChannel } from './post-range.ts'

/** Whether everything is as this version would write it. Until then, the index of prefixes may lack words of some channels. */
export function isRecounted(db: Database): boolean {
  return progressOf(db) === DONE
}

/** A store without channels has nothing to recount. */
export async function settleNewStore(db: Database): Promise<void> {
  const isNew = () => !isRecounted(db) && db.get(NEXT, 0) === undefined
  await db.writeIf(isNew, () => saveProgress(db, DONE))
}

export function createRecountRows(db: Database): RecountRows {
  return {
    progress: () => db.read(() => progressOf(db)),
    saveProgress: (progress) => db.write(() => saveProgress(db, progress)),
    nextChannel: (after) => db.read(() => db.get<{ id: number }>(NEXT, after)?.id),
    posts: (channelId, after, limit) =>
      db.read(() => {
        const { to } = rangeOfChannel(channelId)
        const rows = db.all<PostRow>(BATCH, keyOf(channelId, after + 1), to, limit)
        return rows.map((row) => ({ post: unpackPost(row), flags: row.flags }))
      }),
    setFlags: (channelId, changed) =>
      db.write(() => {
        for (const { number, old, flags } of changed)
          db.run(SET_FLAGS, flags, keyOf(channelId, number), old)
      }),
    finish: (channelId, counts, seen) => db.write(() => finish(db, channelId, counts, seen)),
  }
}

/** Writes only what differs. */
function finish(
  db: Database,
  channelId: number,
  counts: readonly FeatureCount[],
  seen: PostsChecksum | null,
): boolean {
  const { from, to } = rangeOfChannel(channelId)
  if (seen && !isSame(seen, db.get<PostsChecksum>(SEEN, from, to)!)) return false
  const profile = db.get<Profile>(PROFILE, channelId)
  if (!profile) return true
  saveWords(db, channelId, wordsOfChannel(profile))
  const nameOf = ({ kind, value }: FeatureCount) => `${kind} ${value}`
  const wanted = new Map(counts.map((count) => [nameOf(count), count]))
  for (const written of db.all<FeatureCount>(FEATURES, channelId)) {
    const name = nameOf(written)
    if (!wanted.has(name)) db.run(DROP, channelId, written.kind, written.value)
    else if (wanted.get(name)!.posts === written.posts) wanted.delete(name)
  }
  for (const { kind, value, posts } of wanted.values()) db.run(SET, channelId, kind, value, posts)
  return true
}

function progressOf(db: Database): number {
  return db.get<{ value: number }>('select value from totals where name = ?', PROGRESS)?.value ?? 0
}

/** At the end the progress of other analyzer versions is deleted: should one of them run again, it has to recount. */
function saveProgress(db: Database, progress: number): void {
  if (progress === DONE) db.run('delete from totals where name glob ?', 'derived/*')
  db.run('insert or replace into totals values (?, ?)', PROGRESS, progress)
}

type Profile = Parameters<typeof wordsOfChannel>[0]

const PROFILE = 'select username, title, description from channels where id = ?'
const NEXT = 'select id from channels where id > ? order by id limit 1'
const SET_FLAGS = 'update posts set flags = ? where key = ? and flags = ?'
const SEEN = `select count(*) as posts, coalesce(sum(revision), 0) as revisions,
  coalesce(sum(flags & ${FLAG.deleted} <> 0), 0) as deleted from posts where key between ? and ?`
const FEATURES = 'select kind, value, posts from channel_features where channel_id = ?'
const DROP = 'delete from channel_features where channel_id = ? and kind = ? and value = ?'
const SET = 'insert or replace into channel_features values (?, ?, ?, ?)'
