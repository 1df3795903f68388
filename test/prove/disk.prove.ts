import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../src/model/errors.ts'
import type { Post } from '../../src/model/post.ts'
import { makePost } from '../../src/store/contract/make-post.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'

/**
 * A disk that is full, that limits file sizes, or that is read-only. Writes are refused in words an operator understands;
 * what was acknowledged stays; reads still work; and once there is room again, writing resumes by itself.
 */

const START = Date.UTC(2026, 0, 1)
const CHANNEL = 'disk_full'

interface DiskResult {
  readonly fileLimit: string
  readonly fullDisk: string
  readonly readOnlyDisk: string
}

/** The first trial needs no privileges; the others mount a small file system and are skipped where that is not allowed. */
export async function run(options: { readonly mounts?: boolean } = {}): Promise<DiskResult> {
  const fileLimit = await withLimitedFiles()
  if (options.mounts === false)
    return { fileLimit, fullDisk: 'not asked for', readOnlyDisk: 'not asked for' }
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-disk-'))
  try {
    mount('-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', folder)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    const why = `skipped: mounting is not allowed here (${(error as Error).message.split('\n')[0]})`
    return { fileLimit, fullDisk: why, readOnlyDisk: why }
  }
  try {
    const fullDisk = await onFullDisk(folder)
    const readOnlyDisk = await onReadOnlyDisk(folder)
    return { fileLimit, fullDisk, readOnlyDisk }
  } finally {
    execFileSync('umount', [folder])
    rmSync(folder, { recursive: true, force: true })
  }
}

async function onFullDisk(folder: string): Promise<string> {
  const data = join(folder, 'data')
  let written = 0
  {
    await using store = await open(data)
    const refusal = await writeUntilRefused(store, (newest) => (written = newest))
    assert.equal(refusal.message, 'the store could not be used: the disk is full')
    assert.equal(refusal.code, 'unavailable')
    await check(store, written)
    await writeUntilRefused(store, (newest) => (written = newest))
    await check(store, written)
    await countRequests(store)
  }
  {
    await using store = await open(data)
    await check(store, written)
    mount('-o', 'remount,size=64m', folder)
    const more = await write(store, 50)
    assert.ok(more > written, 'with room again, writing goes on in the same process')
    await check(store, more)
  }
  return `${written} posts until it was full, all there; writing went on with room again`
}

/** Readers are still answered, although each request is charged. */
async function countRequests({ ledger }: Store): Promise<void> {
  const rule = { policy: 'burst', limit: 20, windowMs: 60_000, starts: 'first' } as const
  for (let i = 0; i < 2_000; i++) {
    const { granted } = await ledger.charge({ ...rule, caller: `caller ${i % 500}`, amount: 1 })
    assert.equal(granted, 1)
  }
}

async function onReadOnlyDisk(folder: string): Promise<string> {
  const data = join(folder, 'data')
  const newest = await (async () => {
    await using store = await open(data)
    return await write(store, 50)
  })()
  mount('-o', 'remount,ro', folder)
  await assert.rejects(open(data), (error: unknown) => {
    assert.ok(error instanceof AppError)
    assert.match(
      error.message,
      /ledger\.db: the store could not be used: (the disk is read-only|the file cannot be opened)$/,
    )
    return true
  })
  mount('-o', 'remount,rw', folder)
  await using store = await open(data)
  await check(store, newest)
  assert.ok((await write(store, 50)) > newest)
  return 'refused to start in so many words; once writable, all posts there and more written'
}

/** Without any privileges: a child process whose files may not grow beyond a few megabytes. */
async function withLimitedFiles(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-limit-'))
  try {
    const script = `trap '' XFSZ; ulimit -f 4096; exec "$@"`
    const args = ['-c', script, 'sh', process.execPath, import.meta.filename, '--fill', folder]
    const child = spawn('bash', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
    assert.equal(code, 0, output)
    const lines = output.trim().split('\n')
    const refusal = lines.pop()!
    assert.match(
      refusal,
      /^unavailable: the store could not be used: the disk (is full|gave an error)$/,
    )
    const newest = Number(lines.at(-1))
    await using store = await open(folder)
    await check(store, newest)
    const more = await write(store, 50)
    await check(store, more)
    return `${newest} posts until a file could not grow, all there`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function fill(folder: string): Promise<void> {
  const store = await open(folder)
  const refusal = await writeUntilRefused(store, (newest) => writeSync(1, `${newest}\n`))
  writeSync(1, `${refusal.code}: ${refusal.message}\n`)
  process.exit(0)
}

async function writeUntilRefused(store: Store, ack: (newest: number) => void): Promise<AppError> {
  for (let batch = 0; batch < 2000; batch++) {
    try {
      ack(await write(store, 200))
    } catch (error) {
      assert.ok(error instanceof AppError, String(error))
      return error
    }
  }
  throw new Error('the disk never filled up')
}

async function write(store: Store, count: number): Promise<number> {
  await store.archive.addChannel(CHANNEL, { at: START, status: 'queued' })
  const { id } = (await store.archive.channel(CHANNEL))!
  const owner = `${process.pid}`
  await sleep(10)
  const [visit] = await store.frontier.lease({ owner, limit: 1, ttlMs: 1, eager: false })
  assert.ok(visit)
  const from = (visit.schedule.newestNumber ?? 0) + 1
  const posts = Array.from({ length: count }, (_, i) => postOf(from + i))
  const reading = { at: Date.now(), capture: 'crawl', parserVersion: 1, profile: null } as const
  await store.frontier.settle(visit.lease, {
    reading: { ...reading, channelId: id, posts, deleted: [] },
    schedule: { ...visit.schedule, newestNumber: from + count - 1 },
    status: 'active',
    reason: null,
    gaps: [],
    walked: [],
  })
  return from + count - 1
}

async function check(store: Store, newest: number): Promise<void> {
  const channel = (await store.archive.channel(CHANNEL))!
  const numbers = await store.archive.numbersBetween(channel.id, 1, newest)
  assert.equal(numbers.length, newest, 'an acknowledged post is missing')
  const cursor = (await store.frontier.schedule(channel.id))?.newestNumber ?? 0
  assert.equal(channel.posts, cursor, 'the cursor is ahead of the posts')
  assert.deepEqual(await store.verify(), [])
}

function mount(...args: string[]): void {
  execFileSync('mount', args, { stdio: 'pipe' })
}

function open(folder: string): Promise<Store> {
  return openStore({ kind: 'sqlite', folder, retention: { deleted: 'redact', versions: 'keep' } })
}

function postOf(number: number): Post {
  return makePost({
    number,
    publishedAt: START + number * 60_000,
    text: `post ${number} ${'padding '.repeat(40)}`,
  })
}

if (import.meta.main) {
  const [first, folder] = process.argv.slice(2)
  if (first === '--fill') await fill(folder!)
  else console.table(await run())
}
