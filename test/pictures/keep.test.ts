import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createPictureKeeper, type PictureEvents } from '../../src/crawl/picture-keeper.ts'
import { eraseUnused, sweepPart } from '../../src/crawl/sweep-pictures.ts'
import { makeMedia } from '../../src/model/post.ts'
import { createManualClock, type ManualClock } from '../../src/simulator/clocks.ts'
import {
  DAY,
  MINUTE,
  NOON,
  addChannel,
  samplePost,
  sampleReading,
} from '../../src/store/contract/samples.ts'
import { openStore } from '../../src/store/open-store.ts'
import { PICTURE_KEEPER } from '../../src/store/pictures.ts'
import { openPictureFiles } from '../../src/store/picture-files.ts'
import type { PictureOutcome, PictureSource } from '../../src/telegram/picture-source.ts'
import { jpegOf } from './picture-bytes.ts'
import { UNHEARD_PICTURES } from '../unheard-events.ts'

const CDN = 'https://cdn4.telesco.pe/file'
const { signal } = new AbortController()

/** A store, its folder of files, and a keeper whose source answers as told; time stands still unless moved. */
async function open(options: {
  readonly answer: (url: string) => Omit<PictureOutcome & object, never>
  readonly limits?: Partial<{ pictureBytes: number; dayBytes: number; bytes: number }>
}) {
  const owned = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-pictures-'))
  owned.defer(() => rmSync(folder, { recursive: true, force: true }))
  const clock: ManualClock = createManualClock(NOON)
  const retention = { deleted: 'redact', versions: 'keep', pictures: true } as const
  const store = owned.use(await openStore({ kind: 'sqlite', folder, retention, clock }))
  const files = openPictureFiles(join(folder, 'media'))
  const asked: string[] = []
  const held: unknown[] = []
  const events: PictureEvents = {
    ...UNHEARD_PICTURES,
    picturesHeld: (why) => held.push(why),
  }
  const source: PictureSource = {
    async picture(url) {
      asked.push(url.slice(CDN.length + 1))
      return options.answer(url) as PictureOutcome
    },
    async [Symbol.asyncDispose]() {},
  }
  const limits = { pictureBytes: 1_000, dayBytes: 100_000, bytes: 100_000, ...options.limits }
  // A rate that lets everything pass at once: the pace is not what is tested here.
  let isWrong = false
  const isClockWrong = () => isWrong
  const shared = { store, files, limits, ratePerS: Infinity, clock, isClockWrong, events }
  const keeper = createPictureKeeper({ ...shared, source, owner: 'fetcher' })
  const sweeper = createPictureKeeper({ ...shared, source: null, owner: 'sweeper' })
  const { id } = await addChannel(store, 'first_name')
  const publish = (numbers: readonly number[], at = clock.now()) =>
    store.archive.record(
      sampleReading(id, {
        at,
        posts: numbers.map((number) =>
          samplePost(number, {
            media: [makeMedia('photo', { url: `${CDN}/${number}.jpg`, fileId: String(number) })],
          }),
        ),
      }),
    )
  return {
    store,
    files,
    clock,
    asked,
    held,
    keeper,
    sweeper,
    id,
    publish,
    setWrong: (wrong: boolean) => (isWrong = wrong),
    onDisk: () => namesIn(files.folder),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function namesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((part) => readdirSync(join(folder, part)))
}

/** A different picture for each address, of this many bytes. */
function pictureOf(url: string, bytes = 500): PictureOutcome {
  const head = jpegOf(8, 6)
  const body = Buffer.concat([head, Buffer.alloc(bytes - head.length, url)])
  return { kind: 'picture', type: 'jpeg', width: 8, height: 6, bytes: body, read: body.length }
}

describe('the picture keeper', () => {
  test('fetches each wanted picture once and stores its file', async () => {
    await using t = await open({ answer: (url) => pictureOf(url) })
    await t.publish([1, 2, 3])
    assert.equal(await t.keeper.round(signal), 3)
    assert.equal(await t.keeper.round(signal), 0)
    const kept = await t.store.pictures.of([1, 2, 3].map((number) => ({ channelId: t.id, number })))
    assert.equal(kept.length, 3)
    for (const { file } of kept) assert.equal((await t.files.read(file.sha256))?.length, 500)
    assert.equal(t.onDisk().length, 3)
  })

  test('stops at the total size limit, and keeps what it has', async () => {
    const limits = { bytes: 2_600 }
    await using t = await open({ answer: (url) => pictureOf(url), limits })
    await t.publish([1, 2, 3, 4, 5, 6, 7, 8])
    for (let i = 0; i < 3; i++) await t.keeper.round(signal)
    const { bytes, files } = await t.store.pictures.totals(0)
    assert.ok(bytes <= limits.bytes && files === 4, `${bytes} bytes, ${files} files`)
    assert.deepEqual(t.held, ['full'], 'told once')
    assert.equal(t.asked.length, 4, 'nothing is fetched to be thrown away')
  })

  test('stops at the daily limit of bytes read, refused pictures included', async () => {
    const limits = { dayBytes: 3_000 }
    const answer = (url: string): PictureOutcome =>
      url.includes('/1.') ? { kind: 'refused', why: 'no picture', read: 900 } : pictureOf(url)
    await using t = await open({ answer, limits })
    await t.publish([1, 2, 3, 4, 5, 6, 7, 8])
    await t.keeper.round(signal)
    const today = Math.floor(NOON / DAY)
    const { dayBytes } = await t.store.pictures.totals(today)
    assert.ok(dayBytes > 2_000 && dayBytes <= limits.dayBytes, `${dayBytes} bytes`)
    const before = t.asked.length
    assert.equal(await t.keeper.round(signal), 0)
    assert.equal(t.asked.length, before)
    await t.clock.advance(DAY)
    assert.ok((await t.keeper.round(signal))! > 0, 'the next day it goes on')
  })

  test('deletes the files of removed posts and channels, whichever process has the role', async () => {
    await using t = await open({ answer: (url) => pictureOf(url) })
    await t.publish([1, 2])
    await t.keeper.round(signal)
    await t.store.removals.removePost('first_name', 1, 'asked', NOON)
    assert.equal(await t.sweeper.round(signal), undefined, 'the fetcher has the role')
    await t.keeper.round(signal)
    assert.equal(t.onDisk().length, 1)
    await t.store.removals.removeChannel('first_name', 'asked', NOON)
    await t.clock.advance(5 * MINUTE)
    assert.equal(await t.sweeper.round(signal), 0, 'the fetcher is gone')
    assert.deepEqual(t.onDisk(), [])
    assert.ok(await t.store.roles.acquire(PICTURE_KEEPER, 'next', MINUTE), 'and lets go at once')
  })

  test('fetches a picture again that was imported while the same file was being deleted', async () => {
    await using t = await open({ answer: () => pictureOf('the same') })
    await t.publish([1])
    await t.keeper.round(signal)
    await t.store.removals.removePost('first_name', 1, 'asked', NOON)
    await t.publish([2])
    const [wanted] = await t.store.pictures.due(NOON, 1)
    const { bytes } = pictureOf('the same') as PictureOutcome & { readonly bytes: Buffer }
    const remove = async (sha256: string) => {
      await t.files.write(bytes)
      const file = { sha256, type: 'jpeg', bytes: bytes.length, width: 8, height: 6 } as const
      assert.equal(await t.store.pictures.keep(wanted!, file, NOON), true)
      await t.files.remove(sha256)
    }
    assert.equal(await eraseUnused(t.store.pictures, { ...t.files, remove }, t.clock), 1)
    assert.deepEqual(t.onDisk(), [])
    assert.equal(await t.keeper.round(signal), 1)
    assert.equal(t.onDisk().length, 1)
  })

  test('leaves nothing of a post that was removed during the fetch', async () => {
    const removals: Promise<unknown>[] = []
    await using t = await open({
      answer(url) {
        removals.push(t.store.removals.removePost('first_name', 1, 'asked', NOON))
        return pictureOf(url)
      },
    })
    await t.publish([1])
    await t.keeper.round(signal)
    await Promise.all(removals)
    await t.keeper.round(signal)
    assert.deepEqual(t.onDisk(), [])
    assert.equal((await t.store.pictures.totals(0)).files, 0)
  })

  test('sweeps files that a crash left without a row, complete or partial, once they are old', async () => {
    await using t = await open({ answer: (url) => pictureOf(url) })
    await t.publish([1])
    await t.keeper.round(signal)
    const [kept] = t.onDisk()
    const orphan = await t.files.write(Buffer.from('nobody knows of it'))
    const part = orphan.slice(0, 2)
    const torn = '123e4567-e89b-42d3-a456-426614174000.part'
    mkdirSync(join(t.files.folder, part), { recursive: true })
    writeFileSync(join(t.files.folder, part, torn), 'half')
    const sweep = async (now: number) => {
      let erased = 0
      for (let i = 0; i < 256; i++) {
        erased += await sweepPart(t.store.pictures, t.files, { part: i, now })
      }
      return erased
    }
    const old = new Date(NOON)
    for (const name of [orphan, torn]) utimesSync(join(t.files.folder, part, name), old, old)
    utimesSync(join(t.files.folder, kept!.slice(0, 2), kept!), old, old)
    assert.equal(await sweep(NOON + MINUTE), 0, 'they may still get their rows')
    assert.equal(await sweep(NOON + 20 * MINUTE), 2)
    assert.deepEqual(t.onDisk(), [kept])
  })

  test('retries failures at growing intervals, and does not retry a picture that is gone', async () => {
    let answer: PictureOutcome = { kind: 'failed', why: 'network', read: 0 }
    await using t = await open({ answer: () => answer })
    await t.publish([1])
    const rounds: number[] = []
    for (let minute = 0; minute < 120; minute++) {
      if (((await t.keeper.round(signal)) ?? 0) > 0) rounds.push(minute)
      await t.clock.advance(MINUTE)
    }
    assert.deepEqual(rounds, [0, 1, 5, 21, 85])
    answer = { kind: 'gone', read: 0 }
    await t.publish([2])
    await t.keeper.round(signal)
    await t.clock.advance(DAY)
    assert.equal(await t.keeper.round(signal), 0)
  })

  test('waits as long as a throttling host asks', async () => {
    await using t = await open({
      answer: () => ({ kind: 'throttled', retryAfterMs: 10 * MINUTE, read: 0 }),
    })
    await t.publish([1, 2, 3, 4])
    assert.equal(await t.keeper.round(signal), 1)
    await t.clock.advance(5 * MINUTE)
    assert.equal(await t.keeper.round(signal), 0)
    await t.clock.advance(6 * MINUTE)
    assert.equal(await t.keeper.round(signal), 1)
  })

  test('does not count an outage or a ban as failures of the pictures', async () => {
    let answer: (url: string) => PictureOutcome = () => ({
      kind: 'failed',
      why: 'network',
      read: 0,
    })
    await using t = await open({ answer: (url) => answer(url) })
    await t.publish([1, 2, 3, 4, 5, 6])
    for (let hour = 0; hour < 48; hour++) {
      if (hour === 24) answer = () => ({ kind: 'throttled', retryAfterMs: null, read: 0 })
      await t.keeper.round(signal)
      await t.clock.advance(60 * MINUTE)
    }
    assert.ok(t.asked.length > 40, `asked ${t.asked.length} times in vain`)
    assert.equal((await t.store.pictures.totals(0)).waiting, 6)
    answer = (url) => pictureOf(url)
    await t.clock.advance(DAY)
    await t.keeper.round(signal)
    assert.equal((await t.store.pictures.totals(0)).files, 6)
  })

  test('pauses while the platform asks to slow down', async () => {
    await using t = await open({ answer: (url) => pictureOf(url) })
    await t.publish([1])
    await t.store.budget.backOff(10 * MINUTE)
    assert.equal(await t.keeper.round(signal), 0)
    assert.deepEqual(t.held, ['platform'])
    await t.clock.advance(11 * MINUTE)
    assert.equal(await t.keeper.round(signal), 1)
  })

  test('fetches nothing and sweeps nothing up while the clock is wrong', async () => {
    await using t = await open({ answer: (url) => pictureOf(url) })
    await t.publish([1])
    const left = await t.files.write(new Uint8Array([1]))
    t.setWrong(true)
    await t.clock.advance(DAY)
    for (let part = 0; part <= 256; part++) {
      assert.equal(await t.keeper.round(signal), 0)
      await t.clock.advance(10_000)
    }
    assert.ok(await t.files.read(left))
    t.setWrong(false)
    assert.equal(await t.keeper.round(signal), 1)
  })
})
