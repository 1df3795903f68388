import assert from 'node:assert/strict'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openMemory } from '../../test/open-memory.ts'
import { systemClock } from '../model/clock.ts'
import { addChannel, sampleProfile, sampleReading } from '../store/contract/samples.ts'
import type { CommandCall } from './command.ts'
import { importItems } from './import-items.ts'

test('the export of another channel than the named one is refused', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'telegrep-import-'))
  const message = { id: 4, type: 'message', date_unixtime: '1780000000', text: 'Hello' }
  const desktop = { name: 'Late', type: 'public_channel', id: 4321, messages: [message] }
  writeFileSync(join(folder.path, 'result.json'), JSON.stringify(desktop, null, 1))
  await using store = await openMemory(systemClock)
  for (const [name, platformId] of [
    ['own_news', 4321],
    ['other_news', 99],
  ] as const) {
    const { id } = await addChannel(store, name)
    const profile = sampleProfile(name, { platformId })
    await store.archive.record(sampleReading(id, { profile, posts: [] }))
  }
  const call = { operands: ['result.json'], folder: folder.path } as unknown as CommandCall
  const items = async (channel: string) => {
    const read = await Array.fromAsync(importItems(call, store, channel))
    return read.map((item) => (item.kind === 'post' ? item.channel : item.reason))
  }
  assert.deepEqual(await items('own_news'), ['own_news'])
  assert.deepEqual(await items('unread_news'), ['unread_news'])
  assert.match((await items('other_news')).join(), /other_news has the number 99/)
})
