import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { whyNoEngines } from '../../test/engines.ts'
import { openPair } from '../../test/pairs.ts'
import { addChannel, samplePost, sampleReading } from '../store/contract/samples.ts'
import { openRestore, openStore } from '../store/open-store.ts'
import { locateStore, type StoreLocation } from '../store/store-location.ts'
import type { Store } from '../store/store.ts'
import { COPIER } from '../store/roles.ts'
import { OtherDataError, UnfinishedCopyError } from '../store/unfinished-copy.ts'
import { copyStore } from './copy-store.ts'
import { createPrinter } from './print.ts'

const retention = { deleted: 'redact', versions: 'keep' } as const
const print = createPrinter({ color: false })
const never = new AbortController().signal
const home = mkdtempSync(join(tmpdir(), 'telegrep-copy-'))
after(() => rmSync(home, { recursive: true, force: true }))

const folder = (name: string) => locateStore({ folder: join(home, name) })
const open = (place: StoreLocation) => openStore({ ...place, retention })
const openAnyway = (place: StoreLocation) =>
  openStore({ ...place, retention, mayBeUnfinished: true })

async function fill(store: Store): Promise<void> {
  for (const name of ['durov', 'telegram', 'news']) {
    const { id } = await addChannel(store, name)
    await store.archive.record(sampleReading(id, { posts: [samplePost(1), samplePost(2)] }))
  }
}

/** Copies the posts of the first channel only. */
async function copyPart(from: Store, to: Store): Promise<void> {
  const stop = new AbortController()
  const stopping = { ...print, progress: () => stop.abort(new Error('stopped')) }
  await assert.rejects(copyStore(from, to, stopping, stop.signal), { message: 'stopped' })
}

async function openServer() {
  const pair = await openPair({ store: 'postgres', index: null })
  const place = locateStore({ folder: '', url: pair.env['TELEGREP_DATABASE_URL']! })
  return { place, [Symbol.asyncDispose]: () => pair[Symbol.asyncDispose]() }
}

/** A half copy is refused, and whole once the copy was resumed. */
async function isKnown(source: StoreLocation, target: StoreLocation): Promise<void> {
  await using from = await open(source)
  await fill(from)
  {
    await using to = await open(target)
    await copyPart(from, to)
    assert.equal((await to.archive.totals()).posts, 2)
  }
  await assert.rejects(open(target), UnfinishedCopyError)
  {
    await using to = await openAnyway(target)
    await copyPart(from, to)
  }
  await assert.rejects(open(target), UnfinishedCopyError, 'stopped again')
  {
    await using to = await openAnyway(target)
    assert.deepEqual((await copyStore(from, to, print, never)).problems, [])
  }
  await using whole = await open(target)
  assert.equal((await whole.archive.totals()).posts, 6)
}

describe('a copy that was interrupted', () => {
  test('is known as unfinished to whoever opens it, in files', () =>
    isKnown(folder('whole'), folder('half')))

  test(
    'is known as unfinished, from files to PostgreSQL',
    { skip: whyNoEngines() ?? false },
    async () => {
      await using server = await openServer()
      await isKnown(folder('to-server'), server.place)
    },
  )

  test(
    'is known as unfinished, from PostgreSQL to files',
    { skip: whyNoEngines() ?? false },
    async () => {
      await using server = await openServer()
      await isKnown(server.place, folder('from-server'))
    },
  )

  test('is no backup that replaces an archive', async () => {
    await using from = await open(folder('kept'))
    await fill(from)
    {
      await using to = await open(folder('part'))
      await copyPart(from, to)
    }
    {
      await using _ = await open(folder('data'))
    }
    const [part, data] = [join(home, 'part'), join(home, 'data')]
    await using restore = await openRestore({ folder: data, from: part, retention })
    assert.match(String(await restore.verify()), new RegExp(`^${part} is an unfinished copy`))
  })

  test('is not begun in a store that is whole, or has data of its own', async () => {
    await using from = await open(folder('source'))
    await fill(from)
    const used: [string, (to: Store) => Promise<unknown>][] = [
      ['channels', fill],
      ['opt-outs', (to) => to.removals.removeChannel('news', 'asked', 1)],
      ['whole', (to) => copyStore(from, to, print, never)],
    ]
    for (const [name, use] of used) {
      await using to = await open(folder(`target of ${name}`))
      await use(to)
      await assert.rejects(copyStore(from, to, print, never), OtherDataError, name)
      assert.equal(await to.roles.holder(COPIER), undefined, 'it stays usable')
    }
  })

  test('stays unfinished while it is not the same as its source', async () => {
    await using from = await open(folder('changed'))
    await fill(from)
    {
      await using to = await open(folder('stale'))
      await copyPart(from, to)
      const { id } = (await from.archive.channel('durov'))!
      await from.archive.record(sampleReading(id, { posts: [samplePost(1, { text: 'edited' })] }))
      const { problems } = await copyStore(from, to, print, never)
      assert.deepEqual(problems, ['the posts of durov are not the same'])
    }
    await assert.rejects(open(folder('stale')), UnfinishedCopyError)
  })
})
