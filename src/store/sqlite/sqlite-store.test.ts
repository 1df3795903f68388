import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { describeArchive } from '../contract/archive.ts'
import type { OpenStore } from '../contract/samples.ts'
import type { Store } from '../store.ts'
import { openSqliteStore } from './sqlite-store.ts'

const root = mkdtempSync(join(tmpdir(), 'telegrep-store-'))
const opened: Store[] = []

const open: OpenStore = async (retention) => {
  let now = 0
  const store = await openSqliteStore({
    folder: mkdtempSync(join(root, 'store-')),
    retention: { deleted: 'redact', versions: 'keep', ...retention },
    clock: { now: () => now, sleep: async () => {} },
  })
  opened.push(store)
  return { store, setNow: (at) => (now = at) }
}

after(async () => {
  for (const store of opened) await store[Symbol.asyncDispose]()
  rmSync(root, { recursive: true, force: true })
})

describe('sqlite', () => {
  describeArchive(open)
})
