import { existsSync, statfsSync } from 'node:fs'
import { basename } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../model/clock.ts'
import {
  FencedOffError,
  IndexDamagedError,
  type IndexWriterOptions,
  type IndexState,
  type IndexWriter,
} from '../search-index.ts'
import { secondsOf } from '../prior.ts'
import { createBatch, type Batch } from './batch.ts'
import {
  createMerger,
  MERGE_POLICY,
  SIZES,
  type MergePolicy,
  type Merger,
  type Pace,
  type Sizes,
} from './postings/postings.ts'
import { generationPath, openControl, type Control } from './control.ts'
import { bucketOf } from '../bucket.ts'
import { damageIn, forgetReport, removeQuarantined, reportDamage, quarantine } from './damage.ts'
import {
  createGeneration,
  openGeneration,
  troubleWith,
  type GenerationFile,
} from './generation-file.ts'
import { dropBucket, vacuumSpare, readMeta } from './schema.ts'
import { describeIndex, sizeOf } from './state.ts'

interface WriterOptions extends IndexWriterOptions {
  readonly folder: string
  readonly clock: Clock
  readonly analyzerVersion: number
  readonly mergePolicy?: MergePolicy
  readonly sizes?: Sizes
}

/** An index that is missing, damaged or in another format is started again, empty. */
export function openEmbeddedWriter(options: WriterOptions): IndexWriter {
  // Everything opened here is closed with the writer, or at once if opening fails.
  using opening = new DisposableStack()
  const control = opening.adopt(openSoundControl(options), (each) => each.close())
  const token = control.takeOver()
  const generation = begin(options, control)
  control.abandon()
  control.removeOthers()
  let file = openGeneration(options, generation)
  opening.defer(() => file.guard.close())
  claim(file.db, token)

  const opened = opening.move()
  const writer = writerOn(() => file, options, token, control)
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
      const fresh = building.adopt(
        createGeneration(options, next, { removals, ...versionOf(options) }),
        (each) => each.guard.close(),
      )
      claim(fresh.db, token)
      const unfinished = building.move()
      return {
        ...writerOn(() => fresh, options, token, control),
        startGeneration: () => Promise.reject(new Error('a generation is being built already')),
        async swap() {
          const old = file
          fresh.db.exec(`update meta set value = 1 where key = 'complete'`)
          // If the last batch moved the log into the file, this commit began it anew, shorter.
          fresh.guard.committed(readMeta(fresh.db, 'seq'))
          control.serve(next)
          // From here on the file belongs to the writer.
          unfinished.move()
          file = fresh
          try {
            // Readers of the old generation see the mark in its file, or that the file is gone, and open the new one.
            old.db.exec(`update meta set value = 1 where key = 'retired'`)
          } finally {
            old.guard.close()
            control.removeOthers()
            removeQuarantined(options.folder)
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

/** A control file that cannot be read is quarantined; the index it pointed to is started again. */
function openSoundControl(options: WriterOptions): Control {
  try {
    return openControl(options.folder)
  } catch (error) {
    const why = damageIn(error, 'control.sqlite')
    if (why === undefined) throw error
    quarantine(options.folder, 'control.sqlite')
    options.onDamaged?.(why)
    return openControl(options.folder)
  }
}

/** The generation to write to: the serving one, or a new empty one if that cannot be used. */
function begin(options: WriterOptions, control: Control): number {
  const { folder, isExpected = false } = options
  const current = control.generation()
  const trouble = troubleWith(folder, current)
  if (trouble) {
    if (trouble.damage !== null) quarantine(folder, basename(generationPath(folder, current)))
    if (trouble.damage !== null || (current === 0 && isExpected))
      options.onDamaged?.(trouble.damage)
    const next = control.startGeneration()
    createGeneration(options, next, {
      removals: 0,
      lacks: isExpected ? 1 : 0,
      ...versionOf(options),
    }).guard.close()
    control.serve(next)
  }
  forgetReport(folder)
  return control.generation()
}

const versionOf = (options: WriterOptions) => ({ analyzer_version: options.analyzerVersion })

/** If a second index filled the disk, there would be no room for the archive either. */
function checkRoom(folder: string, needed: number): void {
  const { bavail, bsize } = statfsSync(folder)
  const mb = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`
  if (bavail * bsize > needed) return
  throw new Error(
    `a new index needs about ${mb(needed)} beside the old one, and ${mb(bavail * bsize)} are free on its disk`,
  )
}

function claim(db: DatabaseSync, token: number): void {
  db.prepare(`update meta set value = ? where key = 'token'`).run(token)
}

/**
 * Merge steps per call of `expire`. Besides these there is one step for every `POSTS_A_STEP` posts put, which is more
 * than those posts will ever need.
 */
const MERGE_STEPS = 8
const POSTS_A_STEP = 250
/** A batch of this many posts is followed by more. */
const BUSY_POSTS = 500

type Writing = Omit<IndexWriter, 'startGeneration' | typeof Symbol.asyncDispose>

function writerOn(
  held: () => GenerationFile,
  options: WriterOptions,
  token: number,
  control: Control,
): Writing {
  /** Buckets that posts were put into since the last call of `expire`. */
  const touched = new Set<number>()
  const sizes = options.sizes ?? SIZES
  let merging: { readonly db: DatabaseSync; readonly merger: Merger } | undefined

  function inTransaction<T>(work: (db: DatabaseSync) => T): T {
    const { db, guard, generation } = held()
    try {
      db.exec('begin immediate')
      if (readMeta(db, 'token') !== token) throw new FencedOffError()
      // SQLite would go on writing to a deleted file, which nobody would ever read.
      if (!existsSync(generationPath(options.folder, generation)))
        throw new IndexDamagedError('the index was deleted')
      const result = work(db)
      const seq = readMeta(db, 'seq')
      db.exec('commit')
      guard.committed(seq)
      return result
    } catch (error) {
      // If the disk is full SQLite has rolled back already, and a second rollback would hide the actual error.
      if (db.isTransaction) db.exec('rollback')
      throw damagedBy(error, generation)
    }
  }

  /** Reports the damage for whoever opens the index next. */
  function damagedBy(error: unknown, generation: number): unknown {
    const why = damageIn(error, generationPath(options.folder, generation))
    if (why === undefined) return error
    reportDamage(options.folder, { generation, why })
    return new IndexDamagedError(why)
  }

  /** Each batch has its own sequence number, by which readers find what changed. */
  function inBatch(work: (batch: Batch) => void): void {
    inTransaction((db) => {
      const batch = createBatch(db, readMeta(db, 'seq') + 1, sizes)
      work(batch)
      batch.flush()
    })
  }

  /** Returns true if nothing is left to merge. */
  function merge(steps: number, pace: Pace): boolean {
    const policy = options.mergePolicy ?? MERGE_POLICY
    while (steps-- > 0) {
      const current = merging
      // A failed step is rolled back: the state of the merge in memory then no longer fits the file, and is dropped.
      merging = undefined
      const { isDone, next } = inTransaction((db) => {
        const mergingIn =
          current?.db === db ? current : { db, merger: createMerger(db, policy, sizes) }
        return { isDone: !mergingIn.merger.step(pace), next: mergingIn }
      })
      merging = next
      if (isDone) return true
    }
    return false
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
      inBatch((batch) => {
        for (const document of puts) batch.put(document)
        for (const ref of removals) batch.remove(ref)
        for (const update of counters) batch.updateCounters(update)
        for (const update of channels) batch.updateChannel(update)
        for (const channelId of removedChannels) batch.removeChannel(channelId)
      })
      for (const document of puts) touched.add(bucketOf(secondsOf(document.publishedAt)))
      try {
        const pace = { isBusy: puts.length >= BUSY_POSTS, isAtRest: () => false }
        merge(Math.ceil(puts.length / POSTS_A_STEP), pace)
      } catch {
        // The posts are in. The next batch meets the same problem, or `expire`, which reports it.
      }
    },
    async expire(olderThan) {
      const last = bucketOf(secondsOf(olderThan))
      const { db } = held()
      const old = db.prepare('select bucket from bucket where bucket < ?').all(last)
      if (old.length > 0) {
        inBatch((batch) => {
          for (const row of old) dropBucket(db, Number(row['bucket']))
          batch.forgetBefore(last)
        })
      }
      const current = bucketOf(secondsOf(options.clock.now()))
      const isAtRest = (bucket: number) => bucket < current && !touched.has(bucket)
      const isMerged = merge(MERGE_STEPS, { isBusy: false, isAtRest })
      if (isMerged) inTransaction(vacuumSpare)
      touched.clear()
    },
    async check() {
      held().guard.check()
    },
    async state(): Promise<IndexState> {
      const { db } = held()
      return describeIndex(db, {
        now: options.clock.now(),
        rebuilding: control.isRebuilding(),
        bytes: sizeOf(options.folder, readMeta(db, 'generation')),
      })
    },
  }
}
