import { nameKey } from '../../model/channel-name.ts'
import { numbersOf, postEntries, publicEntry } from '../plan/register.ts'
import { planChannelRemoval, planPostRemoval } from '../plan/removal.ts'
import type { Removals } from '../removals.ts'
import type { Retention } from '../store.ts'
import type { Database } from './database.ts'
import { eraseAll, eraseWaiting, wipeTraces } from './eraser.ts'
import { load } from './load.ts'
import { findRemoval, unpackRemoval, type RemovalRow } from './register.ts'
import { reconcileRegister } from './register-copy.ts'
import { createRun } from './write.ts'

export function createRemovals(db: Database, ledger: Database, retention: Retention): Removals {
  const run = createRun(db)
  return {
    async removeChannel(name, reason, at) {
      const erased = await run(() => planChannelRemoval(name, reason, at))
      await reconcileRegister(db, ledger, at)
      return { posts: await eraseAll(db, erased, retention) }
    },
    async removePost(name, number, reason, at) {
      const posts = await run(() => planPostRemoval(name, number, reason, at))
      await reconcileRegister(db, ledger, at)
      if (posts > 0) await wipeTraces(db)
      return { posts }
    },
    resume: () => eraseWaiting(db, retention),
    async undo(name, number) {
      return db.write(() => {
        const row = db.get<RemovalRow>(ENTRY, nameKey(name), number ?? 0)
        if (!row) return false
        // All names of a channel were registered together, and one left behind would still bar its id. The copy goes
        // first: cut short in between, the removal stands.
        for (const file of [ledger, db]) {
          file.run(LIFT, row.name_key, row.number, row.number, row.platform_id)
        }
        return true
      })
    },
    find: (channel) => db.read(() => findRemoval(db, channel)),
    findPost: (name, number) =>
      db.read(() => {
        const key = nameKey(name)
        const { channels, names = [], removals = [] } = load(db, { channels: { names: [key] } })
        const owned = [key, ...names.map((row) => nameKey(row.name))]
        const entries = postEntries(removals, owned, channels?.[0]?.platformId ?? null)
        const entry = entries.find((row) => numbersOf(row).includes(number))
        return entry && publicEntry(entry)
      }),
    list: () => db.read(() => db.all<RemovalRow>(LIST).map(unpackRemoval)),
  }
}

const ENTRY = 'select * from removals where name_key = ? and number = ?'
const LIFT = `delete from removals
  where (name_key = ? and number = ?) or (number = ? and platform_id = ?)`
const LIST = 'select * from removals order by removed_at, name_key, number'
