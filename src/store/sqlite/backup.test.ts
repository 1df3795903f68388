import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { randomOf, token } from '../../simulator/random.ts'
import { NOON, addChannel, samplePost, sampleProfile, sampleReading } from '../contract/samples.ts'
import { openSqliteRestore } from './restore.ts'
import { openSqliteStore } from './sqlite-store.ts'

const root = mkdtempSync(join(tmpdir(), 'telegrep-backup-'))
after(() => rmSync(root, { recursive: true, force: true }))

const retention = { deleted: 'redact', versions: 'keep' } as const
const open = (folder: string) => openSqliteStore({ folder, retention })

const POSTS = 500

/** A store that takes several steps to copy: its random text does not compress well. */
async function openLarge(folder: string, name: string) {
  const store = await open(folder)
  const { id } = await addChannel(store, name)
  const random = randomOf(7)
  const posts = Array.from({ length: POSTS }, (_, i) =>
    samplePost(i + 1, { text: `secret-words ${token(random, 10_000)}` }),
  )
  await store.archive.record(sampleReading(id, { posts }))
  return { store, id }
}

test('a backup completes while another process writes, and is a consistent snapshot', async () => {
  const folder = mkdtempSync(join(root, 'store-'))
  const large = await openLarge(folder, 'written')
  await using store = large.store
  using other = new DatabaseSync(join(folder, 'store.db'))
  const touch = other.prepare(`update channels set title = ?`)
  const copy = join(folder, 'copy')
  let steps = 0
  await store.files.backup(copy, () => {
    // Bounded: a copy that started over with each write would never end.
    if (++steps <= 40) touch.run(`later ${steps}`)
  })
  assert.ok(steps > 1, 'it takes several steps')
  assert.ok(steps < 40, `${steps} steps`)
  await using copied = await open(copy)
  assert.equal((await copied.archive.channel('written'))?.title, 'written')
  assert.equal((await copied.archive.totals()).posts, POSTS)
  assert.deepEqual(await copied.verify(), [])
})

test('a channel removed during a backup is gone from the opened copy and from the files', async () => {
  const folder = mkdtempSync(join(root, 'store-'))
  const large = await openLarge(folder, 'removed')
  await using store = large.store
  await using other = await open(folder)
  const hasTrace = () =>
    readdirSync(folder)
      .filter((name) => name.startsWith('store.db'))
      .some((name) => readFileSync(join(folder, name), 'latin1').includes('secret-words'))
  assert.ok(hasTrace())
  let removal: Promise<unknown> | undefined
  const copy = join(folder, 'copy')
  await store.files.backup(copy, () => {
    removal ??= other.removals.removeChannel('removed', 'asked', NOON)
  })
  await removal
  assert.ok(!hasTrace())
  await using copied = await open(copy)
  assert.equal(await copied.archive.channel('removed'), undefined)
})

async function restore(folder: string, from: string): Promise<void> {
  await using copy = await openSqliteRestore({ folder, from, retention })
  assert.deepEqual(await copy.verify(), [])
  await copy.swap()
}

test('a post that was removed from a channel is gone from a backup that knows it as two', async () => {
  const folder = mkdtempSync(join(root, 'store-'))
  const copy = join(folder, 'copy')
  {
    await using store = await open(folder)
    const { archive } = store
    const known = await addChannel(store, 'known_name')
    const profile = (name: string) => sampleProfile(name, { platformId: 7 })
    await archive.record(sampleReading(known.id, { profile: profile('known_name') }))
    const twin = await addChannel(store, 'other_name')
    await archive.record(sampleReading(twin.id, { posts: [samplePost(1), samplePost(2)] }))
    await store.files.backup(copy)
    await archive.record(sampleReading(twin.id, { at: NOON + 1, profile: profile('other_name') }))
    assert.deepEqual(await store.removals.removePost('other_name', 2, 'asked', NOON), { posts: 1 })
  }
  await restore(folder, copy)
  await using store = await open(folder)
  const { id } = (await store.archive.channel('other_name'))!
  assert.deepEqual(await store.archive.numbersBetween(id, 1, 9), [1])
})

test('an archive that is restored twice from one backup has another event log each time', async () => {
  const folder = mkdtempSync(join(root, 'store-'))
  const copy = join(folder, 'copy')
  const logOf = async () => {
    await using store = await open(folder)
    return (await store.events.bounds()).log
  }
  const logs = [await logOf()]
  {
    await using store = await open(folder)
    await store.files.backup(copy)
  }
  for (const _ of [1, 2]) {
    await restore(folder, copy)
    logs.push(await logOf())
  }
  assert.equal(new Set(logs).size, 3)
})
