import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Post } from '../../src/model/post.ts'
import { makePost } from '../../src/store/contract/make-post.ts'
import { createOwner } from '../../src/store/owner.ts'
import { openStore } from '../../src/store/open-store.ts'
import { termHashes } from '../../src/store/terms.ts'
import type { Store } from '../../src/store/store.ts'
import { drainChanges } from '../drain-changes.ts'

/**
 * Kills a writer at random moments under heavy load, again and again on the same store. Every post it acknowledged must be
 * there, the cursor never ahead of the posts, the file sound, and the next writer starts by itself. After each kill, a copy
 * whose log is cut at a random byte must open just as soundly, if with less in it. A number as argument sets the number of
 * kills.
 */

const CHANNELS = ['kill_one', 'kill_two', 'kill_three']
/** A new store is begun from time to time, so that checking stays quick. */
const KILLS_A_STORE = 40
const START = Date.UTC(2026, 0, 1)

/** What a writer was told is safely stored. */
interface Acknowledged {
  readonly channel: string
  readonly newest: number
  readonly edited: number
  readonly revision: number
}

type Expected = Map<string, { newest: number; revisions: Map<number, number> }>

export async function run({ kills = 50 }: { kills?: number } = {}): Promise<{
  readonly kills: number
  readonly posts: number
  readonly acknowledgements: number
}> {
  let folder = ''
  let expected: Expected = new Map()
  let posts = 0
  let acknowledgements = 0
  try {
    for (let kill = 0; kill < kills; kill++) {
      if (kill % KILLS_A_STORE === 0) {
        if (folder !== '') rmSync(folder, { recursive: true, force: true })
        folder = mkdtempSync(join(tmpdir(), 'telegrep-kill-'))
        expected = new Map()
      }
      const heard = await writeUntilKilled(folder, Math.random() * 300)
      acknowledgements += heard.length
      for (const ack of heard) {
        const known = expected.get(ack.channel) ?? { newest: 0, revisions: new Map() }
        known.newest = Math.max(known.newest, ack.newest)
        known.revisions.set(ack.edited, ack.revision)
        expected.set(ack.channel, known)
      }
      await checkTornCopy(folder)
      posts = await check(folder, expected)
    }
    return { kills, posts, acknowledgements }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function writeUntilKilled(folder: string, afterMs: number): Promise<Acknowledged[]> {
  const child = spawn(process.execPath, [import.meta.filename, '--write', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const heard: Acknowledged[] = []
  const lines = createInterface({ input: child.stdout })
  const closed = new Promise<NodeJS.Signals | null>((resolve) => {
    child.once('close', (_code, signal) => resolve(signal))
  })
  for await (const line of lines) {
    if (heard.length === 0) setTimeout(() => child.kill('SIGKILL'), afterMs)
    heard.push(JSON.parse(line) as Acknowledged)
  }
  assert.equal(await closed, 'SIGKILL', 'the writer stopped by itself')
  return heard
}

async function check(folder: string, expected: Expected): Promise<number> {
  await using store = await open(folder)
  assert.deepEqual(await store.verify(), [])
  let posts = 0
  for (const [name, { newest, revisions }] of expected) {
    const channel = await store.archive.channel(name)
    assert.ok(channel, `${name} is there`)
    const cursor = await checkCursor(store, channel.id)
    assert.ok(cursor >= newest, `${name}: acknowledged up to ${newest}, found ${cursor}`)
    for (const [number, revision] of revisions) {
      const post = await store.archive.post(channel.id, number)
      assert.ok(revisionOf(post) >= revision, `${name}/${number}: acknowledged edit ${revision}`)
    }
    posts += channel.posts
  }
  return posts
}

/** A power cut may leave any prefix of the log that includes what was synced: it must consist of whole transactions. */
async function checkTornCopy(folder: string): Promise<void> {
  const copy = `${folder}-torn`
  try {
    cpSync(folder, copy, { recursive: true })
    const log = join(copy, 'store.db-wal')
    if (existsSync(log)) {
      const synced = syncedBytes(copy)
      truncateSync(log, synced + Math.floor(Math.random() * (statSync(log).size - synced)))
    }
    rmSync(join(copy, 'store.db-shm'), { force: true })
    await using store = await open(copy)
    assert.deepEqual(await store.verify(), [])
    for (const name of CHANNELS) {
      const channel = await store.archive.channel(name)
      if (channel) await checkCursor(store, channel.id)
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/**
 * How much of the log was certainly synced when the writer died. SQLite syncs the log before it copies frames from it into
 * the database, so only a log shorter than a copy already begun would be a state that no power cut leaves. How far that copy
 * may have got is `nBackfillAttempted` in the shared memory (sqlite.org/walformat.html, 2.2).
 */
function syncedBytes(folder: string): number {
  const shared = readFileSync(join(folder, 'store.db-shm'))
  const framesBeingCopied = new Uint32Array(shared.buffer, shared.byteOffset + 128, 1)[0]!
  if (framesBeingCopied === 0) return 0
  const pageSize = readFileSync(join(folder, 'store.db-wal')).readUInt32BE(8)
  return 32 + framesBeingCopied * (24 + pageSize)
}

/** Every number up to the cursor is archived. */
async function checkCursor(store: Store, channelId: number): Promise<number> {
  const cursor = (await store.frontier.schedule(channelId))?.newestNumber ?? 0
  const numbers = await store.archive.numbersBetween(channelId, 1, cursor)
  assert.equal(numbers.length, cursor, 'the cursor is ahead of the posts')
  return cursor
}

/** The load: visits, edits, checkpoints, derived terms and drained changes, as fast as possible. */
async function write(folder: string): Promise<void> {
  const store = await open(folder)
  const owner = createOwner()
  await store.frontier.releaseDead!(owner)
  await store.changes.register('index-1')
  for (const name of CHANNELS) await store.archive.addChannel(name, { at: START, status: 'queued' })
  for (let turn = 0; ; turn++) {
    const name = CHANNELS[turn % CHANNELS.length]!
    const channel = (await store.archive.channel(name))!
    const now = START + turn
    await store.frontier.makeDue(channel.id, 0)
    const options = { owner, limit: 1, ttlMs: 60_000, eager: false }
    const [visit] = await store.frontier.lease(options)
    if (visit?.channel.id !== channel.id) throw new Error(`${name} is leased by somebody else`)
    const from = (visit.schedule.newestNumber ?? 0) + 1
    const newest = from + Math.floor(Math.random() * 150)
    const edited = 1 + Math.floor(Math.random() * newest)
    const old = await store.archive.post(channel.id, edited)
    const revision = revisionOf(old) + 1
    const fresh = Array.from({ length: newest - from + 1 }, (_, i) => postOf(from + i, 0))
    const again = postOf(edited, revision)
    const posts = [...fresh.filter((post) => post.number !== edited), again]
    const reading = {
      channelId: channel.id,
      at: Math.max(Date.now(), (old?.lastCapturedAt ?? 0) + 1),
      capture: 'crawl',
      parserVersion: 1,
      profile: null,
      deleted: [],
    } as const
    const half = fresh.slice(0, fresh.length >> 1)
    await store.frontier.checkpoint(visit.lease, {
      reading: { ...reading, posts: half },
      gaps: [],
      walked: [],
    })
    await store.frontier.settle(visit.lease, {
      reading: { ...reading, at: reading.at + 1, posts },
      schedule: { ...visit.schedule, nextVisitAt: now, newestNumber: newest },
      status: 'active',
      reason: null,
      gaps: [],
      walked: [],
    })
    const ack: Acknowledged = { channel: name, newest, edited, revision }
    writeSync(1, `${JSON.stringify(ack)}\n`)
    await drainChanges(store, 'index-1', 200, async (changes) => {
      const numbers = changes.flatMap((change) => (change.kind === 'post' ? [change] : []))
      await store.archive.saveDerived(
        numbers.map(({ channelId, number }) => ({
          channelId,
          number,
          revision: 1,
          language: 'en',
          detectedLanguage: 'en',
          languageWeight: 1,
          terms: termHashes(['post', `number${number}`]),
          has: [],
        })),
      )
    })
  }
}

function open(folder: string): Promise<Store> {
  return openStore({ kind: 'sqlite', folder, retention: { deleted: 'redact', versions: 'keep' } })
}

function postOf(number: number, revision: number): Post {
  return makePost({
    number,
    publishedAt: START + number * 60_000,
    edited: revision > 0,
    text: `post ${number}, edit ${revision}: ${'padding '.repeat(number % 40)}`,
  })
}

function revisionOf(post: Post | undefined): number {
  return Number(/edit (\d+)/.exec(post?.text ?? '')?.[1] ?? 0)
}

if (import.meta.main) {
  const [first, second] = process.argv.slice(2)
  if (first === '--write') {
    await write(second!)
  } else {
    const { kills, posts, acknowledgements } = await run({ kills: Number(first ?? 50) })
    console.log(
      `${kills} kills, ${acknowledgements} acknowledged visits, ${posts} posts in the last store: nothing lost`,
    )
  }
}
