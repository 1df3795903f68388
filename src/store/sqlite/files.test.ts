import assert from 'node:assert/strict'
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../../test/until.ts'
import {
  CONSUMER,
  DAY,
  MINUTE,
  NOON,
  addChannel,
  drained,
  samplePost,
  sampleProfile,
  sampleReading,
} from '../contract/samples.ts'
import type { Store } from '../store.ts'
import { openSqliteStore } from './sqlite-store.ts'

/** What only a store in files has to get right: several processes on one file, traces on disk, crashes. */

const root = mkdtempSync(join(tmpdir(), 'telegrep-files-'))
after(() => rmSync(root, { recursive: true, force: true }))

const newFolder = () => mkdtempSync(join(root, 'store-'))
const retention = { deleted: 'redact', versions: 'keep' } as const
const open = (folder: string): Promise<Store> => openSqliteStore({ folder, retention })

const STAYING = [0x1a2b3c4d, 0x2b3c4d5e]
const ERASED = [0x11223344, 0x22334455]

describe('sqlite files', () => {
  test('two processes on the same files share leases and see each other’s posts', async () => {
    const folder = newFolder()
    await using one = await open(folder)
    await using two = await open(folder)
    for (let i = 0; i < 12; i++) await addChannel(one, `shared_${i}x`)
    const options = { limit: 3, ttlMs: 1000, eager: false }
    const rounds = await Promise.all(
      [one, two, one, two].map((store, i) => store.frontier.lease({ ...options, owner: `${i}` })),
    )
    const leased = rounds.flat().map((visit) => visit.channel.id)
    assert.equal(leased.length, 12)
    assert.equal(new Set(leased).size, 12, 'no channel is leased twice')
    await Promise.all(
      leased.map((id, i) =>
        (i % 2 ? one : two).archive.record(sampleReading(id, { posts: [samplePost(1)] })),
      ),
    )
    assert.equal((await one.archive.totals()).posts, 12)
    assert.deepEqual(await two.verify(), [])
  })

  test('waiting for another process’s transaction leaves the event loop free', async () => {
    const folder = newFolder()
    await using store = await open(folder)
    const { id } = await addChannel(store, 'patient')
    const other = new DatabaseSync(join(folder, 'store.db'))
    other.exec('begin immediate')
    let turns = 0
    const ticking = setInterval(() => turns++, 5)
    const recorded = store.archive.record(sampleReading(id, { posts: [samplePost(1)] }))
    const read = await store.archive.channel('patient')
    assert.equal(read?.posts, 0, 'readers do not wait')
    await until(() => turns >= 5)
    other.exec('commit')
    assert.deepEqual((await recorded).added, [1])
    clearInterval(ticking)
    other.close()
  })

  test('a caller who finds nothing to do does not wait for another writer', async () => {
    const folder = newFolder()
    await using store = await open(folder)
    await addChannel(store, 'due_tomorrow', Date.now() + DAY)
    await drained(store)
    using other = new DatabaseSync(join(folder, 'store.db'))
    other.exec('begin immediate')
    const options = { owner: 'a', limit: 3, ttlMs: 1000, eager: true }
    const claim = store.changes.claim(CONSUMER, { limit: 3, ttlMs: 1000 })
    const asked = Promise.all([store.frontier.lease(options), claim])
    const tooLong = sleep(60_000, undefined, { ref: false }).then(() => 'still waiting' as const)
    assert.deepEqual(await Promise.race([asked, tooLong]), [[], undefined])
    other.exec('rollback')
  })

  test('nothing of a removed channel or post stays in the files, even while they are open', async () => {
    const folder = newFolder()
    await using store = await open(folder)
    await using reader = await open(folder)
    const { id } = await addChannel(store, 'vanishing')
    const { id: other } = await addChannel(store, 'staying')
    const kept = [samplePost(1, { text: 'staying-words' }), samplePost(2, { text: 'erased-post' })]
    await store.archive.record(sampleReading(other, { posts: kept }))
    const posts = Array.from({ length: 700 }, (_, i) =>
      samplePost(i + 1, { text: `erased-words ${i}` }),
    )
    await store.archive.record(sampleReading(id, { posts }))
    const again = posts.slice(0, 50).map((post) => ({ ...post, text: 'erased-edit' }))
    await store.archive.record(sampleReading(id, { at: NOON + 1, posts: again }))
    const made = { revision: 1, language: 'en', detectedLanguage: 'en', languageWeight: 1, has: [] }
    await store.archive.saveDerived([
      { channelId: other, number: 1, ...made, terms: STAYING },
      { channelId: other, number: 2, ...made, terms: ERASED },
      ...posts.slice(100).map(({ number }) => ({
        channelId: id,
        number,
        ...made,
        terms: [...ERASED, number],
      })),
    ])
    assert.deepEqual(await store.removals.removeChannel('vanishing', 'asked', NOON), {
      posts: 700,
    })
    await reader.archive.channel('staying')
    await store.removals.removePost('staying', 2, 'asked', NOON)
    const left = () => readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'))
    const bytes = left().join('')
    const hashes = (terms: readonly number[]) =>
      Buffer.from(Int32Array.from(terms).buffer).toString('latin1')
    assert.ok(bytes.includes('staying-words') && bytes.includes(hashes(STAYING)))
    for (const trace of ['erased-words', 'erased-edit', 'erased-post', hashes(ERASED)]) {
      assert.ok(!bytes.includes(trace), `${trace} is still in the files`)
    }
    const empty = { at: NOON, status: 'queued', title: 'erased-title' } as const
    await store.archive.addChannel('without_posts', empty)
    await store.removals.removeChannel('without_posts', 'asked', NOON)
    assert.ok(!left().join('').includes('erased-title'))
  })

  test('an erasure interrupted by a crash is finished at the next start', async () => {
    const folder = newFolder()
    {
      await using store = await open(folder)
      const { id } = await addChannel(store, 'cut_short')
      const posts = Array.from({ length: 1200 }, (_, i) => samplePost(i + 1))
      await store.archive.record(sampleReading(id, { posts }))
      const removal = store.removals.removeChannel('cut_short', 'asked', NOON)
      await store[Symbol.asyncDispose]()
      await assert.rejects(removal)
    }
    const left = countPosts(folder)
    assert.ok(left > 0, 'the crash came before the end')
    await using store = await open(folder)
    assert.equal(await store.archive.channel('cut_short'), undefined)
    await until(() => countPosts(folder) === 0)
    assert.deepEqual(await store.verify(), [])
  })

  test('a store that cannot be opened leaves no file open', async () => {
    const folder = newFolder()
    await (await open(folder))[Symbol.asyncDispose]()
    writeFileSync(join(folder, 'ledger.db'), 'no database '.repeat(100))
    await assert.rejects(open(folder), /ledger\.db/)
    assert.ok(!readdirSync(folder).includes('store.db-wal'), 'the last to close it takes its log')
  })

  test('a store that held posts and is now empty or missing is not taken for a new one', async () => {
    const folder = newFolder()
    {
      await using store = await open(folder)
      const { id } = await addChannel(store, 'kept_here')
      await store.archive.record(sampleReading(id, { posts: [samplePost(1)] }))
    }
    const file = join(folder, 'store.db')
    const isRefused = async (words: string) =>
      assert.rejects(open(folder), (error: Error) => {
        assert.equal(error.name, 'AppError', 'a sentence and no stack')
        return error.message.startsWith(`${file} is ${words}, and it held posts before; restore`)
      })
    truncateSync(file, 0)
    await isRefused('empty')
    rmSync(file)
    await isRefused('missing')
  })

  test('an empty store without posts and a missing ledger count as new, an empty ledger does not', async () => {
    const folder = newFolder()
    await (await open(folder))[Symbol.asyncDispose]()
    truncateSync(join(folder, 'store.db'), 0)
    await (await open(folder))[Symbol.asyncDispose]()
    rmSync(join(folder, 'ledger.db'))
    await (await open(folder))[Symbol.asyncDispose]()
    truncateSync(join(folder, 'ledger.db'), 0)
    await assert.rejects(open(folder), /ledger\.db is empty, and it held keys before/)
  })

  test('another database in place of the store, or a damaged one, is named in the error', async () => {
    const folder = newFolder()
    await (await open(folder))[Symbol.asyncDispose]()
    const file = join(folder, 'store.db')
    for (const harm of [
      () => copyFileSync(join(folder, 'ledger.db'), file),
      () => writeFileSync(file, 'no database '.repeat(1_000)),
    ]) {
      harm()
      await assert.rejects(open(folder), (error: Error) => {
        assert.equal(error.name, 'AppError', 'a sentence and no stack')
        return error.message.startsWith(file) && error.message.includes('restore it from a backup')
      })
    }
  })

  test('a post with damaged packed parts is found by verify', async () => {
    const folder = newFolder()
    await using store = await open(folder)
    const { id } = await addChannel(store, 'kept_here')
    await store.archive.record(sampleReading(id, { posts: [samplePost(1)] }))
    assert.deepEqual(await store.verify(), [])
    const other = new DatabaseSync(join(folder, 'store.db'))
    other.exec(`update post_bodies set rest = '{"e": [[ }'`)
    other.close()
    assert.match((await store.verify()).join(), /a post that cannot be read/)
  })

  test('a restored copy obeys a removal by a numeric id that was learnt later', async () => {
    const copy = newFolder()
    {
      await using older = await open(copy)
      const { id } = await addChannel(older, 'former_name')
      const profile = sampleProfile('former_name', { platformId: 77 })
      await older.archive.record(sampleReading(id, { posts: [samplePost(1)], profile }))
    }
    const folder = newFolder()
    {
      await using store = await open(folder)
      await store.removals.removeChannel('removed_name', 'asked', NOON)
      const { id } = await addChannel(store, 'other_name')
      const profile = sampleProfile('removed_name', { platformId: 77 })
      await store.archive.record(sampleReading(id, { profile }))
      assert.equal((await store.removals.find({ name: 'removed_name' }))?.platformId, 77)
      await store.removals.resume()
    }
    copyFileSync(join(copy, 'store.db'), join(folder, 'store.db'))
    await using store = await open(folder)
    assert.equal(await store.archive.channel('former_name'), undefined)
    assert.equal((await store.removals.find({ name: 'removed_name' }))?.platformId, 77)
  })

  test('pruning does not block the event loop', async () => {
    await using store = await open(newFolder())
    const { id } = await addChannel(store, 'prunes')
    const posts = Array.from({ length: 1000 }, (_, i) =>
      samplePost(i + 1, { publishedAt: NOON - DAY - i * MINUTE }),
    )
    await store.archive.record(sampleReading(id, { posts }))
    const turns = await turnsOf(async () => {
      assert.equal(await store.archive.prune(NOON, 900), 900)
    })
    assert.ok(turns >= 8, `the event loop turned ${turns} times`)
    assert.equal((await store.archive.channel('prunes'))?.posts, 100)
    assert.deepEqual(await store.verify(), [])
  })

  /** How often the event loop turned while the work ran. */
  async function turnsOf(work: () => Promise<void>): Promise<number> {
    let turns = 0
    const turn = () => {
      turns++
      ticking = setImmediate(turn)
    }
    let ticking = setImmediate(turn)
    await work()
    clearImmediate(ticking)
    return turns
  }

  const COUNT = 1000

  /** Two rows turn out to be one channel, and the process that merges them dies half way. */
  async function joinHalfWay(folder: string): Promise<void> {
    const profile = (name: string) => sampleProfile(name, { platformId: 7 })
    const store = await open(folder)
    const known = await addChannel(store, 'known_name')
    await store.archive.record(sampleReading(known.id, { profile: profile('known_name') }))
    const twin = await addChannel(store, 'other_name')
    const posts = Array.from({ length: COUNT }, (_, i) => samplePost(i + 1))
    await store.archive.record(sampleReading(twin.id, { posts }))
    const joining = store.archive.record(
      sampleReading(twin.id, { at: NOON + 1, profile: profile('other_name') }),
    )
    await new Promise((resolve) => setImmediate(resolve))
    const { posts: joined } = (await store.archive.channel('other_name'))!
    assert.ok(joined < COUNT / 2, `${joined} posts before the event loop had its turn`)
    await store[Symbol.asyncDispose]()
    await assert.rejects(joining)
  }

  test('channels are merged in steps, and a crash in between is repaired at the next start', async () => {
    const folder = newFolder()
    await joinHalfWay(folder)
    await using store = await open(folder)
    await until(async () => (await store.archive.channel('known_name'))!.posts === COUNT)
    assert.deepEqual(await store.verify(), [])
  })

  test('a merge interrupted by a crash is finished by another running process', async () => {
    const folder = newFolder()
    await using running = await open(folder)
    await joinHalfWay(folder)
    await running.removals.resume()
    assert.equal((await running.archive.channel('known_name'))!.posts, COUNT)
    assert.deepEqual(await running.verify(), [])
  })

  test('a channel is removed together with posts still to be merged into it', async () => {
    const folder = newFolder()
    await using running = await open(folder)
    await joinHalfWay(folder)
    await running.removals.removeChannel('known_name', 'asked to', NOON + 2)
    assert.equal(countPosts(folder), 0)
    assert.deepEqual(await running.verify(), [])
  })
})

function countPosts(folder: string): number {
  const db = new DatabaseSync(join(folder, 'store.db'))
  try {
    return Number(db.prepare('select count(*) as posts from posts').get()?.['posts'])
  } finally {
    db.close()
  }
}
