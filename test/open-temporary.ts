import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, type Clock } from '../src/model/clock.ts'
import { NOON, type OpenStore } from '../src/store/contract/samples.ts'
import type { Roles } from '../src/store/roles.ts'
import { openSqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import type { Retention, Store } from '../src/store/store.ts'

const RETENTION = { deleted: 'redact', versions: 'keep' } as const

/** An empty store, made once in each process: copying its files takes a fifth of the time that making them does. */
let template: Promise<string> | undefined

/**
 * A SQLite store with a folder of its own, which is gone once the store is closed, or at the latest with the process.
 * `npm test` has its temporary folder in memory, so that such a store waits for no disk.
 */
export async function openTemporary(
  clock: Clock = systemClock,
  kept: Partial<Retention> = {},
): Promise<Store> {
  const empty = await (template ??= makeTemplate())
  const folder = mkdtempSync(`${empty}-`)
  cpSync(empty, folder, { recursive: true })
  const store = await openSqliteStore({ folder, retention: { ...RETENTION, ...kept }, clock })
  return {
    ...store,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The same for contract suites, whose clock begins at noon. */
export const openAtNoon: OpenStore = async (retention) => {
  let now = NOON
  const clock = { now: () => now, elapsed: () => now, sleep: async () => {} }
  return { store: await openTemporary(clock, retention), setNow: (at) => (now = at) }
}

async function makeTemplate(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'telegrep-stores-'))
  process.on('exit', () => rmSync(root, { recursive: true, force: true }))
  const folder = join(root, 'store')
  await (await openSqliteStore({ folder, retention: RETENTION }))[Symbol.asyncDispose]()
  return folder
}

/**
 * The store as processes of other hosts lease its roles: of several owners in one process, all but the last count as dead
 * (`isDeadHere`).
 */
export function fromElsewhere(store: Store): Store {
  const { roles } = store
  const acquire: Roles['acquire'] = (name, owner, ttlMs) =>
    roles.acquire(name, `elsewhere/${owner}`, ttlMs)
  return { ...store, roles: { ...roles, acquire } }
}
