import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { engines, whyNoEngines } from '../engines.ts'
import { openLive } from '../open-live.ts'
import { createSchemas } from '../postgres.ts'

const FAILED = { kind: 'unreachable', what: 'network', detail: 'reset' } as const

describe('live reads of several processes', { skip: whyNoEngines() }, () => {
  const schemas = createSchemas()
  after(() => schemas.drop())

  async function openTwo() {
    const retention = { deleted: 'redact', versions: 'keep' } as const
    const options = { url: engines().databaseUrl, schema: schemas.name(), retention }
    const stores = [await openPostgresStore(options), await openPostgresStore(options)] as const
    const [first, second] = [
      await openLive({ store: stores[0] }),
      await openLive({ store: stores[1] }),
    ]
    return {
      first,
      second,
      stores,
      async [Symbol.asyncDispose]() {
        for (const store of stores) await store[Symbol.asyncDispose]()
      },
    }
  }

  test('share a page, but no passing failure with those who ask later', async () => {
    await using opened = await openTwo()
    const { first, second } = opened
    first.platform.answers.push(FAILED)
    assert.deepEqual(await first.read(), FAILED)
    const read = await second.read()
    assert.ok(read.kind === 'read')
    assert.equal(read.source, 'live')
    const shared = await first.read()
    assert.ok(shared.kind === 'read')
    assert.equal(shared.source, 'cache')
  })

  test('share that a channel asks to be left out, which makes the page before worth nothing', async () => {
    await using opened = await openTwo()
    const { first, second } = opened
    assert.equal((await first.read()).kind, 'read')
    first.channel.profile = { ...first.channel.profile, description: '#telegrep_optout' }
    assert.equal((await first.read({ maxAgeMs: 0 })).kind, 'removed')
    assert.equal((await second.read({ maxAgeMs: 600_000 })).kind, 'removed')
  })

  test('show a channel again as soon as its removal is undone', async () => {
    await using opened = await openTwo()
    const { first, second, stores } = opened
    const { removals } = stores[0]
    const { username } = first.channel.profile
    await removals.removeChannel(username, 'asked', 0)
    assert.equal((await first.read()).kind, 'removed')
    await removals.undo(username, null)
    assert.equal((await second.read({ maxAgeMs: 600_000 })).kind, 'read')
  })
})
