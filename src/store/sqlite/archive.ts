import type { Clock } from '../../model/clock.ts'
import { isPostNumber, type PostRef } from '../../model/post.ts'
import type { Archive } from '../archive.ts'
import { NO_COUNTERS } from '../channel-rules.ts'
import { newSchedule } from '../frontier.ts'
import type { Retention } from '../store.ts'
import { markChannel } from './change-rows.ts'
import { listChannels } from './channel-list.ts'
import { channelById, channelIdByName, giveName, insertChannel } from './channel-rows.ts'
import type { Database } from './database.ts'
import { saveDerived } from './derived.ts'
import { eraseAll } from './eraser.ts'
import { keyOf } from './post-codec.ts'
import { listPosts, numbersBetween } from './post-list.ts'
import { albumOfMember, loadPost, versionsOf } from './post-rows.ts'
import { recordReading } from './record.ts'
import { findRemoval } from './register.ts'
import { insertSchedule } from './schedule-rows.ts'
import { archiveTotals, channelStats, languageCounts } from './stats.ts'
import { prunePosts, scanPosts } from './sweep.ts'

export function createArchive(db: Database, retention: Retention, clock: Clock): Archive {
  const postOf = ({ channelId, number }: PostRef) =>
    isPostNumber(number) ? loadPost(db, keyOf(channelId, number)) : undefined
  return {
    addChannel: (name, options) =>
      db.write(() => {
        if (findRemoval(db, { name })) return { outcome: 'removed' }
        const known = channelIdByName(db, name)
        if (known !== undefined) return { outcome: 'known', channel: channelById(db, known)! }
        const id = insertChannel(db, {
          username: name,
          platformId: null,
          title: options.title ?? name,
          description: '',
          avatarUrl: null,
          verified: false,
          subscribers: null,
          counters: NO_COUNTERS,
          status: options.status,
          addedAt: options.at,
        })
        giveName(db, id, name, options.at)
        if (options.status === 'queued') insertSchedule(db, id, newSchedule(options.at))
        markChannel(db, id, options.at)
        return { outcome: 'added', channel: channelById(db, id)! }
      }),
    channel: (name) =>
      db.read(() => {
        const id = channelIdByName(db, name)
        return id === undefined ? undefined : channelById(db, id)
      }),
    channelsById: (ids) => db.read(() => ids.flatMap((id) => channelById(db, id) ?? [])),
    channels: (query) => listChannels(db, query),

    async record(reading) {
      const recorded = await db.write(() => recordReading(db, reading, retention))
      await eraseAll(db, recorded.erased, retention)
      return recorded.result
    },
    posts: (refs) => db.read(() => refs.map(postOf)),
    post: (channelId, number) =>
      db.read(() => {
        const own = postOf({ channelId, number })
        if (own || !isPostNumber(number)) return own
        const album = albumOfMember(db, keyOf(channelId, number))
        return album === undefined ? undefined : loadPost(db, album)
      }),
    versions: ({ channelId, number }, latest) =>
      db.read(() => (isPostNumber(number) ? versionsOf(db, keyOf(channelId, number), latest) : [])),
    listPosts: (query) => listPosts(db, query),
    numbersBetween: (channelId, from, to) => db.read(() => numbersBetween(db, channelId, from, to)),
    scan: (options) => scanPosts(db, options),

    saveDerived: (batch) => saveDerived(db, batch, clock.now()),

    stats: (channelId, now) => db.read(() => channelStats(db, channelId, now)),
    languages: (now) => db.read(() => languageCounts(db, now)),
    totals: () => db.read(() => archiveTotals(db)),
    prune: (publishedBefore, limit) => prunePosts(db, publishedBefore, limit, clock),
  }
}
