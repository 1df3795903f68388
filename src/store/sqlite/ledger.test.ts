import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createStillClock } from '../../simulator/clocks.ts'
import { DAY, HOUR, NOON } from '../contract/samples.ts'
import { openDatabase, type Database } from './database.ts'
import { createLedger } from './ledger.ts'
import { readSchema } from './schema.ts'
import { openSqliteStore } from './sqlite-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'telegrep-ledger-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const [NORMAL, FULL] = [1, 2]

test('a change of a key is synced to disk, but counting requests is not', async () => {
  const schema = readSchema('ledger')
  const path = join(folder, 'ledger.db')
  const db = await openDatabase({ path, synchronous: 'normal', schema, cacheKib: 64 })
  const synced = () => db.get<{ synchronous: number }>('pragma synchronous')!.synchronous
  const seen: number[] = []
  const watched: Database = {
    ...db,
    run(sql, ...values) {
      seen.push(synced())
      return db.run(sql, ...values)
    },
  }
  const ledger = createLedger(watched, createStillClock(NOON))
  const key = { id: 'k1', name: 'a key', tier: 'free', createdAt: NOON, secretHash: 'a'.repeat(64) }
  await Promise.all([ledger.addKey(key), ledger.addKey({ ...key, id: 'k2' })])
  await ledger.addSecret('k1', 'b'.repeat(64))
  await ledger.revokeKey('k1', NOON)
  assert.deepEqual(seen.splice(0), [FULL, FULL, FULL, FULL])
  await assert.rejects(ledger.addKey(key), /UNIQUE/)
  await ledger.charge({
    caller: 'k2',
    policy: 'day',
    limit: 9,
    amount: 1,
    windowMs: DAY,
    starts: 'first',
  })
  assert.deepEqual(seen, [FULL, NORMAL])
  assert.equal(synced(), NORMAL)
  db.close()
})

test('counting the requests of thousands of callers does not grow the files', async () => {
  const own = join(folder, 'room')
  const clock = createStillClock(NOON)
  const retention = { deleted: 'redact', versions: 'keep' } as const
  await using store = await openSqliteStore({ folder: own, retention, clock })
  const sizes = () => ['ledger.db', 'ledger.db-wal'].map((file) => statSync(join(own, file)).size)
  const before = sizes()
  const rule = { limit: 1000, amount: 5, windowMs: HOUR, starts: 'first' } as const
  for (let i = 0; i < 6_000; i++) {
    await store.ledger.charge({
      ...rule,
      caller: `ip:${String(i % 2_000).padStart(32)}`,
      policy: 'burst',
    })
  }
  assert.deepEqual(sizes(), before)
})
