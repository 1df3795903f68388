import { isPostNumber } from '../../model/post.ts'
import { channelByPlatformId, channelIdByName } from './channel-rows.ts'
import type { Database } from './database.ts'
import { keyOf } from './post-codec.ts'
import { erasePost } from './post-rows.ts'
import { numbersOf, type RemovalRow } from './register.ts'
import { StatsDelta, refreshPace } from './stats-delta.ts'

/**
 * The register lives in the store, where writes are held against it in their own transaction. The ledger has a copy:
 * when an older `store.db` is put back from a backup, what was removed since goes before anything is served. Called at
 * the start and after each removal; what a crash keeps from one file the next start brings there.
 */
export async function reconcileRegister(
  db: Database,
  ledger: Database,
  now: number,
): Promise<void> {
  const kept = await db.read(() => db.all<RemovalRow>(ALL))
  const copied = await ledger.read(() => ledger.all<RemovalRow>(ALL))
  const lost = without(copied, kept)
  if (lost.length > 0) {
    await db.write(() => {
      for (const row of lost) {
        insert(db, row)
        if (row.number > 0) eraseNumbers(db, row, now)
      }
    })
  }
  await copyRows(ledger, without(kept, copied))
}

async function copyRows(ledger: Database, rows: readonly RemovalRow[]): Promise<void> {
  if (rows.length === 0) return
  await ledger.write(() => {
    for (const row of rows) insert(ledger, row)
  })
}

function insert(db: Database, row: RemovalRow): void {
  const { name_key, number, platform_id, members, reason, removed_at } = row
  db.run(INSERT, name_key, number, platform_id, members, reason, removed_at)
}

function eraseNumbers(db: Database, row: RemovalRow, now: number): void {
  const byId = row.platform_id === null ? undefined : channelByPlatformId(db, row.platform_id)?.id
  const channelId = byId ?? channelIdByName(db, row.name_key)
  if (channelId === undefined) return
  const delta = new StatsDelta()
  for (const number of numbersOf(row).filter(isPostNumber)) {
    erasePost(db, keyOf(channelId, number), delta, now)
  }
  delta.flush(db, channelId, now)
  refreshPace(db, channelId, now)
}

function without(rows: readonly RemovalRow[], others: readonly RemovalRow[]): RemovalRow[] {
  const id = ({ name_key, number }: RemovalRow) => `${name_key}/${number}`
  const known = new Set(others.map(id))
  return rows.filter((row) => !known.has(id(row)))
}

const ALL = 'select * from removals'
const INSERT = 'insert or ignore into removals values (?, ?, ?, ?, ?, ?)'
