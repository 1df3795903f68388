import { nameKey } from '../../model/channel-name.ts'
import { removedBy, publicEntry } from '../plan/register.ts'
import { planChannelRemoval, planPostRemoval } from '../plan/removal.ts'
import { unpackRemoval, type StoredRemoval } from '../removal-codec.ts'
import type { Removals } from '../removals.ts'
import type { Retention } from '../retention.ts'
import type { Database } from './database.ts'
import { eraseAll, eraseWaiting } from './eraser.ts'
import { CONCERNING } from './load-identity.ts'
import { REMOVALS } from './register.ts'
import { createRun } from './write.ts'

export function createRemovals(db: Database, retention: Retention): Removals {
  const run = createRun(db)
  return {
    async removeChannel(name, reason, at) {
      const erased = await run((draft) => planChannelRemoval(draft, name, reason, at))
      return { posts: await eraseAll(db, erased, retention) }
    },
    async removePost(name, number, reason, at) {
      return { posts: await run((draft) => planPostRemoval(draft, name, number, reason, at)) }
    },
    resume: () => eraseWaiting(db, retention),
    async undo(name, number) {
      return (await db.run(LIFT, nameKey(name), number ?? 0)) > 0
    },
    async find({ name = '', platformId = null }) {
      const row = await db.get<StoredRemoval>(FIND, nameKey(name), platformId)
      return row && publicEntry(unpackRemoval(row))
    },
    async removed({ names, platformIds = [] }, numbers) {
      const keys = names.map(nameKey)
      const rows = await db.all<StoredRemoval>(CONCERNING, [], platformIds, keys)
      const owners = rows.length === 0 ? [] : await db.all<{ id: number }>(OWNERS, keys)
      const ids = [...platformIds, ...owners.map(({ id }) => id)]
      return removedBy(rows.map(unpackRemoval), ids, numbers)
    },
    async list() {
      return (await db.slow.all<StoredRemoval>(LIST)).map(unpackRemoval).map(publicEntry)
    },
  }
}

const FIND = `select ${REMOVALS.columns} from (select * from removals where name_key = $1 and number = 0
    union all select * from removals where platform_id = $2 and number = 0) r
  order by name_key <> $1, removed_at, name_key limit 1`
// All names of a channel were registered together, and one left behind would still bar its id.
const LIFT = `with entry as (select platform_id from removals where name_key = $1 and number = $2)
  delete from removals r using entry e
  where r.number = $2 and (r.name_key = $1 or r.platform_id = e.platform_id)`
const OWNERS = `select platform_id as id from channels where platform_id is not null
  and id in (select channel_id from channel_names where name_key = any($1::text[]))`
const LIST = `select ${REMOVALS.columns} from removals order by removed_at, name_key, number`
