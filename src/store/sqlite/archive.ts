import type { Clock } from '../../model/clock.ts'
import { isPostNumber, type PostRef } from '../../model/post.ts'
import type { Archive } from '../archive.ts'
import { createArchiveWrites } from '../plan/archive-writes.ts'
import type { Retention } from '../retention.ts'
import { listChannels } from './channel-list.ts'
import { channelById, channelIdByName } from './channel-rows.ts'
import type { Database } from './database.ts'
import { eraseAll } from './eraser.ts'
import { keyOf } from './post-codec.ts'
import { listPosts, numbersBetween } from './post-list.ts'
import { albumOfMember, loadPost, loadPosts, versionsOf } from './post-rows.ts'
import { renewChannel } from './renew-channel.ts'
import { archiveTotals, channelStats, languageCounts } from './stats.ts'
import { scanPosts } from './scan.ts'
import { createRun } from './write.ts'

const NO_KEY = -1

export function createArchive(db: Database, retention: Retention, clock: Clock): Archive {
  const channelOf = (name: string) => {
    const id = channelIdByName(db, name)
    return id === undefined ? undefined : channelById(db, id)
  }
  const postOf = ({ channelId, number }: PostRef) =>
    isPostNumber(number) ? loadPost(db, keyOf(channelId, number)) : undefined
  const postsOf = (refs: readonly PostRef[]) => {
    const keys = refs.map(({ channelId, number }) =>
      isPostNumber(number) ? keyOf(channelId, number) : NO_KEY,
    )
    const found = loadPosts(db, keys)
    return keys.map((key) => found.get(key))
  }
  const channelsById: Archive['channelsById'] = (ids) =>
    db.read(() => ids.flatMap((id) => channelById(db, id) ?? []))
  const erase = (ids: readonly number[]) => eraseAll(db, ids, retention)
  return {
    ...createArchiveWrites(createRun(db), channelsById, erase, { retention, clock }),
    channel: (name) => db.read(() => channelOf(name)),
    channelsByName: (names) => db.read(() => names.map(channelOf)),
    channelsById,
    channels: (query) => listChannels(db, query),
    posts: (refs) => db.read(() => postsOf(refs)),
    post: (channelId, number) =>
      db.read(() => {
        const own = postOf({ channelId, number })
        if (own || !isPostNumber(number)) return own
        const album = albumOfMember(db, keyOf(channelId, number))
        return album === undefined ? undefined : loadPost(db, album)
      }),
    versions: (of, latest) =>
      db.read(() => (isPostNumber(of.number) ? versionsOf(db, of, latest) : [])),
    listPosts: (query) => listPosts(db, query),
    numbersBetween: (channelId, from, to, newest) =>
      db.read(() => numbersBetween(db, channelId, { first: from, last: to, newest })),
    scan: (options) => scanPosts(db, options),

    stats: (channelId, now) => db.read(() => channelStats(db, channelId, now)),
    languages: (now) => db.read(() => languageCounts(db, now)),
    totals: () => db.read(() => archiveTotals(db)),
    renewChannel: (channelId, counted) => renewChannel(db, channelId, counted),
  }
}
