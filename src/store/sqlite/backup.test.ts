import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { randomOf, token } from '../../simulator/random.ts'
import { NOON, addChannel, samplePost, sampleReading } from '../contract/samples.ts'
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
