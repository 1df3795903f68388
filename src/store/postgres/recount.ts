import { FLAG } from '../post-codec.ts'
import { DONE, PROGRESS, isSame, type RecountRows, type PostsChecksum } from '../recount.ts'
import { writeWords, type Worded } from './channel-rows.ts'
import type { Database } from './database.ts'
import { POSTS, POST_COLUMNS, unpackStored, type StoredPost } from './post-rows.ts'
import { rowSet } from './row-set.ts'

export function createRecountRows(db: Database): RecountRows {
  return {
    progress: async () => (await db.get<{ value: number }>(LOAD, PROGRESS))?.value ?? 0,
    /** At the end the progress of other analyzer versions is deleted: should one of them run again, it has to recount. */
    saveProgress: (progress) =>
      db.transaction(async (tx) => {
        if (progress === DONE) await tx.run(`delete from totals where name like 'derived/%'`)
        await tx.run(SAVE, PROGRESS, progress)
      }),
    nextChannel: async (after) => (await db.get<{ id: number }>(NEXT, after))?.id,
    async posts(channelId, after, limit) {
      const rows = await db.slow.all<StoredPost>(BATCH, channelId, after, limit)
      return rows.map((row) => ({ post: unpackStored(row), flags: row.flags }))
    },
    async setFlags(channelId, flags) {
      await db.run(SET_FLAGS, channelId, ...FLAGS.values(flags))
    },
    finish: (channelId, counts, seen) =>
      db.transaction(async (tx) => {
        const [channel, now] = await Promise.all([
          tx.get<Worded>(CHANNEL, channelId),
          tx.get<PostsChecksum>(SEEN, channelId),
        ])
        if (!channel) return true
        if (seen && !isSame(seen, now!)) return false
        await Promise.all([
          writeWords(tx, [channel]),
          tx.run('delete from channel_features where channel_id = $1', channelId),
          tx.run(ADD, channelId, ...COUNTS.values(counts)),
        ])
        return true
      }),
  }
}

const FLAGS = rowSet('number int, old int, flags int')
const COUNTS = rowSet('kind smallint, value text, posts int')
const LOAD = 'select value from totals where name = $1 and slot = 0'
const SAVE = `insert into totals (name, slot, value) values ($1, 0, $2)
  on conflict (name, slot) do update set value = excluded.value`
const CHANNEL = 'select id, username, title, description from channels where id = $1 for update'
const NEXT = 'select id from channels where id > $1 order by id limit 1'
const BATCH = `select ${POST_COLUMNS} from ${POSTS} where p.channel_id = $1 and p.number > $2
  order by p.number limit $3`
const SET_FLAGS = `update posts p set flags = r.flags from ${FLAGS.from(2)}
  where p.channel_id = $1 and p.number = r.number and p.flags = r.old`
const SEEN = `select count(*)::integer as posts, coalesce(sum(revision), 0)::integer as revisions,
  (count(*) filter (where flags & ${FLAG.deleted} <> 0))::integer as deleted from posts where channel_id = $1`
const ADD = `insert into channel_features (channel_id, kind, value, posts)
  select $1, r.kind, r.value, r.posts from ${COUNTS.from(2)}`
