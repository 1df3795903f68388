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

  test('share a page, but no passing failure with those who ask later', async () => {
    const retention = { deleted: 'redact', versions: 'keep' } as const
    const options = { url: engines().databaseUrl, schema: schemas.name(), retention }
    await using one = await openPostgresStore(options)
    await using two = await openPostgresStore(options)
    const [first, second] = [await openLive({ store: one }), await openLive({ store: two })]
    first.platform.answers.push(FAILED)
    assert.deepEqual(await first.read(), FAILED)
    const read = await second.read()
    assert.ok(read.kind === 'read')
    assert.equal(read.source, 'live')
    const shared = await first.read()
    assert.ok(shared.kind === 'read')
    assert.equal(shared.source, 'cache')
  })
})
