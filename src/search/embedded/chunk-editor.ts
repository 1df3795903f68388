import type { DatabaseSync } from 'node:sqlite'
import { CHUNK, CHUNK_BYTES, chunkColumns, packTags, unpackTags, type Columns } from './columns.ts'
import { chunkId } from './schema.ts'

/** The chunks one batch touches: read once, changed in memory, written once. */
export interface ChunkEditor {
  /** The chunk's columns and the place of the slot in them. */
  edit(bucket: number, slot: number): { readonly columns: Columns; readonly at: number }
  setTags(bucket: number, slot: number, tags: readonly number[]): void
  flush(): void
}

interface OpenChunk {
  readonly id: number
  readonly columns: Columns
  packed: Uint8Array
  lists: (readonly number[])[] | null
}

export function createChunkEditor(db: DatabaseSync, seq: number): ChunkEditor {
  const open = new Map<number, OpenChunk>()
  const read = db.prepare('select data, tags from chunk where id = ?')
  const write = db.prepare('insert or replace into chunk (id, seq, data, tags) values (?, ?, ?, ?)')

  function chunkOf(bucket: number, slot: number): OpenChunk {
    const id = chunkId(bucket, Math.floor(slot / CHUNK))
    let chunk = open.get(id)
    if (!chunk) {
      const row = read.get(id) as { data: Uint8Array; tags: Uint8Array } | undefined
      chunk = {
        id,
        columns: chunkColumns(row?.data ?? new Uint8Array(CHUNK_BYTES)),
        packed: row?.tags ?? packTags([]),
        lists: null,
      }
      open.set(id, chunk)
    }
    return chunk
  }

  return {
    edit(bucket, slot) {
      return { columns: chunkOf(bucket, slot).columns, at: slot % CHUNK }
    },
    setTags(bucket, slot, tags) {
      const chunk = chunkOf(bucket, slot)
      chunk.lists ??= unpackTags(chunk.packed)
      chunk.lists[slot % CHUNK] = tags
    },
    flush() {
      for (const chunk of open.values()) {
        const tags = chunk.lists ? packTags(chunk.lists) : chunk.packed
        write.run(chunk.id, seq, new Uint8Array(chunk.columns.buffer), tags)
      }
      open.clear()
    },
  }
}
