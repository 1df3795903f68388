import { setImmediate as breathe } from 'node:timers/promises'
import { nameKey } from '../../model/channel-name.ts'
import type { Removals } from '../removals.ts'
import { channelById, channelIdByName, namesOf } from './channel-rows.ts'
import type { Database } from './database.ts'
import { eraseSome, pendingErasures, startErasure } from './erase.ts'
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
import { StatsDelta, refreshPace } from './stats-delta.ts'

const POSTS_A_STEP = 500
/** Pages of the word search rewritten in one step, so that no trace of an erased post stays in its lists. */
const PAGES_A_STEP = 200

export function createRemovals(db: Database): Removals {
  return {
    async removeChannel(name, reason, at) {
      const id = await db.write(() => {
        const channelId = channelIdByName(db, name)
        const channel = channelId === undefined ? undefined : channelById(db, channelId)
        const names = channel ? namesOf(db, channel.id) : []
        const platformId = channel?.platformId ?? null
        registerNames(db, [nameKey(name), ...names], { platformId, reason, removedAt: at })
        db.run('delete from candidates where name_key = ?', nameKey(name))
        if (channel) startErasure(db, channel, at)
        return channel?.id
      })
      return { posts: id === undefined ? 0 : await eraseFully(db, id) }
    },
    removePost: (name, number, reason, at) =>
      db.write(() => {
        const channelId = channelIdByName(db, name)
        const channel = channelId === undefined ? undefined : channelById(db, channelId)
        const removal = {
          name: nameKey(channel?.username ?? name),
          platformId: channel?.platformId ?? null,
          number,
          reason,
          removedAt: at,
        }
        if (!channel) {
          registerPost(db, removal, [])
          return { posts: 0 }
        }
        const asked = keyOf(channel.id, number)
        const key = loadPost(db, asked) ? asked : (albumOfMember(db, asked) ?? asked)
        const members = loadPost(db, key)?.albumNumbers ?? []
        registerPost(db, removal, members)
        const delta = new StatsDelta()
        const isErased = erasePost(db, key, delta, at)
        delta.flush(db, channel.id, at)
        refreshPace(db, channel.id, at)
        return { posts: isErased ? 1 : 0 }
      }),
    undo: (name, number) =>
      db.write(() => {
        const row = db.get<RemovalRow>(ENTRY, nameKey(name), number ?? 0)
        if (!row) return false
        // All names of a channel were registered together, and one left behind would still bar its id.
        db.run(LIFT, row.name_key, row.number, row.number, row.platform_id)
        return true
      }),
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

/** Takes up erasures that a crash cut short, and erases what a restored copy holds against the register. */
export async function finishErasures(db: Database): Promise<void> {
  await db.write(() => {
    for (const { id, posts } of db.all<{ id: number; posts: number }>(BARRED)) {
      startErasure(db, { id, posts }, 0)
    }
  })
  for (const channelId of await db.read(() => pendingErasures(db))) await eraseFully(db, channelId)
}

async function eraseFully(db: Database, channelId: number): Promise<number> {
  let erased = 0
  for (;;) {
    const some = await db.write(() => eraseSome(db, channelId, POSTS_A_STEP))
    erased += some
    if (some === 0) break
    await breathe()
  }
  if (erased > 0) await rewriteTerms(db)
  return erased
}

async function rewriteTerms(db: Database): Promise<void> {
  await db.write(() => db.run(MERGE, -PAGES_A_STEP))
  for (;;) {
    const isDone = await db.write(() => {
      const before = totalChanges(db)
      db.run(MERGE, PAGES_A_STEP)
      return totalChanges(db) - before < 2
    })
    if (isDone) return
    await breathe()
  }
}

function totalChanges(db: Database): number {
  return db.get<{ count: number }>('select total_changes() as count')!.count
}

const ENTRY = 'select * from removals where name_key = ? and number = ?'
const LIFT = `delete from removals
  where (name_key = ? and number = ?) or (number = ? and platform_id = ?)`
const LIST = 'select * from removals order by removed_at, name_key, number'
const BARRED = `select c.id, c.posts from channels c where exists (
  select 1 from removals r where r.number = 0 and (r.name_key = c.name_key or r.platform_id = c.platform_id))`
const MERGE = `insert into post_terms (post_terms, rank) values ('merge', ?)`
