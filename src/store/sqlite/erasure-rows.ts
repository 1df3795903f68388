import type { ErasureRow, Wanted, Writes } from '../plan/rows.ts'
import type { Database } from './database.ts'
import { rangeOfChannel } from './post-range.ts'

/** Channels whose posts are still being erased. */

export function loadErasures(
  db: Database,
  { channelId, heir }: NonNullable<Wanted['erasures']>,
): ErasureRow[] {
  return db.all<ErasureRow>(ERASURES, channelId ?? null, heir ?? null)
}

export function writeErasures(db: Database, { erasures, heirs, erasuresDone }: Writes): void {
  for (const { channelId, heir, begunAt } of erasures) {
    db.run('insert or ignore into erasures values (?, ?, ?)', channelId, heir, begunAt)
  }
  for (const { from, to } of heirs) db.run('update erasures set heir = ? where heir = ?', to, from)
  for (const id of erasuresDone) {
    // Members have higher numbers than their album, so some may remain when the album is erased.
    const { from, to } = rangeOfChannel(id)
    db.run('delete from post_members where key between ? and ?', from, to)
    db.run('delete from erasures where channel_id = ?', id)
  }
}

const ERASURES = `select channel_id as channelId, heir, begun_at as begunAt from erasures
  where channel_id = ? or heir = ?`
