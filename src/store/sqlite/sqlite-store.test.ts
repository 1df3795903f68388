import '../../../test/fast-check.ts'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe } from 'node:test'
import { openAtNoon } from '../../../test/open-temporary.ts'
import { describeStore } from '../contract/store.ts'
import { describeHistories } from '../contract/equal.ts'
import { describeDeadOwners } from '../contract/frontier.ts'
import { describeRecount } from '../contract/recount.ts'
import type { OpenStore } from '../contract/samples.ts'
import type { Store } from '../store.ts'
import { STORE_FILE } from './sqlite-store.ts'

const opened = new Set<Store>()

const open: OpenStore = async (retention) => {
  const { store, setNow } = await openAtNoon(retention)
  opened.add(store)
  return { store, setNow }
}

async function spoil({ files }: Store): Promise<void> {
  using db = new DatabaseSync(join(files!.folder, STORE_FILE))
  db.exec(`update channel_features set value = 'ёлка' where value = 'елка';
    delete from channel_features where kind = 2; update posts set flags = flags & ~1023;
    delete from channel_starts; delete from totals where name glob 'derived/*'`)
}

after(async () => {
  for (const store of opened) await store[Symbol.asyncDispose]()
})

describe('sqlite', () => {
  describeStore(open)
  describeDeadOwners(open)
  describeRecount(open, spoil)
  describeHistories(open, 15)
})
