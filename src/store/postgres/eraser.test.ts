import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { engines, whyNoEngines } from '../../../test/engines.ts'
import { createSchemas, onDatabase } from '../../../test/postgres.ts'
import { NOON, addChannel, samplePost, sampleProfile, sampleReading } from '../contract/samples.ts'
import { openPostgresStore } from './postgres-store.ts'

describe('opening a restored archive', { skip: whyNoEngines() }, () => {
  const schemas = createSchemas()
  after(() => schemas.drop())

  test('erases a removed post also where the archive knows its channel twice', async () => {
    const schema = schemas.name()
    const retention = { deleted: 'redact', versions: 'keep' } as const
    const open = () => openPostgresStore({ url: engines().databaseUrl, schema, retention })
    const posts = [samplePost(1), samplePost(2), samplePost(3)]
    {
      await using store = await open()
      const known = await addChannel(store, 'known_name')
      const profile = sampleProfile('known_name', { platformId: 7 })
      await store.archive.record(sampleReading(known.id, { profile, posts }))
      const twin = await addChannel(store, 'other_name')
      await store.archive.record(sampleReading(twin.id, { posts }))
    }
    // Removed after the backup, when both had turned out to be one channel.
    await onDatabase(schema, (db) =>
      db.run(`insert into removals values ('other_name', 2, 7, '[2,3]', 'asked', ${NOON})`),
    )
    await using store = await open()
    for (const name of ['known_name', 'other_name']) {
      const { id } = (await store.archive.channel(name))!
      assert.deepEqual(await store.archive.numbersBetween(id, 1, 9), [1], name)
    }
    assert.deepEqual(await store.verify(), [])
  })
})
