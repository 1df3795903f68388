import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { engines, whyNoEngines } from '../../../test/engines.ts'
import { createSchemas } from '../../../test/postgres.ts'
import { CONSUMER, MINUTE } from '../contract/samples.ts'
import { createChanges } from './changes.ts'
import { openDatabase, type Database } from './database.ts'
import { createLowWater } from './low-water.ts'
import { openPostgresStore, storeOn } from './postgres-store.ts'

/** More than are copied or deleted in one step. */
const MANY = 6_000

describe('queues of changes on PostgreSQL', { skip: whyNoEngines() }, () => {
  const schemas = createSchemas()
  const retention = { deleted: 'redact', versions: 'keep' } as const
  const options = { url: engines().databaseUrl, schema: schemas.name(), retention }
  let db: Database
  before(async () => {
    await using store = await openPostgresStore(options)
    await store.changes.register(CONSUMER)
    db = openDatabase(options)
    await db.script(`insert into changes (consumer, channel_id, number, what, at)
      select (select id from consumers), 1, ${MANY} - n, 2, n from generate_series(0, ${MANY - 1}) as n`)
  })
  after(async () => {
    await db.close()
    await schemas.drop()
  })
  const count = async (sql: string) => (await db.get<{ n: number }>(sql))!.n
  const ALL = 'select count(*)::integer as n from changes'

  test('are copied in order for a consumer that joins, and emptied when it is unregistered', async () => {
    const { changes } = storeOn(db, options)
    assert.deepEqual(await changes.register('second'), { rebuild: 'due' })
    assert.equal(await count(ALL), 2 * MANY)
    const claim = await changes.claim('second', { limit: MANY, ttlMs: MINUTE })
    const numbers = claim!.changes.map((change) => ('number' in change ? change.number : 0))
    assert.deepEqual(
      numbers,
      Array.from({ length: MANY }, (_, n) => MANY - n),
    )
    await changes.unregister('second')
    assert.equal(await count(ALL), MANY)
    assert.equal((await changes.pending(CONSUMER, MANY + 1)).count, MANY)
  })

  test('left behind by a consumer that a crashed process unregistered are emptied by tidy', async () => {
    await db.run(`insert into changes (consumer, channel_id, number, what, at)
      select 99, 1, n, 2, 0 from generate_series(1, ${MANY}) as n`)
    await storeOn(db, options).tidy!()
    assert.equal(await count(ALL), MANY)
  })

  test('are claimed from a low-water mark, and from the beginning once a minute', async () => {
    let elapsed = 0
    const marks = () => createLowWater(() => elapsed)
    const changes = createChanges(db, () => null, marks(), marks())
    const take = async () => {
      const claim = await changes.claim(CONSUMER, { limit: 100, ttlMs: MINUTE })
      if (claim) await changes.done(claim)
      return claim?.changes.length
    }
    for (const seconds of [0, 31, 62]) {
      elapsed = seconds * 1000
      assert.equal(await take(), 100)
    }
    await db.run('update changes set seq = 1 where channel_id = 1 and number = 1')
    const first = 'select count(*)::integer as n from changes where number = 1'
    elapsed = 63_000
    await take()
    assert.equal(await count(first), 1, 'it is below the mark')
    elapsed = 123_000
    await take()
    assert.equal(await count(first), 0)
  })
})
