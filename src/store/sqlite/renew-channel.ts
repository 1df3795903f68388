import type { CountedFeatures } from '../archive.ts'
import { wordsOfChannel } from '../channel-words.ts'
import { kindNumber } from '../post-features.ts'
import { saveWords } from './channel-words.ts'
import type { Database } from './database.ts'

/** Writes only counts that differ: mostly none does. */
export function renewChannel(
  db: Database,
  channelId: number,
  { posts: counted, features }: CountedFeatures,
): Promise<boolean> {
  return db.write(() => {
    const channel = db.get<Parameters<typeof wordsOfChannel>[0] & { posts: number }>(
      'select username, title, description, posts from channels where id = ?',
      channelId,
    )
    if (channel?.posts !== counted) return channel === undefined
    saveWords(db, channelId, wordsOfChannel(channel))
    const left = new Map(
      db.all<Row>(FEATURES, channelId).map((row) => [`${row.kind} ${row.value}`, row]),
    )
    for (const { value, posts, ...feature } of features) {
      const kind = kindNumber(feature.kind)
      const name = `${kind} ${value}`
      if (left.get(name)?.posts !== posts) db.run(SET, channelId, kind, value, posts)
      left.delete(name)
    }
    for (const { kind, value } of left.values()) db.run(DROP, channelId, kind, value)
    return true
  })
}

interface Row {
  readonly kind: number
  readonly value: string
  readonly posts: number
}

const FEATURES = 'select kind, value, posts from channel_features where channel_id = ?'
const SET = 'insert or replace into channel_features values (?, ?, ?, ?)'
const DROP = 'delete from channel_features where channel_id = ? and kind = ? and value = ?'
