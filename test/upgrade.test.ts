import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { openStore } from '../src/store/open-store.ts'
import {
  ALL_EDITS,
  NOON,
  addChannel,
  drained,
  listOf,
  samplePost,
  sampleReading,
  walk,
  wordsOf,
} from '../src/store/contract/samples.ts'
import type { Store } from '../src/store/store.ts'
import { createStillClock } from '../src/simulator/clocks.ts'

const FIXTURES = join(import.meta.dirname, 'fixtures/store')
const versions = readdirSync(FIXTURES).filter((name) => /^v\d{4}$/.test(name))
const retention = { deleted: 'redact', versions: 'keep' } as const
const clock = createStillClock(NOON)

async function inCopy(fixture: string, use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-upgrade-'))
  try {
    cpSync(join(FIXTURES, fixture), folder, { recursive: true })
    await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function open(folder: string): Promise<Store> {
  return openStore({ kind: 'sqlite', folder, retention, clock })
}

describe('a store of an earlier schema', () => {
  test('has a fixture, for schema 1 at least', () => {
    assert.ok(versions.includes('v0001'))
  })

  for (const version of versions) {
    test(`${version} opens, verifies, and has its data`, () =>
      inCopy(version, async (folder) => {
        await using store = await open(folder)
        assert.deepEqual(await store.verify(), [])
        const { schemaVersion } = await store.describe()
        assert.ok(schemaVersion >= Number(version.slice(1)))
        const channel = await store.archive.channel('first_name')
        assert.deepEqual(
          [channel?.username, channel?.platformId, channel?.aliases, channel?.subscribers?.value],
          ['second_name', 1001, ['First_Name'], 250],
        )
        assert.deepEqual([channel?.posts, channel?.language, channel?.status], [4, 'en', 'active'])
        const { id } = channel!
        assert.deepEqual(await walk(store, listOf(id)), [5, 4, 2, 1])
        assert.deepEqual(
          await walk(store, listOf(id, { words: wordsOf(['post'], ['edited']) })),
          [2],
        )
        const { channels, channelsByStatus } = await store.archive.totals()
        assert.deepEqual([channels, channelsByStatus], [2, { active: 1, queued: 1 }])
        const waiting = await store.changes.pending('index-1', 100)
        assert.deepEqual(await store.changes.register('index-1'), { rebuild: 'none' })
        assert.equal((await drained(store)).length, waiting.count)
        assert.ok(waiting.count > 0)
        const earlier = await store.archive.versions({ channelId: id, number: 2 })
        assert.deepEqual(
          earlier.map((v) => v.text),
          ['post 2'],
        )
        while ((await store.archive.recount(100)) > 0);
        const { items: edits } = await store.edits.list({ ...ALL_EDITS, limit: 9 })
        assert.deepEqual(edits.map(({ number, kinds }) => `${number} ${kinds.join()}`).toSorted(), [
          '2 text',
          '3 deleted',
        ])
        const deleted = await store.archive.post(id, 3)
        assert.deepEqual([deleted?.text, deleted?.deletedAt !== null], ['', true])
        assert.equal((await store.archive.post(id, 6))?.number, 5)
        const stats = await store.archive.stats(id, NOON)
        assert.deepEqual(stats.topHashtags, [{ value: 'spring', count: 1 }])
        assert.deepEqual(stats.forwardsFrom, [{ value: 'elsewhere', count: 1 }])
        assert.equal((await store.frontier.schedule(id))?.newestNumber, 6)
        assert.equal((await store.frontier.gaps(id)).length, 1)
        const candidates = await store.frontier.candidates({ limit: 9, minSources: 1, now: NOON })
        assert.deepEqual(candidates, ['elsewhere'])
        assert.equal((await store.removals.find({ name: 'opted_out' }))?.reason, 'owner asked')
        assert.deepEqual((await store.ledger.key('k1'))?.secretHashes, ['hash'])
        assert.equal((await store.ledger.usage('k1', 'daily', 86_400_000))?.used, 20)
        assert.equal((await store.budget.state(1)).lastHour, 1)
      }))

    test(`${version} accepts new posts and can be backed up`, () =>
      inCopy(version, async (folder) => {
        await using store = await open(folder)
        const { id } = (await store.archive.channel('second_name'))!
        await store.archive.record(sampleReading(id, { at: NOON * 2, posts: [samplePost(7)] }))
        writeFileSync(join(folder, 'secret'), 'pepper', { mode: 0o600 })
        const target = join(folder, 'backup')
        await store.files!.backup(target)
        assert.deepEqual(readdirSync(target).toSorted(), ['ledger.db', 'secret', 'store.db'])
        await assert.rejects(store.files!.backup(target), /is not empty/)
        await using copy = await open(target)
        assert.equal((await copy.archive.post(id, 7))?.text, 'post 7')
        assert.deepEqual(await copy.verify(), [])
        await addChannel(copy, 'only_in_the_copy')
        assert.equal(await store.archive.channel('only_in_the_copy'), undefined)
      }))
  }

  const complete = 'update channels set reached_start = 1; delete from gaps'
  const claims = {
    'all of what only crawlers brought': ['', [1, samplePost(1).publishedAt, false]],
    'a history that was walked to its start': [complete, [1, samplePost(1).publishedAt, true]],
    'posts above the last that a live read brought': [
      `${complete}; update post_bodies set capture = 1 where key % 67108864 = 2`,
      [3, samplePost(3).publishedAt, false],
    ],
    'nothing where the newest came from elsewhere': [
      `${complete}; update post_bodies set capture = 2 where key % 67108864 = 5`,
      [null, null, false],
    ],
  } as const
  for (const [what, [change, claim]] of Object.entries(claims)) {
    test(`is migrated to claim complete coverage of ${what}`, () =>
      inCopy('v0001', async (folder) => {
        const db = new DatabaseSync(join(folder, 'store.db'))
        db.exec(change)
        db.close()
        await using store = await open(folder)
        const { id, archiveFrom, archiveComplete } = (await store.archive.channel('second_name'))!
        const { walkedTo } = (await store.frontier.schedule(id))!
        assert.deepEqual([walkedTo, archiveFrom, archiveComplete], claim)
        const waiting = (await store.archive.channel('waiting'))!
        assert.equal((await store.frontier.schedule(waiting.id))!.walkedTo, null)
      }))
  }

  test('is refused and left as it is if the schema is newer than this program', () =>
    inCopy('v0001', async (folder) => {
      const db = new DatabaseSync(join(folder, 'store.db'))
      db.exec('pragma journal_mode = wal; pragma user_version = 9999')
      db.close()
      const sum = () =>
        createHash('sha256')
          .update(readFileSync(join(folder, 'store.db')))
          .digest('hex')
      const before = sum()
      await assert.rejects(
        open(folder),
        /the store has schema 9999, this version of telegrep knows up to/,
      )
      assert.equal(sum(), before)
    }))

  test('restored over a newer one still honours removals made since', () =>
    inCopy('v0001', async (folder) => {
      const older = join(folder, 'older')
      {
        await using store = await open(folder)
        const { id } = (await store.archive.channel('waiting'))!
        await store.archive.record(sampleReading(id, { posts: [samplePost(1), samplePost(2)] }))
        await store.files!.backup(older)
        await store.removals.removeChannel('second_name', 'asked', NOON)
        await store.removals.removePost('waiting', 2, 'asked', NOON)
        await store.removals.removeChannel('lifted_again', 'asked', NOON)
        await store.removals.undo('lifted_again', null)
      }
      cpSync(join(older, 'store.db'), join(folder, 'store.db'))
      await using store = await open(folder)
      assert.equal(await store.archive.channel('second_name'), undefined)
      assert.equal((await store.removals.find({ name: 'second_name' }))?.reason, 'asked')
      const waiting = await store.archive.channel('waiting')
      assert.deepEqual(await walk(store, listOf(waiting!.id)), [1])
      const removed = await store.removals.removed({ names: ['waiting'] }, [1, 2])
      assert.deepEqual(removed, { channel: false, numbers: [2] })
      assert.equal(await store.removals.find({ name: 'lifted_again' }), undefined)
    }))

  test('that contains a channel listed in its own removals erases it when opened', () =>
    inCopy('v0001', async (folder) => {
      const db = new DatabaseSync(join(folder, 'store.db'))
      db.exec(`insert into removals values ('other', 0, 1001, '[]', 'asked', 1)`)
      db.close()
      await using store = await open(folder)
      await using _second = await open(folder)
      assert.equal(await store.archive.channel('second_name'), undefined)
      assert.ok(await store.archive.channel('waiting'), 'others stay')
      assert.equal((await store.removals.find({ platformId: 1001 }))?.reason, 'asked')
    }))

  test('is named in the error when it is not a database', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'telegrep-upgrade-'))
    writeFileSync(join(folder, 'store.db'), 'not a database '.repeat(100))
    await assert.rejects(open(folder), /store\.db/)
    rmSync(folder, { recursive: true, force: true })
  })
})
