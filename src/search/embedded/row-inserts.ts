import type { StatementSync } from 'node:sqlite'

interface Row {
  readonly tok: string
  readonly stem: string
  readonly fact: string
}

/**
 * What a batch adds to the FTS5 tables, held back and put in by ascending rowid. FTS5 writes a segment of its own
 * whenever a rowid is not above the one before, and posts come oldest first, whose rowids fall: put in as they come,
 * every post would be a segment.
 */
export function createRowInserts(statement: (sql: string) => StatementSync) {
  const held = new Map<number, Map<number, Row>>()

  return {
    add(bucket: number, rowid: number, row: Row): void {
      let rows = held.get(bucket)
      if (!rows) held.set(bucket, (rows = new Map()))
      rows.set(rowid, row)
    },
    /** Takes a row out again, whether it is held back or in the table already. */
    remove(bucket: number, rowid: number): void {
      if (held.get(bucket)?.delete(rowid)) return
      statement(`delete from fts_${bucket} where rowid = cast(? as integer)`).run(rowid)
    },
    flush(): void {
      for (const [bucket, rows] of held) {
        const insert = statement(
          `insert into fts_${bucket} (rowid, tok, stem, fact) values (cast(? as integer), ?, ?, ?)`,
        )
        const rowids = Float64Array.from(rows.keys()).sort()
        for (const rowid of rowids) {
          const { tok, stem, fact } = rows.get(rowid)!
          insert.run(rowid, tok, stem, fact)
        }
      }
      held.clear()
    },
  }
}
