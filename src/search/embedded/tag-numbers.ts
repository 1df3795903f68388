import type { DatabaseSync } from 'node:sqlite'
import { DOMAIN, openTags } from './columns.ts'

/** Hashtags, hosts and languages as numbers, for facets. */
export function createNumbers(
  db: DatabaseSync,
  table: 'tag' | 'language',
): (value: string) => number {
  const known = new Map<string, number>()
  const find = db.prepare(`select id from ${table} where value = ?`)
  const add = db.prepare(`insert into ${table} (value) values (?)`)
  return (value) => {
    let id = known.get(value)
    if (id === undefined) {
      id = Number(find.get(value)?.['id'] ?? add.run(value).lastInsertRowid)
      known.set(value, id)
    }
    return id
  }
}

/** Authors invent hashtags without end: those that no post of the window has any more give their numbers back. */
export function forgetTags(db: DatabaseSync): void {
  const used = new Set<number>()
  for (const row of db.prepare('select tags from chunk').iterate()) {
    for (const id of openTags(row['tags'] as Uint8Array).ids) used.add(id % DOMAIN)
  }
  const known = db.prepare('select id from tag').all()
  const forget = db.prepare('delete from tag where id = ?')
  for (const row of known) if (!used.has(Number(row['id']))) forget.run(row['id']!)
}
