import { indexedPrefixes, type ChannelWords } from '../channel-words.ts'
import type { Database } from './database.ts'

/**
 * A channel's words and their prefixes (`indexedPrefixes`). Prefixes to delete are computed from the stored words, since the current
 * analyzer might derive other words from the profile.
 */

export function saveWords(db: Database, channelId: number, words: ChannelWords): void {
  const { name, title, description } = words
  const starts = new Set(indexedPrefixes(words))
  for (const start of writtenStarts(db, channelId)) {
    if (!starts.has(start)) db.run(DROP, start, channelId)
  }
  for (const start of starts) db.run(ADD, start, channelId)
  db.run(SAVE, channelId, name, title, description)
}

export function dropWords(db: Database, channelId: number): void {
  for (const start of writtenStarts(db, channelId)) db.run(DROP, start, channelId)
  db.run('delete from channel_words where channel_id = ?', channelId)
}

function writtenStarts(db: Database, channelId: number): string[] {
  const words = db.get<ChannelWords>(WORDS, channelId)
  return words ? indexedPrefixes(words) : []
}

const WORDS = 'select name, title, description from channel_words where channel_id = ?'
const SAVE = 'insert or replace into channel_words values (?, ?, ?, ?)'
const ADD = 'insert or ignore into channel_starts values (?, ?)'
const DROP = 'delete from channel_starts where start = ? and channel_id = ?'
