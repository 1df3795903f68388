import assert from 'node:assert/strict'
import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createStillClock } from '../../simulator/clocks.ts'
import { examineIndex, openIndexWriter, openSearchIndex } from '../open-search-index.ts'
import { createRandom, plainSearch, sampleDocument } from '../contract/sample.ts'
import { IndexDamagedError, type IndexDocument, type IndexWriter } from '../search-index.ts'
import { SIZES } from './postings/postings.ts'
import { openReader } from './reader.ts'
import { openSnapshot } from './snapshot.ts'

const NOW = Date.UTC(2026, 5, 1)
const folders: string[] = []
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

const random = createRandom(17)
function documentOf(number: number): IndexDocument {
  const made = sampleDocument(random, NOW, [])
  const toks = ['rose', `word${number}`]
  return { ...made, channelId: 1, number, publishedAt: NOW - number * 60_000, toks, stems: toks }
}

const ROSE = plainSearch(NOW, { root: { kind: 'word', text: 'rose', start: 0, end: 4 } })

/** An index of 300 posts, closed properly. */
async function filled() {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-damage-'))
  folders.push(folder)
  const clock = createStillClock(NOW)
  const location = { kind: 'embedded', folder, workers: 1 } as const
  const told: string[] = []
  const open = () =>
    openIndexWriter(location, clock, {
      isExpected: true,
      onDamaged: (why) => told.push(String(why)),
    })
  {
    await using writer = await openIndexWriter(location, clock)
    for (let first = 1; first <= 300; first += 100) {
      await writer.apply({ puts: Array.from({ length: 100 }, (_, i) => documentOf(first + i)) })
    }
  }
  return { folder, clock, location, told, open, file: join(folder, 'generation-1.sqlite') }
}

/** Fills a new generation to replace what was lost, as the indexer does. */
async function rebuild(writer: IndexWriter): Promise<void> {
  await using fresh = await writer.startGeneration(0)
  await fresh.apply({ puts: Array.from({ length: 300 }, (_, i) => documentOf(1 + i)) })
  await fresh.swap()
}

function flip(path: string, at: number, count = 1): void {
  const bytes = readFileSync(path).subarray(at, at + count)
  const fd = openSync(path, 'r+')
  writeSync(fd, Buffer.from(bytes.map((byte) => byte ^ 0x55)), 0, bytes.length, at)
  closeSync(fd)
}

const HARMS: Readonly<Record<string, (file: string, folder: string) => void>> = {
  'an empty file': (file) => truncateSync(file, 0),
  'half a file': (file) => truncateSync(file, statSync(file).size >> 1),
  'a file of noise': (file) => writeFileSync(file, Buffer.alloc(20_000, 'no database')),
  'one flipped byte in the middle': (file) => flip(file, statSync(file).size >> 1),
  'flipped bytes in the last page': (file) => flip(file, statSync(file).size - 300, 300),
  'a missing file': (file) => rmSync(file),
  'another database in its place': (file, folder) =>
    copyFileSync(join(folder, 'control.sqlite'), file),
  'a control file whose row is another': (_, folder) => {
    const control = new DatabaseSync(join(folder, 'control.sqlite'))
    control.exec(`pragma ignore_check_constraints = on; delete from control;
      insert into control values (0, 0, 0, 0, 0)`)
    control.close()
  },
  'a control file cut in its row': (_, folder) =>
    truncateSync(join(folder, 'control.sqlite'), 4665),
  'an empty control file': (_, folder) => truncateSync(join(folder, 'control.sqlite'), 0),
  'a control file of noise': (_, folder) =>
    writeFileSync(join(folder, 'control.sqlite'), 'noise '.repeat(1000)),
  'a control file that is an index': (file, folder) =>
    copyFileSync(file, join(folder, 'control.sqlite')),
}

describe('an index that was damaged before the start', () => {
  for (const [name, harm] of Object.entries(HARMS)) {
    test(`${name}: is detected, makes searches unavailable, is set aside and rebuilt`, async () => {
      const { folder, clock, location, told, open, file } = await filled()
      harm(file, folder)
      await using index = await openSearchIndex(location, clock)
      await using writer = await open()
      const isControl = name.includes('control')
      assert.ok(told.length > 0)
      // Until it checks again, a thread answers from what it can still read.
      if (name.includes('flipped')) await sleep(1_100)
      await assert.rejects(index.search(ROSE), { code: 'unavailable', status: 503 })
      clock.pass(1_100)
      assert.notEqual((await index.state()).problem, null)
      if (!isControl && name !== 'a missing file') {
        assert.ok(readdirSync(folder).includes('damaged-generation-1.sqlite'), 'is set aside')
      }
      await rebuild(writer)
      assert.equal((await index.search(ROSE)).total.value, 300)
      clock.pass(1_100)
      assert.equal((await index.state()).problem, null)
      assert.ok(!readdirSync(folder).some((each) => each.startsWith('damaged-')), 'is cleared up')
      assert.equal((await examineIndex(location)).problem, null)
    })
  }

  test('an intact index is not reported as damaged, even after a crash', async () => {
    const { folder, clock, location, told, file } = await filled()
    const copy = mkdtempSync(join(tmpdir(), 'telegrep-damage-'))
    folders.push(copy)
    {
      await using writer = await openIndexWriter(location, clock)
      await writer.apply({ puts: [documentOf(301)] })
      // Copies the files as a crash leaves them, including the log.
      for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(copy, name))
    }
    assert.equal((await examineIndex(location)).problem, null)
    clock.pass(20_000)
    const crashed = { ...location, folder: copy }
    await using writer = await openIndexWriter(crashed, clock, {
      isExpected: true,
      onDamaged: (why) => told.push(String(why)),
    })
    assert.deepEqual([told, (await writer.state()).posts], [[], 301])
    assert.ok(statSync(file).size > 0)
  })

  test('an intact index whose long log was left by readers is not reported as damaged', async () => {
    const { clock, location, told, open, file } = await filled()
    {
      // Readers that outlive the writer keep the log, and SQLite itself would checkpoint one of 1000 frames at a commit.
      await using index = await openSearchIndex(location, clock)
      await index.search(ROSE)
      await using writer = await open()
      for (let number = 301; statSync(`${file}-wal`).size < 1_500 * 4_120; number++)
        await writer.apply({ puts: [documentOf(number)] })
    }
    for (let i = 0; i < 2; i++) await (await open())[Symbol.asyncDispose]()
    assert.deepEqual(told, [])
    assert.equal((await examineIndex(location)).problem, null)
  })

  test('a new index whose log was moved with its last batch is not reported as damaged', async () => {
    const { clock, open } = await filled()
    await using writer = await open()
    await using next = await writer.startGeneration(0)
    const puts = Array.from({ length: 20 }, (_, number) => {
      const hashtags = Array.from({ length: 100 }, (__, i) => `${number} ${i}`.padEnd(4_500, 'x'))
      return { ...documentOf(number + 1), hashtags }
    })
    await next.apply({ puts })
    await next.swap()
    clock.pass(20_000)
    await writer.check()
    assert.equal((await writer.state()).posts, 20)
  })

  test('a write-ahead log damaged after a crash is not taken for an earlier state', async () => {
    const { folder, clock, location, told } = await filled()
    const copy = mkdtempSync(join(tmpdir(), 'telegrep-damage-'))
    folders.push(copy)
    {
      await using writer = await openIndexWriter(location, clock)
      await writer.apply({ puts: [documentOf(301)] })
      for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(copy, name))
    }
    flip(join(copy, 'generation-1.sqlite-wal'), 5_000)
    rmSync(join(copy, 'generation-1.sqlite-shm'))
    clock.pass(20_000)
    await using _writer = await openIndexWriter({ ...location, folder: copy }, clock, {
      onDamaged: (why) => told.push(String(why)),
    })
    assert.match(told.join(), /lost what was written last/)
  })
})

describe('an index that is damaged while it is open', () => {
  const LIVE: Readonly<Record<string, (file: string) => void>> = {
    'a flipped byte': (file) => flip(file, statSync(file).size >> 1),
    'half a file': (file) => truncateSync(file, statSync(file).size >> 1),
    'a missing file': (file) => rmSync(file),
    'another file in its place': (file) => {
      rmSync(file)
      writeFileSync(file, 'another')
    },
    'a missing log': (file) => rmSync(`${file}-wal`),
  }
  for (const [name, harm] of Object.entries(LIVE)) {
    test(`${name}: is detected by the writer within seconds, and readers refuse to search`, async () => {
      const { folder, clock, open, file } = await filled()
      const reader = openReader(folder)
      const writer = await open()
      await writer.apply({ puts: [documentOf(301)] })
      clock.pass(31_000)
      await writer.check()
      assert.equal(reader.search(ROSE, NOW).total.value, 301)
      harm(file)
      clock.pass(6_000)
      await assert.rejects(writer.check(), IndexDamagedError)
      await writer[Symbol.asyncDispose]()
      await using healed = await open()
      await sleep(1_100)
      assert.throws(() => reader.search(ROSE, NOW), IndexDamagedError)
      await rebuild(healed)
      assert.equal(reader.search(ROSE, NOW).total.value, 300)
      reader.close()
    })
  }

  test('is not searched as if it were empty when its folder is deleted', async () => {
    const { folder } = await filled()
    const reader = openReader(folder)
    assert.equal(reader.search(ROSE, NOW).total.value, 300)
    rmSync(folder, { recursive: true })
    await sleep(1_100)
    assert.throws(() => reader.search(ROSE, NOW), /its files are gone/)
    reader.close()
  })

  test('is reported by a reader that meets the damage, and the writer acts on the report', async () => {
    const { folder, clock, open, file } = await filled()
    await using writer = await open()
    const { size } = statSync(file)
    for (let at = 4_096; at < size; at += 4_096) flip(file, at, 64)
    const reader = openReader(folder)
    assert.throws(() => reader.search(ROSE, NOW), IndexDamagedError)
    assert.notEqual(reader.state(NOW).problem, null)
    reader.close()
    clock.pass(1_100)
    await assert.rejects(writer.check(), IndexDamagedError)
  })
})

test('a snapshot reports the original error after the transaction was rolled back', async () => {
  const { file } = await filled()
  const snapshot = openSnapshot(file, SIZES)
  try {
    const fail = () => {
      snapshot.db.exec('rollback')
      throw new Error('disk I/O error')
    }
    assert.throws(() => snapshot.read(fail), /disk I\/O error/)
    assert.equal(
      snapshot.read(() => 1),
      1,
    )
  } finally {
    snapshot.close()
  }
})

test('a control file without its table means no index, not an error', () => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-damage-'))
  folders.push(folder)
  writeFileSync(join(folder, 'control.sqlite'), '')
  const reader = openReader(folder)
  assert.equal(reader.search(ROSE, NOW).reason, 'no_index')
  assert.equal(reader.state(NOW).generation, 0)
  reader.close()
})

test('a file that is no index is closed again', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-damage-'))
  folders.push(folder)
  const path = join(folder, 'generation-1.sqlite')
  new DatabaseSync(path).close()
  const close = t.mock.method(DatabaseSync.prototype, 'close')
  assert.throws(() => openSnapshot(path, SIZES), /no such table/)
  assert.equal(close.mock.callCount(), 1)
})

test('an empty file without its checksums is reported as damaged and can be rebuilt', async () => {
  const { file, location, clock, told, open } = await filled()
  for (const path of [file, `${file}.sums`]) truncateSync(path, 0)
  await using index = await openSearchIndex(location, clock)
  assert.match((await index.state()).problem!, /no such table/)
  await assert.rejects(index.search(ROSE), /built anew.*no such table/)
  await using writer = await open()
  assert.equal(told.length, 1)
  await rebuild(writer)
  assert.equal((await index.search(ROSE)).total.value, 300)
})
