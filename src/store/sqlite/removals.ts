import type { Clock } from '../../model/clock.ts'
import { nameKey } from '../../model/channel-name.ts'
import { removedBy, publicEntry } from '../plan/register.ts'
import { planChannelRemoval, planPostRemoval } from '../plan/removal.ts'
import { unpackRemoval, type StoredRemoval } from '../removal-codec.ts'
import type { Removals } from '../removals.ts'
import type { Retention } from '../retention.ts'
import type { Database } from './database.ts'
import { eraseAll, eraseWaiting, truncateWal } from './eraser.ts'
import { loadIdentity } from './load.ts'
import { reconcileRegister } from './register-copy.ts'
import { createRun } from './write.ts'

export function createRemovals(
  db: Database,
  ledger: Database,
  { retention, clock }: { readonly retention: Retention; readonly clock: Clock },
): Removals {
  const run = createRun(db)
  return {
    async removeChannel(name, reason, at) {
      const erased = await run((draft) => planChannelRemoval(draft, name, reason, at))
      await reconcileRegister(db, ledger, at)
      return { posts: await eraseAll(db, erased, retention) }
    },
    async removePost(name, number, reason, at) {
      const posts = await run((draft) => planPostRemoval(draft, name, number, reason, at))
      await reconcileRegister(db, ledger, at)
      if (posts > 0) await truncateWal(db)
      return { posts }
    },
    async resume() {
      await reconcileRegister(db, ledger, clock.now())
      await eraseWaiting(db, retention)
    },
    async undo(name, number) {
      return db.write(() => {
        const row = db.get<StoredRemoval>(ENTRY, nameKey(name), number ?? 0)
        if (!row) return false
        // All names of a channel were registered together, and one left behind would still bar its id. The ledger's copy is
        // deleted first: after a crash in between, the removal still stands.
        for (const file of [ledger, db]) {
          file.run(LIFT, row.name_key, row.number, row.number, row.platform_id)
        }
        return true
      })
    },
    find: ({ name = '', platformId = null }) =>
      db.read(() => {
        const row = db.get<StoredRemoval>(FIND, nameKey(name), platformId)
        return row && publicEntry(unpackRemoval(row))
      }),
    removed: ({ names, platformIds = [] }, numbers) =>
      db.read(() => {
        const wanted = { names: names.map(nameKey), platformIds }
        const { removals, channels } = loadIdentity(db, wanted)
        const owners = channels.flatMap(({ platformId }) => platformId ?? [])
        return removedBy(removals, [...platformIds, ...owners], numbers)
      }),
    list: () => db.read(() => db.all<StoredRemoval>(LIST).map(unpackRemoval).map(publicEntry)),
  }
}

const FIND = `select * from removals where number = 0 and (name_key = ?1 or platform_id = ?2)
  order by name_key <> ?1, removed_at, name_key limit 1`
const ENTRY = 'select * from removals where name_key = ? and number = ?'
const LIFT = `delete from removals
  where (name_key = ? and number = ?) or (number = ? and platform_id = ?)`
const LIST = 'select * from removals order by removed_at, name_key, number'
