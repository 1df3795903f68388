import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { engines, whyNoEngines } from '../../../test/engines.ts'
import { createSchemas, onDatabase } from '../../../test/postgres.ts'
import {
  CONSUMER,
  MINUTE,
  NOON,
  addChannel,
  browse,
  ended,
  listOf,
  samplePost,
  sampleProfile,
  sampleReading,
  wordsOf,
} from '../contract/samples.ts'
import { sampleWatch } from '../contract/watches.ts'
import type { Store } from '../store.ts'
import { openDatabase } from './database.ts'
import { createOverview } from './overview.ts'
import { openPostgresStore, storeOn } from './postgres-store.ts'

describe('statements on PostgreSQL', { skip: whyNoEngines() }, () => {
  const schemas = createSchemas()
  const schema = schemas.name()
  const sent: string[] = []
  let store: Store
  let id = 0
  before(async () => {
    store = await openPostgresStore({
      url: engines().databaseUrl,
      schema,
      connections: 2,
      retention: { deleted: 'redact', versions: 'keep' },
      onStatement: (sql) => sent.push(sql),
    })
    id = (await addChannel(store, 'counted')).id
    const posts = [1, 2, 3].map((n) => samplePost(n))
    await store.archive.record(sampleReading(id, { posts, profile: sampleProfile('counted') }))
    await store.changes.register(CONSUMER)
  })
  after(async () => {
    await store[Symbol.asyncDispose]()
    await schemas.drop()
  })
  const count = async (work: () => Promise<unknown>) => {
    sent.length = 0
    await work()
    return sent.length
  }

  test('the schedules of a large store are counted at most twice a minute', async () => {
    await onDatabase(schema, async (db) => {
      let counts = 0
      const counting = { ...db, slow: { ...db.slow, get: db.slow.get, all: db.slow.all } }
      counting.slow.get = (...asked) => (counts++, db.slow.get(...asked))
      const overview = createOverview(counting, 1)
      const first = await overview(NOON)
      assert.deepEqual(await overview(NOON + MINUTE / 4), first)
      assert.equal(counts, 1)
      await overview(NOON + MINUTE)
      assert.equal(counts, 2)
      const fresh = createOverview(counting)
      await fresh(NOON)
      await fresh(NOON)
      assert.equal(counts, 4, 'a small one is counted whenever somebody asks')
    })
  })

  test('a look-up by key or name is one statement', async () => {
    const { archive, changes, frontier, ledger, removals, roles } = store
    const refs = [1, 2, 3, 4].map((number) => ({ channelId: id, number }))
    const reads: Record<string, () => Promise<unknown>> = {
      posts: () => archive.posts(refs),
      post: () => archive.post(id, 1),
      channel: () => archive.channel('counted'),
      channelsByName: () => archive.channelsByName(['counted', 'nobody']),
      channelsById: () => archive.channelsById([id, 99]),
      versions: () => archive.versions({ channelId: id, number: 1 }),
      listPosts: () => archive.listPosts(listOf(id)),
      totals: () => archive.totals(),
      languages: () => archive.languages(NOON),
      key: () => ledger.key('none'),
      usage: () => ledger.usage('caller', 'policy', MINUTE),
      removed: () => removals.removed({ names: ['counted'] }, [1, 2]),
      claim: () => changes.claim(CONSUMER, { limit: 1, ttlMs: MINUTE }),
      pending: () => changes.pending(CONSUMER, 10),
      schedule: () => frontier.schedule(id),
      acquire: () => roles.acquire('role', 'owner', MINUTE),
    }
    for (const [name, read] of Object.entries(reads)) assert.equal(await count(read), 1, name)
    assert.equal(await count(() => archive.channels(browse())), 2, 'a page of channels')
  })

  test('however differently callers ask, the server keeps few plans for them', async () => {
    const db = openDatabase({ url: engines().databaseUrl, schema, connections: 1 })
    const { archive } = storeOn(db, { url: engines().databaseUrl, retention: store.retention })
    const kept = async () => {
      const sql = 'select count(*)::integer as n from pg_prepared_statements'
      const counts = await Promise.all([db, db.heavy].map((each) => each.get<{ n: number }>(sql)))
      return counts.reduce((sum, row) => sum + row!.n, 0)
    }
    const word = (length: number, i: number) => 'x'.repeat(length) + i
    for (let n = 1; n <= 30; n++) {
      const words = Array.from({ length: n }, (_, i) => word(i % 3, i))
      await archive.channels(browse({ limit: n, words }))
      await archive.channels(browse({ limit: n, sort: 'added', lang: ['en'] }))
      await archive.channels(browse({ limit: n }))
      await archive.listPosts(listOf(id, { words: wordsOf(...words.map((each) => [each])) }))
    }
    const found = await kept()
    await db.close()
    assert.ok(found < 20, `${found} plans`)
  })

  test('a step of watches takes at most nine statements, however many deliveries it queues', async () => {
    const { watches, deliveries } = store
    const { id: watchId } = await watches.put(sampleWatch('storms'))
    const queue = async (many: number, to: number) => {
      const queued = Array.from({ length: many }, (_, i) => {
        const event = { kind: 'post', channelId: id, number: i, seq: to, at: NOON } as const
        const when = { at: NOON, dueAt: NOON + i, together: i % 2 === 0 }
        return { watchId, sink: 'webhook', event, ...when } as const
      })
      const from = await deliveries.position()
      const revision = await watches.revision()
      return count(() => deliveries.advance({ from, to, revision, told: [], queued }))
    }
    await queue(2, 1)
    const took = await queue(2_000, 2)
    assert.ok(took <= 9, `${took} statements`)
    assert.deepEqual(await deliveries.overview(), { pending: 2_001, dead: 0 })
  })

  test('whatever has expired is deleted in steps, however much it is', async () => {
    await onDatabase(schema, async (db) => {
      await db.run(`insert into usage (caller, policy, started_at, ends_at, used)
        select n::text, 'day', 0, 1, 1 from generate_series(1, 6000) as n`)
      await db.run(`insert into deliveries (watch_id, sink, events, event_count, together, created_at, due_at, died_at)
        select 1, 'webhook', '', 0, false, 0, 0, 1 from generate_series(1, 6000) as n`)
    })
    assert.equal(await count(() => store.ledger.sweep()), 2)
    const { dead } = await store.deliveries.overview()
    assert.equal(await count(() => store.deliveries.expire(NOON)), 1 + 2 + 1)
    assert.equal(dead, 6_000)
    assert.equal((await store.deliveries.overview()).dead, 0)
    const left = await onDatabase(schema, (db) => db.all('select caller from usage'))
    assert.deepEqual(left, [])
  })

  test('a visit with twenty posts takes at most 25 statements', async () => {
    const { frontier } = store
    const [visit] = await frontier.lease({ owner: 'a', limit: 1, ttlMs: MINUTE, eager: true })
    const posts = Array.from({ length: 20 }, (_, n) => samplePost(n + 10))
    const profile = sampleProfile('counted')
    const reading = sampleReading(id, { at: Date.now(), posts, profile })
    const statements = await count(() => frontier.settle(visit!.lease, ended(visit!, { reading })))
    assert.ok(statements <= 25, `${statements} statements`)
  })

  test('a channel that is renewed is found by its words again', async () => {
    const { archive } = store
    const channel = (await archive.channelsById([id]))[0]!
    const find = async () => {
      const words = [channel.username.toLowerCase()]
      return (await archive.channels(browse({ words, sort: 'relevance' }))).items.map((c) => c.id)
    }
    await onDatabase(schema, (db) => db.run('delete from channel_starts where channel_id = $1', id))
    assert.deepEqual(await find(), [])
    assert.equal(await archive.renewChannel(id, { posts: channel.posts, features: [] }), true)
    assert.deepEqual(await find(), [id])
  })

  test('the sums of many writers are folded without changing', async () => {
    const { archive } = store
    const derived = [1, 2, 3].map((number) => ({
      channelId: id,
      number,
      revision: 1,
      language: 'en',
      detectedLanguage: 'en',
      languageWeight: 1,
      terms: [],
      has: [],
    }))
    await Promise.all(derived.map((each) => archive.saveDerived([each])))
    const before = await archive.languages(NOON)
    assert.deepEqual(before, [{ code: 'en', channels: 1, posts30d: 3 }])
    await store.tidy!()
    assert.deepEqual((await archive.languages(NOON))[0]?.channels, 1)
    const rows = await onDatabase(schema, (db) =>
      db.all<{ slot: number; posts: number }>('select slot, posts::integer from language_days'),
    )
    assert.deepEqual(rows, [{ slot: 0, posts: 3 }])
  })
})

test('a store in files loads no code for PostgreSQL', () => {
  using kept = mkdtempDisposableSync(join(tmpdir(), 'telegrep-statements-'))
  const folder = kept.path
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
    const { openStore } = await import('${new URL('../open-store.ts', import.meta.url).href}')
    const retention = { deleted: 'redact', versions: 'keep' }
    await using store = await openStore({ kind: 'sqlite', folder: '${folder}', retention })
    console.log(JSON.stringify(loaded))`
  const args = ['--input-type=module', '-e', script]
  const loaded = JSON.parse(execFileSync(process.execPath, args).toString()) as string[]
  assert.ok(loaded.some((url) => url.includes('/store/sqlite/')))
  const isOfIt = (url: string) => /\/(store|node_modules)\/postgres\/|\/store\/contract\//.test(url)
  assert.deepEqual(loaded.filter(isOfIt), [])
})
