import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { NOON, addChannel, listOf, samplePost, sampleReading, walk } from '../contract/samples.ts'
import { SCHEMA_VERSION } from '../schema-version.ts'
import { openSqliteStore } from './sqlite-store.ts'

const root = mkdtempSync(join(tmpdir(), 'telegrep-opening-'))
after(() => rmSync(root, { recursive: true, force: true }))

const newFolder = () => mkdtempSync(join(root, 'store-'))
const retention = { deleted: 'redact', versions: 'keep' } as const
const open = (folder: string) => openSqliteStore({ folder, retention })

/** A folder with two channels, closed. */
async function makeStore(): Promise<string> {
  const folder = newFolder()
  await using store = await open(folder)
  for (const [i, name] of ['leaving', 'staying'].entries()) {
    const { id } = await addChannel(store, name)
    const posts = [samplePost(1), samplePost(2)]
    await store.archive.record(sampleReading(id, { at: NOON + i, posts }))
  }
  return folder
}

describe('opening files', () => {
  for (const file of ['store.db', 'ledger.db']) {
    for (const version of [1, SCHEMA_VERSION + 1]) {
      test(`${file} of schema ${version} is refused with advice, and the folder left as it is`, async () => {
        const folder = await makeStore()
        {
          using db = new DatabaseSync(join(folder, file))
          db.exec(`pragma user_version = ${version}`)
        }
        const content = () =>
          readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))])
        const before = content()
        await assert.rejects(open(folder), {
          name: 'AppError',
          message:
            `${join(folder, file)}: the store has schema ${version}, this version of telegrep works with schema ${SCHEMA_VERSION}: ` +
            'use the version that made it, or `telegrep export` with that one and `telegrep import` into a new store with this one',
        })
        assert.deepEqual(content(), before)
      })
    }
  }

  test('a store put back from a backup still honours removals made since', async () => {
    const folder = await makeStore()
    const older = join(newFolder(), 'older')
    {
      await using store = await open(folder)
      await store.files.backup(older)
      await store.removals.removeChannel('leaving', 'asked', NOON)
      await store.removals.removePost('staying', 2, 'asked', NOON)
      await store.removals.removeChannel('lifted_again', 'asked', NOON)
      await store.removals.undo('lifted_again', null)
    }
    cpSync(join(older, 'store.db'), join(folder, 'store.db'))
    await using store = await open(folder)
    assert.equal(await store.archive.channel('leaving'), undefined)
    assert.equal((await store.removals.find({ name: 'leaving' }))?.reason, 'asked')
    const staying = await store.archive.channel('staying')
    assert.deepEqual(await walk(store, listOf(staying!.id)), [1])
    const removed = await store.removals.removed({ names: ['staying'] }, [1, 2])
    assert.deepEqual(removed, { channel: false, numbers: [2] })
    assert.equal(await store.removals.find({ name: 'lifted_again' }), undefined)
  })

  test('a store that has a channel of its own opt-out register erases it', async () => {
    const folder = await makeStore()
    {
      using db = new DatabaseSync(join(folder, 'store.db'))
      db.exec(`insert into removals values ('leaving', 0, null, '[]', 'asked', 1)`)
    }
    await using store = await open(folder)
    await using _second = await open(folder)
    assert.equal(await store.archive.channel('leaving'), undefined)
    assert.ok(await store.archive.channel('staying'), 'others stay')
  })
})
