import type { Clock } from '../../model/clock.ts'
import { isPostNumber } from '../../model/post.ts'
import type { Archive } from '../archive.ts'
import { createArchiveWrites } from '../plan/archive-writes.ts'
import type { Retention } from '../retention.ts'
import { listChannels } from './channel-list.ts'
import { channelsById, channelsByName, isId } from './channel-rows.ts'
import type { Database } from './database.ts'
import { eraseAll } from './eraser.ts'
import { listPosts, numbersBetween } from './post-list.ts'
import {
  POSTS,
  POST_COLUMNS,
  postsByRef,
  unpackStored,
  versionsOf,
  type StoredPost,
} from './post-rows.ts'
import { renewChannel } from './renew-channel.ts'
import { scanPosts } from './scan.ts'
import { archiveTotals, channelStats, languageCounts } from './stats.ts'
import { createRun } from './write.ts'

export function createArchive(db: Database, retention: Retention, clock: Clock): Archive {
  const byId: Archive['channelsById'] = (ids) => channelsById(db, ids)
  const erase = (ids: readonly number[]) => eraseAll(db, ids, retention)
  return {
    ...createArchiveWrites(createRun(db), byId, erase, { retention, clock }),
    channel: async (name) => (await channelsByName(db, [name]))[0],
    channelsByName: (names) => channelsByName(db, names),
    channelsById: byId,
    channels: (query) => listChannels(db, query),
    posts: (refs) => postsByRef(db, refs),
    async post(channelId, number) {
      if (!isId(channelId) || !isPostNumber(number)) return undefined
      const row = await db.get<StoredPost>(SHOWN, channelId, number)
      return row && unpackStored(row)
    },
    versions: (ref, latest) => versionsOf(db, ref, latest),
    listPosts: (query) => listPosts(db, query),
    numbersBetween: (channelId, from, to, newest) =>
      numbersBetween(db, channelId, { first: from, last: to, newest }),
    scan: (options) => scanPosts(db, options),

    stats: (channelId, now) => channelStats(db, channelId, now),
    languages: (now) => languageCounts(db, now),
    totals: () => archiveTotals(db),
    renewChannel: (channelId, counted) => renewChannel(db, channelId, counted),
  }
}

/** The post with that number or, if there is none, the album that has it as a member. */
const SHOWN = `select ${POST_COLUMNS} from ${POSTS} where p.channel_id = $1 and p.number = coalesce(
  (select number from posts where channel_id = $1 and number = $2),
  (select album from post_members where channel_id = $1 and number = $2))`
