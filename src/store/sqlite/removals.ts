import { nameKey } from '../../model/channel-name.ts'
import { isPostNumber } from '../../model/post.ts'
import type { Removals } from '../removals.ts'
import type { Retention } from '../store.ts'
import { forgetCandidate } from './candidates.ts'
import { channelById, channelIdByName, namesOf } from './channel-rows.ts'
import type { Database } from './database.ts'
import { leftTo, noteRemoval, startErasure } from './erase.ts'
import { eraseAll, eraseWaiting, wipeTraces } from './eraser.ts'
import { keyOf } from './post-codec.ts'
import { albumOfMember, erasePost, loadPost } from './post-rows.ts'
import {
  findRemoval,
  numbersOf,
  postRemovals,
  registerNames,
  registerPost,
  unpackRemoval,
  type RemovalRow,
} from './register.ts'
import { reconcileRegister } from './register-copy.ts'
import { StatsDelta, refreshPace } from './stats-delta.ts'

export function createRemovals(db: Database, ledger: Database, retention: Retention): Removals {
  return {
    async removeChannel(name, reason, at) {
      const erased = await db.write(() => {
        const channelId = channelIdByName(db, name)
        const channel = channelId === undefined ? undefined : channelById(db, channelId)
        const names = channel ? namesOf(db, channel.id) : []
        const platformId = channel?.platformId ?? null
        registerNames(db, [nameKey(name), ...names], { platformId, reason, removedAt: at })
        forgetCandidate(db, nameKey(name))
        if (!channel) return []
        const left = leftTo(db, channel.id)
        startErasure(db, channel, at)
        return [channel.id, ...left]
      })
      await reconcileRegister(db, ledger, at)
      return { posts: await eraseAll(db, erased, retention) }
    },
    async removePost(name, number, reason, at) {
      const erased = await db.write(() => {
        const channelId = channelIdByName(db, name)
        const channel = channelId === undefined ? undefined : channelById(db, channelId)
        const removal = {
          name: nameKey(channel?.username ?? name),
          platformId: channel?.platformId ?? null,
          number,
          reason,
          removedAt: at,
        }
        if (!channel || !isPostNumber(number)) {
          registerPost(db, removal, [])
          return { posts: 0 }
        }
        const asked = keyOf(channel.id, number)
        const key = loadPost(db, asked) ? asked : (albumOfMember(db, asked) ?? asked)
        const members = loadPost(db, key)?.albumNumbers ?? []
        registerPost(db, removal, members)
        const delta = new StatsDelta()
        const isErased = erasePost(db, key, delta, at)
        if (isErased) noteRemoval(db)
        delta.flush(db, channel.id, at)
        refreshPace(db, channel.id, at)
        return { posts: isErased ? 1 : 0 }
      })
      await reconcileRegister(db, ledger, at)
      if (erased.posts > 0) await wipeTraces(db)
      return erased
    },
    resume: () => eraseWaiting(db, retention),
    async undo(name, number) {
      return db.write(() => {
        const row = db.get<RemovalRow>(ENTRY, nameKey(name), number ?? 0)
        if (!row) return false
        // All names of a channel were registered together, and one left behind would still bar its id. The copy goes
        // first: cut short in between, the removal stands.
        for (const file of [ledger, db]) {
          file.run(LIFT, row.name_key, row.number, row.number, row.platform_id)
        }
        return true
      })
    },
    find: (channel) => db.read(() => findRemoval(db, channel)),
    findPost: (name, number) =>
      db.read(() => {
        const channelId = channelIdByName(db, name)
        const platformId =
          channelId === undefined ? null : (channelById(db, channelId)?.platformId ?? null)
        const names = channelId === undefined ? [] : namesOf(db, channelId)
        const rows = postRemovals(db, [nameKey(name), ...names], platformId)
        const row = rows.find((entry) => numbersOf(entry).includes(number))
        return row && unpackRemoval(row)
      }),
    list: () => db.read(() => db.all<RemovalRow>(LIST).map(unpackRemoval)),
  }
}

const ENTRY = 'select * from removals where name_key = ? and number = ?'
const LIFT = `delete from removals
  where (name_key = ? and number = ?) or (number = ? and platform_id = ?)`
const LIST = 'select * from removals order by removed_at, name_key, number'
