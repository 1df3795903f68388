import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { engines, whyNoEngines } from '../../../test/engines.ts'
import { createSchemas, onDatabase } from '../../../test/postgres.ts'
import {
  NOON,
  addChannel,
  samplePost,
  sampleProfile,
  sampleReading,
  take,
} from '../contract/samples.ts'
import { openPostgresStore } from './postgres-store.ts'

const TABLES = [
  'channels',
  'schedules',
  'gaps',
  'posts',
  'post_bodies',
  'keys',
  'removals',
  'copies',
]

describe('a newer version on the same PostgreSQL', { skip: whyNoEngines() }, () => {
  const schemas = createSchemas()
  after(() => schemas.drop())
  const options = {
    url: engines().databaseUrl,
    connections: 1,
    retention: { deleted: 'redact', versions: 'keep' },
  } as const

  test('may add columns while this one is running', async () => {
    const schema = schemas.name()
    await using store = await openPostgresStore({ ...options, schema })
    const { id } = await addChannel(store, 'growing')
    const work = async (number: number) => {
      const profile = sampleProfile('growing', { title: `${number}` })
      const posts = [samplePost(number)]
      await store.archive.record(sampleReading(id, { at: NOON + number, posts, profile }))
      assert.equal((await store.archive.channel('growing'))?.title, `${number}`)
      assert.equal(await store.ledger.key('none'), undefined)
      assert.equal(await store.ledger.addSecret('none', ''), false)
      await store.groups.leave([{ channelId: id, number }])
      for (const { lease } of await take(store)) await store.frontier.release(lease)
    }
    await work(1)
    const added = TABLES.map((table) => `alter table ${table} add column added_later integer`)
    await onDatabase(schema, (db) => db.script(added.join(';')))
    await work(2)
  })
})
