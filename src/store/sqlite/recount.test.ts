import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { addChannel, browse } from '../contract/samples.ts'
import { STORE_FILE, openSqliteStore } from './sqlite-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'telegrep-recount-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('channels are found by words that are not in the index of word starts yet', async () => {
  const retention = { deleted: 'redact', versions: 'keep' } as const
  await using store = await openSqliteStore({ folder, retention })
  const { id } = await addChannel(store, 'second')
  using db = new DatabaseSync(join(folder, STORE_FILE))
  db.exec(`delete from channel_starts; delete from totals where name glob 'derived/*'`)
  const query = browse({ words: ['econ'], sort: 'relevance' })
  const { items } = await store.archive.channels(query)
  assert.deepEqual(
    items.map((channel) => channel.id),
    [id],
  )
})
