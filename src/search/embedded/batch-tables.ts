/** The tables that a batch writes besides its segment. */
import type { DatabaseSync } from 'node:sqlite'
import { getOrMake } from '../../model/get-or-make.ts'
import type { PostRef } from '../../model/post.ts'
import { BUCKET_S } from '../bucket.ts'
import {
  CHUNK,
  CHUNK_BYTES,
  chunkColumns,
  DOMAIN,
  openTags,
  packTags,
  unpackTags,
  type Columns,
} from './columns.ts'
import { MAX_SLOTS } from './rowid.ts'
import { chunkId, createBucket } from './schema.ts'

/** The number of slots and posts of each bucket: read once per batch, changed in memory, written once. */
export function createBucketCounts(db: DatabaseSync) {
  const open = new Map<number, { slots: number; posts: number; live: number }>()
  const read = db.prepare('select next_slot, posts, live from bucket where bucket = ?')
  const write = db.prepare('update bucket set next_slot = ?, posts = ?, live = ? where bucket = ?')

  const countsOf = (bucket: number) =>
    getOrMake(open, bucket, () => {
      const row = read.get(bucket)
      if (!row) createBucket(db, bucket)
      return {
        slots: Number(row?.['next_slot'] ?? 0),
        posts: Number(row?.['posts'] ?? 0),
        live: Number(row?.['live'] ?? 0),
      }
    })

  return {
    /** Takes a slot for a post; the first post creates its bucket. An edited post takes a new slot but counts once. */
    takeSlot(bucket: number, isNew: boolean): number {
      const counts = countsOf(bucket)
      if (counts.slots >= MAX_SLOTS) {
        throw new Error(
          `a week holds at most ${MAX_SLOTS} posts here; larger indexes need OpenSearch`,
        )
      }
      if (isNew) counts.posts++
      counts.live++
      return counts.slots++
    },
    /** Takes a deleted post off the count; its slot stays empty. */
    giveUp(bucket: number): void {
      countsOf(bucket).live--
    },
    flush(): void {
      for (const [bucket, { slots, posts, live }] of open) write.run(slots, posts, live, bucket)
      open.clear()
    },
  }
}

interface Member extends PostRef {
  readonly sec: number
  readonly slot: number
}

/** The posts of each group in time order; group 0 means no group. */
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

/** Maps hashtags, hosts and languages to numbers, for facets. */
export function createNumbers(
  db: DatabaseSync,
  table: 'tag' | 'language',
): (value: string) => number {
  const known = new Map<string, number>()
  const find = db.prepare(`select id from ${table} where value = ?`)
  const add = db.prepare(`insert into ${table} (value) values (?)`)
  return (value) =>
    getOrMake(known, value, () => Number(find.get(value)?.['id'] ?? add.run(value).lastInsertRowid))
}

/** Deletes the numbers of hashtags and hosts that no post in the window has any more; authors keep inventing hashtags. */
export function forgetTags(db: DatabaseSync): void {
  const used = new Set<number>()
  for (const row of db.prepare('select tags from chunk').iterate()) {
    for (const id of openTags(row['tags'] as Uint8Array).ids) used.add(id % DOMAIN)
  }
  const known = db.prepare('select id from tag').all()
  const forget = db.prepare('delete from tag where id = ?')
  for (const row of known) if (!used.has(Number(row['id']))) forget.run(row['id']!)
}

interface OpenChunk {
  readonly id: number
  readonly columns: Columns
  packed: Uint8Array
  lists: (readonly number[])[] | null
}

/** The chunks that one batch touches: read once, changed in memory, written once. */
export function createChunkEditor(db: DatabaseSync, seq: number) {
  const open = new Map<number, OpenChunk>()
  const read = db.prepare('select data, tags from chunk where id = ?')
  const write = db.prepare('insert or replace into chunk (id, seq, data, tags) values (?, ?, ?, ?)')

  function chunkOf(bucket: number, slot: number): OpenChunk {
    const id = chunkId(bucket, Math.floor(slot / CHUNK))
    return getOrMake(open, id, () => {
      const row = read.get(id) as { data: Uint8Array; tags: Uint8Array } | undefined
      return {
        id,
        columns: chunkColumns(row?.data ?? new Uint8Array(CHUNK_BYTES)),
        packed: row?.tags ?? packTags([]),
        lists: null,
      }
    })
  }

  return {
    /** The chunk's columns and the index of the slot in them. */
    edit: (bucket: number, slot: number) => ({
      columns: chunkOf(bucket, slot).columns,
      at: slot % CHUNK,
    }),
    setTags(bucket: number, slot: number, tags: readonly number[]): void {
      const chunk = chunkOf(bucket, slot)
      chunk.lists ??= unpackTags(chunk.packed)
      chunk.lists[slot % CHUNK] = tags
    },
    flush(): void {
      for (const chunk of open.values()) {
        const tags = chunk.lists ? packTags(chunk.lists) : chunk.packed
        write.run(chunk.id, seq, new Uint8Array(chunk.columns.buffer), tags)
      }
      open.clear()
    },
  }
}
