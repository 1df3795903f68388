import '../../../test/fast-check.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe } from 'node:test'
import { describeStore } from '../contract/store.ts'
import { describeEqual } from '../contract/equal.ts'
import { describeDeadOwners } from '../contract/frontier.ts'
import { describeRecount } from '../contract/recount.ts'
import { NOON, type OpenStore } from '../contract/samples.ts'
import type { Store } from '../store.ts'
import { STORE_FILE, openSqliteStore } from './sqlite-store.ts'

const root = mkdtempSync(join(tmpdir(), 'telegrep-store-'))
const opened = new Set<Store>()

const open: OpenStore = async (retention) => {
  let now = NOON
  const store = await openSqliteStore({
    folder: mkdtempSync(join(root, 'store-')),
    retention: { deleted: 'redact', versions: 'keep', ...retention },
    clock: { now: () => now, elapsed: () => now, sleep: async () => {} },
  })
  opened.add(store)
  return { store, setNow: (at) => (now = at) }
}

async function spoil({ files }: Store): Promise<void> {
  using db = new DatabaseSync(join(files!.folder, STORE_FILE))
  db.exec(`update channel_features set value = 'ёлка' where value = 'елка';
    delete from channel_features where kind = 2; update posts set flags = flags & ~1023;
    delete from channel_starts; delete from totals where name glob 'derived/*'`)
}

after(async () => {
  for (const store of opened) await store[Symbol.asyncDispose]()
  rmSync(root, { recursive: true, force: true })
})

describe('sqlite', () => {
  describeStore(open)
  describeDeadOwners(open)
  describeRecount(open, spoil)
  describeEqual(open, 15)
})
