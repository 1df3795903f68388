import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { engines, whyNoEngines } from '../../../test/engines.ts'
import { createSchemas, onDatabase } from '../../../test/postgres.ts'
import { sessionPrefix, type Database } from './database.ts'
import { verifyStore } from './verify.ts'
import {
  CONSUMER,
  DAY,
  HOUR,
  MINUTE,
  sampleProfile,
  samplePost,
  sampleReading,
  ended,
} from '../contract/samples.ts'
import { sampleWatch } from '../contract/watches.ts'
import type { Store } from '../store.ts'
import { SCHEMA_VERSION } from '../schema-version.ts'
import { openPostgresStore } from './postgres-store.ts'

/** Several processes on one database; here each is a store with a pool of its own. */
describe('several processes on one PostgreSQL', { skip: whyNoEngines() }, () => {
  const retention = { deleted: 'redact', versions: 'keep' } as const
  const schemas = createSchemas()
  const opened: Store[] = []
  after(async () => {
    for (const store of opened) await store[Symbol.asyncDispose]()
    await schemas.drop()
  })
  const openAll = async (count: number, schema = schemas.name()) => {
    const options = { url: engines().databaseUrl, schema, connections: 3, retention }
    const stores = await Promise.all(
      Array.from({ length: count }, () => openPostgresStore(options)),
    )
    opened.push(...stores)
    return { schema, stores }
  }
  const fill = async (store: Store, channels: number, posts = 0): Promise<number[]> => {
    const ids: number[] = []
    for (let i = 0; i < channels; i++) {
      const at = Date.now()
      const added = await store.archive.addChannel(`channel_${i}`, { at, status: 'queued' })
      if (added.outcome === 'removed') throw new Error('removed')
      ids.push(added.channel.id)
      const reading = sampleReading(added.channel.id, {
        at,
        posts: Array.from({ length: posts }, (_, n) => samplePost(n + 1)),
      })
      if (posts > 0) await store.archive.record(reading)
    }
    return ids
  }

  test('that start at once make the schema once', async () => {
    const { schema, stores } = await openAll(5)
    const versions = await Promise.all(stores.map((store) => store.describe()))
    assert.deepEqual(
      versions.map(({ schemaVersion }) => schemaVersion),
      versions.map(() => SCHEMA_VERSION),
    )
    const rows = await onDatabase(schema, (db) => db.all('select version from schema_versions'))
    assert.deepEqual(rows, [{ version: SCHEMA_VERSION }])
  })

  test('never lease a channel twice', async () => {
    const { stores } = await openAll(4)
    const ids = await fill(stores[0]!, 60)
    const leased: number[] = []
    await Promise.all(
      stores.map(async ({ frontier }, i) => {
        const asked = { owner: `owner ${i}`, limit: 4, ttlMs: MINUTE, eager: i % 2 === 0 }
        for (;;) {
          const visits = await frontier.lease(asked)
          if (visits.length === 0) return
          leased.push(...visits.map(({ lease }) => lease.channelId))
        }
      }),
    )
    assert.deepEqual(
      leased.toSorted((a, b) => a - b),
      ids,
    )
  })

  test('claim every change exactly once', async () => {
    const { stores } = await openAll(3)
    await fill(stores[0]!, 4, 100)
    await stores[0]!.changes.register(CONSUMER)
    const told: string[] = []
    await Promise.all(
      stores.map(async ({ changes }) => {
        for (;;) {
          const claim = await changes.claim(CONSUMER, { limit: 20, ttlMs: MINUTE })
          if (!claim) return
          told.push(...claim.changes.map((change) => JSON.stringify(change)))
          await changes.done(claim)
        }
      }),
    )
    assert.equal(told.length, 4 * 101)
    assert.equal(new Set(told).size, told.length)
    assert.equal((await stores[0]!.changes.pending(CONSUMER, 10)).count, 0)
  })

  test('are granted exactly the limit of a shared quota', async () => {
    const { stores } = await openAll(4)
    const request = { caller: 'key', policy: 'day', limit: 100, windowMs: 60 * MINUTE }
    const granted = await Promise.all(
      [...stores, ...stores].map(async ({ ledger }) => {
        let sum = 0
        for (let i = 0; i < 20; i++) {
          const charge = { ...request, starts: 'first', amount: 2 } as const
          sum += (await ledger.charge(charge)).granted
        }
        return sum
      }),
    )
    assert.equal(
      granted.reduce((a, b) => a + b, 0),
      100,
    )
  })

  test('create one channel when all add the same name', async () => {
    const { schema, stores } = await openAll(4)
    const at = Date.now()
    const added = await Promise.all(
      [...stores, ...stores].map(({ archive }) =>
        archive.addChannel('wanted', { at, status: 'queued' }),
      ),
    )
    const outcomes = added.map(({ outcome }) => outcome).toSorted()
    assert.deepEqual(outcomes, ['added', ...Array.from({ length: 7 }, () => 'known')])
    assert.equal((await stores[0]!.archive.totals()).channels, 1)
    assert.deepEqual(await onDatabase(schema, (db) => verifyStore(db, Date.now())), [])
  })

  test('lose nothing when they record readings of one channel at once', async () => {
    const { schema, stores } = await openAll(4)
    const [id] = await fill(stores[0]!, 1)
    await Promise.all(
      stores.map(async ({ archive }, i) => {
        for (let n = 0; n < 10; n++) {
          const posts = [samplePost(1 + n * 4 + i), samplePost(1 + n)]
          const profile = sampleProfile('channel_0')
          await archive.record(sampleReading(id!, { at: Date.now(), profile, posts }))
        }
      }),
    )
    assert.equal((await stores[0]!.archive.stats(id!, Date.now())).posts, 40)
    assert.deepEqual(await onDatabase(schema, (db) => verifyStore(db, Date.now())), [])
  })

  test('leave nothing of a channel that is removed during readings and visits', async () => {
    const { schema, stores } = await openAll(4)
    for (let round = 0; round < 5; round++) {
      const name = `gone_${round}`
      const at = Date.now()
      await stores[0]!.archive.addChannel(name, { at, status: 'queued' })
      const channel = (await stores[0]!.archive.channel(name))!
      const [visit] = await stores[0]!.frontier.lease({
        owner: 'crawler',
        limit: 1,
        ttlMs: MINUTE,
        eager: false,
      })
      const reading = (n: number) =>
        sampleReading(channel.id, {
          at,
          profile: sampleProfile(name, { platformId: 1000 + round }),
          posts: [samplePost(n), samplePost(n + 1)],
        })
      await Promise.all([
        stores[0]!.frontier.settle(visit!.lease, ended(visit!, { reading: reading(1) })),
        stores[1]!.archive.record(reading(3)),
        stores[2]!.removals.removeChannel(name, 'asked', at),
        stores[3]!.archive.record(reading(5)),
      ])
      assert.equal(await stores[0]!.archive.channel(name), undefined)
      const again = await stores[1]!.archive.addChannel(name, { at, status: 'queued' })
      assert.equal(again.outcome, 'removed')
      const posts = await onDatabase(schema, (db) => db.all('select number from posts'))
      assert.deepEqual(posts, [])
    }
    assert.equal((await stores[0]!.archive.totals()).posts, 0)
    assert.deepEqual(await onDatabase(schema, (db) => verifyStore(db, Date.now())), [])
  })

  test('count languages right when posts are derived while their channel is erased', async () => {
    const { schema, stores } = await openAll(2)
    const [id] = await fill(stores[0]!, 1, 3)
    const derived = [1, 2, 3].map((number) => ({
      channelId: id!,
      number,
      revision: 1,
      language: 'en',
      detectedLanguage: 'en',
      languageWeight: 1,
      terms: [],
      has: [],
    }))
    await stores[0]!.archive.saveDerived(derived)
    await onDatabase(schema, async (db) => {
      let removal: Promise<unknown> | undefined
      let saving: Promise<unknown> | undefined
      await db.transaction(async (tx) => {
        // Both have read the posts by the time that either writes them.
        await tx.run('select 1 from posts for update')
        removal = stores[0]!.removals.removeChannel('channel_0', 'asked', Date.now())
        await untilBlocked(db, 1)
        saving = stores[1]!.archive.saveDerived(derived.map((row) => ({ ...row, language: 'ru' })))
        await untilBlocked(db, 2)
      })
      await Promise.all([removal, saving])
      assert.deepEqual(await verifyStore(db, Date.now()), [])
    })
  })

  test('leave no post behind that is added to an old hour while that is pruned', async () => {
    const { schema, stores } = await openAll(2)
    const [id] = await fill(stores[0]!, 1, 1)
    const before = Date.now() - 30 * DAY
    const old = (number: number) => samplePost(number, { publishedAt: before - 2 * HOUR + number })
    const add = (number: number) =>
      stores[0]!.archive.record(sampleReading(id!, { at: Date.now(), posts: [old(number)] }))
    await add(100)
    await onDatabase(schema, async (db) => {
      let pruning: Promise<number> | undefined
      let adding: Promise<unknown> | undefined
      await db.transaction(async (tx) => {
        await tx.run('select 1 from channels for update')
        adding = add(200)
        await untilBlocked(db, 1)
        pruning = stores[1]!.archive.prune(before, 10)
        await untilBlocked(db, 2)
      })
      await Promise.all([adding, pruning])
      await stores[1]!.archive.prune(before, 10)
      assert.equal(await stores[1]!.archive.post(id!, 200), undefined)
      assert.deepEqual(await verifyStore(db, Date.now()), [])
    })
  })

  test('send every change to a consumer that registers while changes are written', async () => {
    const { stores } = await openAll(3)
    const [id] = await fill(stores[0]!, 1)
    await stores[0]!.changes.register(CONSUMER)
    const numbers = Array.from({ length: 30 }, (_, n) => n + 1)
    await Promise.all([
      ...numbers.map((n) =>
        stores[n % 2]!.archive.record(
          sampleReading(id!, { at: Date.now(), posts: [samplePost(n)] }),
        ),
      ),
      stores[2]!.changes.register('late'),
    ])
    const claim = await stores[2]!.changes.claim('late', { limit: 100, ttlMs: MINUTE })
    const told = claim!.changes.flatMap((change) => (change.kind === 'post' ? change.number : []))
    assert.deepEqual(
      told.toSorted((a, b) => a - b),
      numbers,
    )
  })

  test('lose no change of a watch that another stops', async () => {
    const { stores } = await openAll(2)
    await Promise.all(stores.map((store) => store.ping()))
    for (let round = 0; round < 20; round++) {
      const watch = await stores[0]!.watches.put(sampleWatch('storms'))
      await Promise.all([
        stores[0]!.watches.put(sampleWatch('storms', { query: { q: 'gale' } })),
        stores[1]!.watches.stop(watch, 'webhook', 'answered 410'),
      ])
      assert.deepEqual((await stores[0]!.watches.get('storms'))!.query, { q: 'gale' })
    }
  })
})

/** Waits until that many sessions on the schema wait for a lock, but for no longer than a lock may be waited for. */
async function untilBlocked({ schema, reserved }: Database, count: number): Promise<void> {
  const sql = `select count(*)::integer as blocked from pg_stat_activity
    where wait_event_type = 'Lock' and starts_with(application_name, $1)`
  for (let tries = 0; tries < 100; tries++) {
    const found = await reserved.get<{ blocked: number }>(sql, sessionPrefix(schema))
    if (found!.blocked >= count) return
    await sleep(10)
  }
}
