import type { DatabaseSync } from 'node:sqlite'
import type { PostRef } from '../../model/post.ts'
import { assignGroup, type GroupBook } from '../duplicates.ts'
import type { IndexDocument } from '../search-index.ts'
import type { ChunkEditor } from './chunk-editor.ts'
import { COPY_FLAG } from './columns.ts'
import { BUCKET_S, bucketOf } from '../bucket.ts'

interface Member extends PostRef {
  readonly sec: number
  readonly slot: number
}

/** Groups of near-identical posts. A post alone in its group shows none in its columns. */
export function createGroups(db: DatabaseSync, seq: number, chunks: ChunkEditor) {
  const book = createBook(db)
  const add = db.prepare(
    'insert or replace into member (grp, sec, channel, number, slot) values (?, ?, ?, ?, ?)',
  )
  const drop = db.prepare(
    'delete from member where grp = ? and sec = ? and channel = ? and number = ?',
  )
  const touch = db.prepare('update grp set last_sec = max(last_sec, ?) where id = ?')
  const earliest = db.prepare(
    'select sec, channel, number, slot from member where grp = ? order by sec, channel, number limit 2',
  )

  /** Marks a post as first of its group or as a copy; a change counts as a change of the post. */
  function mark(group: number, member: Member, isCopy: boolean): void {
    const { columns, at } = chunks.edit(bucketOf(member.sec), member.slot)
    const flags = isCopy ? columns.flags[at]! | COPY_FLAG : columns.flags[at]! & ~COPY_FLAG
    if (columns.flags[at] !== flags) columns.seq[at] = seq
    columns.flags[at] = flags
    columns.group[at] = group
  }

  function firstTwo(group: number): Member[] {
    return earliest.all(group).map((row) => ({
      sec: Number(row['sec']),
      channelId: Number(row['channel']),
      number: Number(row['number']),
      slot: Number(row['slot']),
    }))
  }

  return {
    /** The group's number; 0 for a post with nothing to compare. */
    join(document: IndexDocument, place: { readonly sec: number; readonly slot: number }): number {
      const group = assignGroup(document, book)
      if (group === undefined) return 0
      const before = firstTwo(group)[0]
      const member = { channelId: document.channelId, number: document.number, ...place }
      add.run(group, member.sec, member.channelId, member.number, member.slot)
      touch.run(member.sec, group)
      if (!before) return group
      const isFirst = comesBefore(member, before)
      mark(group, before, isFirst)
      mark(group, member, !isFirst)
      return group
    },
    leave(group: number, member: Member): void {
      if (group === 0) return
      drop.run(group, member.sec, member.channelId, member.number)
      const [first, second] = firstTwo(group)
      if (first) mark(second ? group : 0, first, false)
    },
    forgetBefore(bucket: number): void {
      const sec = bucket * BUCKET_S
      db.prepare('delete from ref where sec < ?').run(sec)
      db.prepare('delete from member where sec < ?').run(sec)
      db.prepare('delete from grp where last_sec < ?').run(sec)
      db.exec('delete from grp_key where grp not in (select id from grp)')
    },
  }
}

function comesBefore(a: Member, b: Member): boolean {
  return (a.sec - b.sec || a.channelId - b.channelId || a.number - b.number) < 0
}

function createBook(db: DatabaseSync): GroupBook {
  const find = db.prepare('select grp from grp_key where key = ?')
  const sketch = db.prepare('select sketch from grp where id = ?')
  const create = db.prepare('insert into grp (sketch, last_sec) values (?, 0)')
  const link = db.prepare('insert or ignore into grp_key (key, grp) values (?, ?)')
  return {
    find(key) {
      const row = find.get(key)
      return row ? Number(row['grp']) : undefined
    },
    sketch(group) {
      const bytes = sketch.get(group)?.['sketch'] as Uint8Array | undefined
      if (!bytes) return []
      return Array.from(bytes)
    },
    create(values) {
      return Number(create.run(Uint8Array.from(values)).lastInsertRowid)
    },
    link(key, group) {
      link.run(key, group)
    },
  }
}
