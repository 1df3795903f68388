import assert from 'node:assert/strict'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openTemporary } from '../../../test/open-temporary.ts'
import { systemClock } from '../../model/clock.ts'
import { addChannel, sampleProfile, sampleReading } from '../../store/contract/samples.ts'
import type { CommandCall } from '../command.ts'
import { importItems } from './import-items.ts'

const message = { id: 4, type: 'message', date_unixtime: '1780000000', text: 'Hello' }
const late = { name: 'Late', type: 'public_channel', id: 4321, messages: [message] }

/** What is read of an export for each of some channels: `own_news` has the number 4321, `other_news` 99. */
async function readFor(desktop: object, channels: readonly string[]): Promise<string[][]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'telegrep-import-'))
  writeFileSync(join(folder.path, 'result.json'), JSON.stringify(desktop, null, 1))
  await using store = await openTemporary(systemClock)
  for (const [name, platformId] of [
    ['own_news', 4321],
    ['other_news', 99],
  ] as const) {
    const { id } = await addChannel(store, name)
    const profile = sampleProfile(name, { platformId })
    await store.archive.record(sampleReading(id, { profile, posts: [] }))
  }
  const call = { operands: ['result.json'], folder: folder.path } as unknown as CommandCall
  const items: string[][] = []
  for (const channel of channels) {
    const read = await Array.fromAsync(importItems(call, store, channel))
    items.push(
      read.map((item) =>
        item.kind === 'post' ? `${item.channel} ${item.title}` : `${item.where}: ${item.reason}`,
      ),
    )
  }
  return items
}

test('the export of another channel than the named one is refused', async () => {
  const [own, unread, other] = await readFor(late, ['own_news', 'unread_news', 'other_news'])
  assert.deepEqual(own, ['own_news Late'])
  assert.deepEqual(unread, ['unread_news Late'])
  assert.equal(other?.length, 1)
  assert.match(other[0]!, /“Late”.* 4321.*other_news has the number 99/)
})

test('of an export of several channels the one with the number of the named channel is read', async () => {
  const early = { ...late, name: 'Early', id: 99 }
  const list = [late, early, { ...late, name: 'Last', id: 7 }]
  const [own, other, unread] = await readFor({ about: 'x', chats: { list } }, [
    'own_news',
    'other_news',
    'unread_news',
  ])
  assert.equal(own?.[0], 'own_news Late')
  assert.match(other?.[0] ?? '', /“Late”: number 4321; other_news has the number 99/)
  assert.equal(other?.[1], 'other_news Early')
  assert.match(other[2] ?? '', /“Last”: number 7; other_news has/)
  assert.equal(unread?.[0], 'unread_news Late')
  assert.match(unread[1] ?? '', /“Early”: a second channel; the posts read are those of “Late”/)
})
