import type { CountedFeatures } from '../archive.ts'
import { kindNumber } from '../post-features.ts'
import { writeWords, type Worded } from './channel-rows.ts'
import type { Database } from './database.ts'
import { rowSet } from './row-set.ts'

export function renewChannel(
  db: Database,
  channelId: number,
  { posts, features }: CountedFeatures,
): Promise<boolean> {
  const rows = features.map((feature) => ({ ...feature, kind: kindNumber(feature.kind) }))
  return db.transaction(async (tx) => {
    const channel = await tx.get<Worded & { posts: number }>(CHANNEL, channelId)
    if (channel?.posts !== posts) return channel === undefined
    await Promise.all([
      writeWords(tx, [channel]),
      tx.run('delete from channel_features where channel_id = $1', channelId),
      tx.run(ADD, channelId, ...COUNTS.values(rows)),
    ])
    return true
  })
}

const COUNTS = rowSet('kind smallint, value text, posts int')
const CHANNEL =
  'select id, username, title, description, posts from channels where id = $1 for update'
const ADD = `insert into channel_features (channel_id, kind, value, posts)
  select $1, r.kind, r.value, r.posts from ${COUNTS.from(2)}`
