import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { engines, whyNoEngines } from '../../../test/engines.ts'
import { createSchemas, onDatabase } from '../../../test/postgres.ts'
import { MINUTE } from '../contract/samples.ts'
import { openDatabase } from './database.ts'
import type { Connection } from './connection.ts'
import { createPool } from './pool.ts'
import { openPostgresStore, storeOn } from './postgres-store.ts'

const UNLIMITED = { waitMs: null, limitMs: null }

describe('a pool', () => {
  const connection: Connection = {
    send: async () => Object.assign([], { count: 0 }),
    isLost: () => false,
    destroy: () => {},
    close: async () => {},
  }

  test('rejects a caller who waits too long for a connection, and does not run its work later', async () => {
    const pool = createPool(() => connection, 1)
    const held = Promise.withResolvers<void>()
    const used: string[] = []
    const first = pool.use(UNLIMITED, () => held.promise)
    const impatient = pool.use({ waitMs: 1, limitMs: null }, async () => used.push('impatient'))
    const patient = pool.use(UNLIMITED, async () => used.push('patient'))
    await assert.rejects(impatient, { code: 'ALL_IN_USE' })
    assert.deepEqual(used, [])
    held.resolve()
    await Promise.all([first, patient])
    assert.deepEqual(used, ['patient'])
    await pool.close()
  })
})

describe('connections to PostgreSQL', { skip: whyNoEngines() }, () => {
  const schemas = createSchemas()
  after(() => schemas.drop())

  test('that the server refuses are not needed as long as there is one', async () => {
    const role = schemas.name()
    const run = (sql: string) => onDatabase(role, (db) => db.slow.script(sql))
    const allow = (connections: number) => run(`alter role ${role} connection limit ${connections}`)
    await run(`create role ${role} login password 'x'`)
    const url = Object.assign(new URL(engines().databaseUrl), {
      username: role,
      password: 'x',
    }).href
    const db = openDatabase({ url, schema: role, connections: 5 })
    const ask = (sql: string) =>
      Promise.allSettled([
        ...[1, 2, 3, 4].map(() => db.all(sql)),
        ...[5, 6, 7, 8].map(() => db.transaction((tx) => tx.all(sql))),
      ])
    const reasons = (asked: Awaited<ReturnType<typeof ask>>) =>
      asked.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
    try {
      await allow(0)
      const none = reasons(await ask('select 1'))
      assert.equal(none.length, 8)
      for (const reason of none) assert.match(reason, /no connection to spare/)
      await allow(2)
      for (let again = 0; again < 3; again++)
        assert.deepEqual(reasons(await ask('select pg_sleep(0.05)')), [])
    } finally {
      await db.close()
      await run(`drop role ${role}`)
    }
  })

  test('that are all in use do not block pings or roles', async () => {
    const retention = { deleted: 'redact', versions: 'keep' } as const
    const options = { url: engines().databaseUrl, schema: schemas.name(), retention }
    await (await openPostgresStore(options))[Symbol.asyncDispose]()
    const db = openDatabase({ ...options, connections: 1 })
    const store = storeOn(db, options)
    await db.transaction(async () => {
      assert.ok((await store.ping()) > 0)
      const role = await store.roles.acquire('role', 'owner', MINUTE)
      assert.ok(await store.roles.renew(role!, MINUTE))
    })
    await db.close()
  })
})
