import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { addChannel, NOON, samplePost, sampleReading } from '../contract/samples.ts'
import { openSqliteStore } from './sqlite-store.ts'

test('a copy of a store has the same events in a log of another name', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'telegrep-events-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const clock = { now: () => NOON, elapsed: () => 0, sleep: async () => {} }
  const options = { retention: { deleted: 'redact', versions: 'keep' }, clock } as const
  await using store = await openSqliteStore({ ...options, folder: join(root, 'own') })
  const { id } = await addChannel(store, 'copied')
  await store.archive.record(sampleReading(id, { posts: [samplePost(1)] }))
  const post = { channelId: id, number: 1, revision: 1, publishedAt: NOON, firstCapturedAt: NOON }
  await store.events.append([{ ...post, document: () => new Uint8Array([1]) }])
  await store.files.backup(join(root, 'copy'))
  await using copy = await openSqliteStore({ ...options, folder: join(root, 'copy') })
  assert.deepEqual(await copy.events.after(0, 9), await store.events.after(0, 9))
  const [own, other] = [await store.events.bounds(), await copy.events.bounds()]
  assert.notEqual(other.log, own.log)
  assert.deepEqual({ ...other, log: own.log }, own)
})
