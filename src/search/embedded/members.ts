import type { DatabaseSync } from 'node:sqlite'
import type { PostRef } from '../../model/post.ts'
import { BUCKET_S } from '../bucket.ts'

interface Member extends PostRef {
  readonly sec: number
  readonly slot: number
}

/** Which posts are in which group, in the order of time; 0 is no group. */
export function createMembers(db: DatabaseSync) {
  const add = db.prepare(
    'insert or replace into member (grp, sec, channel, number, slot) values (?, ?, ?, ?, ?)',
  )
  const drop = db.prepare(
    'delete from member where grp = ? and sec = ? and channel = ? and number = ?',
  )
  return {
    add(group: number, { sec, channelId, number, slot }: Member): void {
      if (group !== 0) add.run(group, sec, channelId, number, slot)
    },
    drop(group: number, { sec, channelId, number }: Omit<Member, 'slot'>): void {
      if (group !== 0) drop.run(group, sec, channelId, number)
    },
    forgetBefore(bucket: number): void {
      const sec = bucket * BUCKET_S
      db.prepare('delete from ref where sec < ?').run(sec)
      db.prepare('delete from member where sec < ?').run(sec)
    },
  }
}
