import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTemporary } from '../../../test/open-temporary.ts'
import { NOON, addChannel, samplePost, sampleProfile, sampleReading } from '../contract/samples.ts'
import { moveStore } from './move-store.ts'

test('posts that go over to another channel at that moment are copied', async () => {
  await using from = await openTemporary()
  await using to = await openTemporary()
  const known = await addChannel(from, 'known_name')
  const profile = (name: string) => sampleProfile(name, { platformId: 7 })
  await from.archive.record(sampleReading(known.id, { profile: profile('known_name') }))
  const twin = await addChannel(from, 'other_name')
  const posts = Array.from({ length: 1_000 }, (_, i) => samplePost(i + 1))
  await from.archive.record(sampleReading(twin.id, { posts }))
  const shown = sampleReading(twin.id, { at: NOON + 1, profile: profile('other_name') })
  const merging = from.archive.record(shown)
  await new Promise((resolve) => setImmediate(resolve))
  const signal = new AbortController().signal
  await moveStore({ from, to, at: NOON, signal, onProgress: () => {} })
  await merging
  assert.equal((await to.archive.numbersBetween(known.id, 1, 1_000)).length, 1_000)
})
