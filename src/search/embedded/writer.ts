import { existsSync, statfsSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../model/clock.ts'
import { WINDOW_MS } from '../search-index.ts'
import type { IndexState, IndexWriter } from '../search-index.ts'
import { secondsOf } from '../prior.ts'
import { createBatch, type Batch } from './batch.ts'
import { createMerger, MERGE_RULES, type Merger, type MergeRules } from './postings/merge.ts'
import { SIZES, type Sizes } from './postings/sizes.ts'
import { FencedOffError, generationPath, openControl, type Control } from './control.ts'
import { bucketOf } from '../bucket.ts'
import {
  createTables,
  dropBucket,
  FORMAT,
  openForReading,
  openForWriting,
  orClose,
  readMeta,
} from './schema.ts'
import { describeIndex } from './state.ts'

interface WriterOptions {
  readonly folder: string
  readonly clock: Clock
  readonly analyzerVersion: number
  readonly mergeRules?: MergeRules
  readonly sizes?: Sizes
}

const BEAT_MS = 4_000

/** Rejects while another writer lives. A missing or foreign index starts empty as generation 1. */
export function openEmbeddedWriter(options: WriterOptions): IndexWriter {
  // What is opened here ends with the writer, or at once should the rest of opening fail: a lock that went on beating
  // would keep this very process out.
  using opening = new DisposableStack()
  const control = opening.adopt(openControl(options.folder, options.clock), (each) => each.close())
  const token = control.lock()
  opening.defer(() => control.unlock())
  const beating = setInterval(() => {
    try {
      control.beat()
    } catch {
      // The next batch meets the same trouble and tells it to whoever waits for it.
    }
  }, BEAT_MS)
  beating.unref()
  opening.defer(() => clearInterval(beating))
  let generation = control.generation()
  if (!isReadable(options.folder, generation)) {
    generation = control.startGeneration()
    createGeneration(options, generation, 0).close()
    control.serve(generation)
  }
  control.abandon()
  control.removeOthers()
  let db = openForWriting(generationPath(options.folder, generation))
  opening.defer(() => db.close())
  claim(db, token)

  const opened = opening.move()
  const writer = writerOn(() => db, options, token, control)
  return {
    ...writer,
    async startGeneration(removals) {
      const next = control.startGeneration()
      using building = new DisposableStack()
      building.defer(() => {
        control.abandon()
        control.removeOthers()
      })
      control.removeOthers()
      checkRoom(options.folder, sizeOf(options.folder, control.generation()))
      const fresh = building.adopt(createGeneration(options, next, removals), (each) =>
        each.close(),
      )
      claim(fresh, token)
      const unfinished = building.move()
      return {
        ...writerOn(() => fresh, options, token, control),
        startGeneration: () => Promise.reject(new Error('a generation is being built already')),
        async swap() {
          const old = db
          fresh.exec(`update meta set value = 1 where key = 'complete'`)
          control.serve(next)
          // From here on it is the writer's own.
          unfinished.move()
          db = fresh
          try {
            // Readers of the old generation learn from its own file that they must look again, at the latest when it is gone.
            old.exec(`update meta set value = 1 where key = 'retired'`)
          } finally {
            old.close()
            control.removeOthers()
          }
        },
        async [Symbol.asyncDispose]() {
          unfinished.dispose()
        },
      }
    },
    async [Symbol.asyncDispose]() {
      opened.dispose()
    },
  }
}

function createGeneration(
  options: WriterOptions,
  generation: number,
  removals: number,
): DatabaseSync {
  const db = openForWriting(generationPath(options.folder, generation))
  return orClose(db, () => {
    createTables(db, {
      generation,
      analyzer_version: options.analyzerVersion,
      token: 0,
      complete: 0,
      removals,
    })
    return db
  })
}

/** Filled up by a second index, the disk would have no room for the archive either. */
function checkRoom(folder: string, needed: number): void {
  const { bavail, bsize } = statfsSync(folder)
  const mb = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`
  if (bavail * bsize > needed) return
  throw new Error(
    `a new index needs about ${mb(needed)} beside the old one, and ${mb(bavail * bsize)} are free on its disk`,
  )
}

/** An index that is missing, broken or of another format is begun anew: the store has all that it held. */
function isReadable(folder: string, generation: number): boolean {
  const path = generationPath(folder, generation)
  if (generation === 0 || !existsSync(path)) return false
  let db: DatabaseSync | undefined
  try {
    db = openForReading(path)
    return readMeta(db, 'format') === FORMAT
  } catch {
    return false
  } finally {
    db?.close()
  }
}

function claim(db: DatabaseSync, token: number): void {
  db.prepare(`update meta set value = ? where key = 'token'`).run(token)
}

/** Steps of merging at one call of `expire`; and a step for so many posts put, which is more than those will ever take. */
const MERGE_STEPS = 8
const POSTS_A_STEP = 250

type Writing = Omit<IndexWriter, 'startGeneration' | typeof Symbol.asyncDispose>

function writerOn(
  database: () => DatabaseSync,
  options: WriterOptions,
  token: number,
  control: Control,
): Writing {
  /** Buckets posts were put into since the last call of `expire`. */
  const touched = new Set<number>()
  const sizes = options.sizes ?? SIZES
  let merging: { readonly db: DatabaseSync; readonly merger: Merger } | undefined

  function inTransaction<T>(work: (db: DatabaseSync) => T): T {
    const db = database()
    db.exec('begin immediate')
    try {
      if (readMeta(db, 'token') !== token) throw new FencedOffError()
      // SQLite goes on writing to a file that somebody deleted, and nobody would ever read it.
      if (!existsSync(generationPath(options.folder, readMeta(db, 'generation')))) {
        throw new Error('the index was deleted')
      }
      const result = work(db)
      db.exec('commit')
      return result
    } catch (error) {
      // SQLite has rolled back by itself where the disk is full, and would complain of that instead.
      if (db.isTransaction) db.exec('rollback')
      throw error
    }
  }

  /** Each batch has a sequence number of its own, by which readers find what changed. */
  function inBatch(work: (batch: Batch) => void): void {
    inTransaction((db) => {
      const batch = createBatch(db, readMeta(db, 'seq') + 1, sizes)
      work(batch)
      batch.flush()
    })
    control.beat()
  }

  function merge(steps: number, isAtRest: (bucket: number) => boolean): void {
    const rules = options.mergeRules ?? MERGE_RULES
    while (steps-- > 0) {
      const current = merging
      // A step that fails, and be it at its end, has not happened: what is in memory of it must not be gone on with.
      merging = undefined
      const { isDone, next } = inTransaction((db) => {
        const mergingIn =
          current?.db === db ? current : { db, merger: createMerger(db, rules, sizes) }
        return { isDone: !mergingIn.merger.step(isAtRest), next: mergingIn }
      })
      merging = next
      if (isDone) return
    }
  }

  return {
    async apply(changes) {
      const {
        puts = [],
        removals = [],
        counters = [],
        channels = [],
        removedChannels = [],
      } = changes
      const size = puts.length + removals.length + counters.length + channels.length
      if (size + removedChannels.length === 0) return
      const oldest = options.clock.now() - WINDOW_MS
      inBatch((batch) => {
        for (const document of puts) {
          if (document.publishedAt >= oldest) batch.put(document)
          else batch.remove(document)
        }
        for (const ref of removals) batch.remove(ref)
        for (const update of counters) batch.updateCounters(update)
        for (const update of channels) batch.updateChannel(update)
        for (const channelId of removedChannels) batch.removeChannel(channelId)
      })
      for (const document of puts) touched.add(bucketOf(secondsOf(document.publishedAt)))
      try {
        merge(Math.ceil(puts.length / POSTS_A_STEP), () => false)
      } catch {
        // The posts are in. Whatever is wrong meets the next batch too, or `expire`, which says so.
      }
    },
    async expire(olderThan) {
      const last = bucketOf(secondsOf(olderThan))
      const db = database()
      const old = db.prepare('select bucket from bucket where bucket < ?').all(last)
      if (old.length > 0) {
        inBatch((batch) => {
          for (const row of old) dropBucket(db, Number(row['bucket']))
          batch.forgetBefore(last)
        })
      }
      const current = bucketOf(secondsOf(options.clock.now()))
      merge(MERGE_STEPS, (bucket) => bucket < current && !touched.has(bucket))
      touched.clear()
    },
    async state(): Promise<IndexState> {
      const db = database()
      return describeIndex(db, {
        now: options.clock.now(),
        rebuilding: control.isRebuilding(),
        bytes: sizeOf(options.folder, readMeta(db, 'generation')),
      })
    },
  }
}

export function sizeOf(folder: string, generation: number): number {
  let bytes = 0
  for (const suffix of ['', '-wal']) {
    const path = generationPath(folder, generation) + suffix
    if (existsSync(path)) bytes += statSync(path).size
  }
  return bytes
}
