import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readLanguageModel } from '../language-model.ts'
import { addChannel, samplePost, sampleReading } from '../store/contract/samples.ts'
import { indexConsumer } from '../store/changes.ts'
import { openStore } from '../store/open-store.ts'
import { indexerRole } from '../store/roles.ts'
import { ANALYZER_VERSION } from '../text/analyze.ts'
import { startIndexer } from './start-indexer.ts'

test(
  'an index that is lost while an indexer stands by is reported as damaged',
  { timeout: 60_000 },
  async () => {
    await using opened = new AsyncDisposableStack()
    const folder = mkdtempSync(join(tmpdir(), 'telegrep-indexer-'))
    opened.defer(() => rmSync(folder, { recursive: true }))
    const retention = { deleted: 'redact', versions: 'keep' } as const
    const location = { kind: 'sqlite', folder, retention } as const
    const store = opened.use(await openStore(location))
    const consumer = indexConsumer(ANALYZER_VERSION)
    const { roles } = store
    const lease = await roles.acquire(indexerRole(consumer), 'a process elsewhere', 600_000)

    const [standsBy, damaged] = [
      Promise.withResolvers<string>(),
      Promise.withResolvers<string | null>(),
    ]
    opened.use(
      await startIndexer({
        store: location,
        index: { kind: 'embedded', folder: join(folder, 'index') },
        languageModel: await readLanguageModel(),
        events: {
          indexed() {},
          rebuilding() {},
          indexDamaged: ({ why }) => damaged.resolve(why),
          workerStandsBy: (reason) => standsBy.resolve(reason),
          workerWaits() {},
          workerFailed: (error) => damaged.reject(error),
        },
      }),
    )
    assert.match(await standsBy.promise, /another process/)

    // Meanwhile the index of another process is told of a post, and is lost with that process.
    await store.changes.register(consumer)
    const { id } = await addChannel(store, 'gardening')
    await store.archive.record(sampleReading(id, { posts: [samplePost(1)] }))
    const claim = await store.changes.claim(consumer, { limit: 10, ttlMs: 60_000 })
    await store.changes.done(claim!)
    await roles.release(lease!)
    assert.equal(await damaged.promise, null)
  },
)

test(
  'an index that never existed, as after an upgrade, is built and not reported as damaged',
  { timeout: 60_000 },
  async () => {
    await using opened = new AsyncDisposableStack()
    const folder = mkdtempSync(join(tmpdir(), 'telegrep-indexer-'))
    opened.defer(() => rmSync(folder, { recursive: true }))
    const retention = { deleted: 'redact', versions: 'keep' } as const
    const location = { kind: 'sqlite', folder, retention } as const
    const store = opened.use(await openStore(location))
    const older = indexConsumer(ANALYZER_VERSION - 1)
    await store.changes.register(older)
    const { id } = await addChannel(store, 'gardening')
    const publishedAt = Date.now() - 60_000
    await store.archive.record(sampleReading(id, { posts: [samplePost(1, { publishedAt })] }))
    const claim = await store.changes.claim(older, { limit: 10, ttlMs: 60_000 })
    await store.changes.done(claim!)
    const built = Promise.withResolvers<number>()
    opened.use(
      await startIndexer({
        store: location,
        index: { kind: 'embedded', folder: join(folder, 'index') },
        languageModel: await readLanguageModel(),
        events: {
          indexed() {},
          rebuilding: ({ done }) => built.resolve(done),
          indexDamaged: () => built.reject(new Error('told of as lost')),
          workerStandsBy() {},
          workerWaits() {},
          workerFailed: (error) => built.reject(error as Error),
        },
      }),
    )
    assert.equal(await built.promise, 1)
  },
)

test(
  'an indexer that finds the store gone does not create another',
  { timeout: 60_000 },
  async () => {
    const folder = join(tmpdir(), `telegrep-indexer-gone-${process.pid}`)
    const failed = Promise.withResolvers<Error>()
    await using _ = await startIndexer({
      store: { kind: 'sqlite', folder, retention: { deleted: 'redact', versions: 'keep' } },
      index: { kind: 'embedded', folder: join(folder, 'index') },
      languageModel: await readLanguageModel(),
      events: {
        indexed() {},
        rebuilding() {},
        indexDamaged: () => failed.reject(new Error('there was no index either')),
        workerStandsBy() {},
        workerWaits() {},
        workerFailed: (error) => failed.resolve(error as Error),
      },
    })
    assert.match((await failed.promise).message, /was moved, deleted or replaced/)
    assert.equal(existsSync(folder), false)
  },
)
