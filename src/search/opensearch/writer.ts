import type { Clock } from '../../model/clock.ts'
import { HOUR_MS } from '../../model/time.ts'
import {
  IndexDamagedError,
  type IndexWriterOptions,
  type GenerationWriter,
  type IndexBatch,
  type IndexWriter,
} from '../search-index.ts'
import type { Client } from './client.ts'
import {
  EMPTY_TALLY,
  ask,
  openControl,
  readMeta,
  writerDeadline,
  type Control,
  type Draft,
  type Meta,
  type Tally,
} from './control.ts'
import {
  deleteIndices,
  indicesOf,
  openGeneration,
  type Generation,
  type WritingOptions,
} from './generation.ts'
import { FORMAT, type Layout } from './mapping.ts'
import { createMerger } from './merger.ts'
import { createNames, type Names } from './names.ts'
import { versionsIn } from './other-versions.ts'
import { describeState } from './state.ts'
import { startTallying, tallyOf } from './tally.ts'
import { takeWriteAliases } from './write-alias.ts'

interface WriterOptions extends IndexWriterOptions {
  readonly client: Client
  readonly prefix: string
  readonly analyzerVersion: number
  readonly clock: Clock
  readonly layout?: Layout
}

const CHECK_MS = 30_000

/** Indices that are missing or in an older format are started again, empty. */
export async function openWriter(options: WriterOptions): Promise<IndexWriter> {
  const { client, clock, layout = {} } = options
  const names = createNames(options.prefix, options.analyzerVersion)
  const control = await openControl(client, names, { clock, layout })
  const writing: WritingOptions = { ...options, names, control, layout }
  await begin(options, control, names)
  let current = openGeneration(writing, control.meta.generation, control.meta.weeks)
  let checkedSince = clock.elapsed()
  /** True while a generation is being filled that is also told of whatever is applied to this one. */
  let isDrafting = false
  const mergeNext = createMerger({ ...options, names })
  const tallying = startTallying(client, control, () => names.weeks(control.meta.generation))
  const stateOf = (generation: Generation) =>
    describeState(
      { ...control.meta, generation: generation.number },
      clock.now(),
      options.analyzerVersion,
    )

  async function startGeneration(
    _removals: number,
    { mayResume = false }: { readonly mayResume?: boolean } = {},
  ): Promise<GenerationWriter> {
    const draft = mayResume ? await usableDraft(client, names, control.meta) : null
    const number = draft?.generation ?? control.meta.lastGeneration + 1
    const lastGeneration = Math.max(number, control.meta.lastGeneration)
    await control.update({ lastGeneration, rebuilding: true, draft })
    const fresh = openGeneration(
      writing,
      number,
      draft ? await takeUp(client, names, draft, control.meta.token) : undefined,
    )
    isDrafting = true
    return {
      reached: draft?.reached,
      reach: ({ channelId, number: last }) =>
        control.update({
          draft: {
            weeks: fresh.weeks(),
            generation: number,
            reached: { channelId, number: last },
          },
        }),
      apply: (batch: IndexBatch) => fresh.apply(batch),
      expire: (olderThan: number) => fresh.expire(olderThan),
      state: () => Promise.resolve(stateOf(fresh)),
      check: () => Promise.resolve(),
      startGeneration: () => Promise.reject(new Error('a generation is being built already')),
      async swap() {
        const tally = await tallyAtSwap(client, names.weeks(number), control.meta.tally)
        const done = { complete: true, rebuilding: false, draft: null, lacks: false }
        await control.update({ ...done, tally, generation: number, weeks: fresh.weeks() })
        current = fresh
        // If this fails, searches read the old one until `expire` or the next writer points them here.
        await pointAlias(client, names, control.meta)
        tallying.changed()
      },
      async [Symbol.asyncDispose]() {
        isDrafting = false
        if (current === fresh) return
        await control.update({ rebuilding: control.meta.draft !== null })
      },
    }
  }

  return {
    async apply(batch) {
      // A draft that misses a batch cannot be resumed; that a rebuild is needed remains recorded.
      const isTold = Object.values(batch).some(({ length }) => length > 0)
      if (isTold && control.meta.draft && !isDrafting) await control.update({ draft: null })
      await current.apply(batch)
      tallying.changed()
    },
    state: () => Promise.resolve(stateOf(current)),
    startGeneration,
    async expire(olderThan) {
      await current.expire(olderThan)
      tallying.changed()
      // An operator may have removed the searched alias from an index; only the writer restores it.
      await pointAlias(client, names, control.meta)
      // Not right after a swap: searches in flight may still read the previous generation.
      if (control.meta.rebuilding) return
      await removeOthers(client, names, control.meta)
      if (control.meta.complete) await removeOlder(client, options)
      mergeNext(names.weeks(control.meta.generation))
    },
    async check() {
      if (clock.elapsed() - checkedSince < CHECK_MS) return
      checkedSince = clock.elapsed()
      const why = await findLoss(client, names, control.meta)
      if (why !== undefined) throw new IndexDamagedError(why)
      // Others see that it is in use, and this process whether it was replaced.
      await control.update({})
    },
    [Symbol.asyncDispose]: () => tallying.close(),
  }
}

/** Makes the cluster match the state document: one serving generation, and no other. */
async function begin(options: WriterOptions, control: Control, names: Names): Promise<void> {
  const { client, isExpected = false, onDamaged } = options
  const { meta } = control
  // Without a state document versions start again: posts in leftover indices would outrank all that is written from now
  // on.
  if (meta.generation === 0) {
    const left = await indicesOf(client, `${names.weeks('*')},${names.channels}`)
    const own = left.filter((index) => index === names.channels || names.parse(index))
    await deleteIndices(client, own)
  }
  const isUsable = meta.generation > 0 && meta.format === FORMAT
  const why = isUsable ? await findLoss(client, names, meta) : 'there is none of this version'
  if (why !== undefined) {
    await deleteIndices(client, [names.channels])
    const number = meta.lastGeneration + 1
    const lacks = isExpected || (isUsable && meta.complete)
    await control.update({
      format: FORMAT,
      generation: number,
      lastGeneration: number,
      weeks: [],
      complete: false,
      lacks,
      draft: null,
      tally: EMPTY_TALLY,
    })
    if (lacks) onDamaged?.(meta.generation === 0 ? null : why)
  }
  const draft = await usableDraft(client, names, control.meta)
  await control.update({ rebuilding: draft !== null, draft })
  const { generation, token } = control.meta
  await takeWriteAliases(client, [names.weeks(generation), names.channels], token)
  await pointAlias(client, names, control.meta)
  await removeOthers(client, names, control.meta)
}

const SWAP_COUNT_MS = 10_000

/** If counting takes too long, the previous count is closer than nothing; a new one follows soon. */
function tallyAtSwap(client: Client, weeks: string, before: Tally): Promise<Tally> {
  const deadline = performance.now() + SWAP_COUNT_MS
  return tallyOf(client, weeks, { deadline }).catch(() => before)
}

async function usableDraft(client: Client, names: Names, { draft }: Meta): Promise<Draft | null> {
  return draft && (await findLoss(client, names, draft)) === undefined ? draft : null
}

/** Takes over the weeks of a draft; there may be more than were last recorded. */
async function takeUp(client: Client, names: Names, draft: Draft, token: number) {
  const pattern = names.weeks(draft.generation)
  await takeWriteAliases(client, [pattern], token)
  return (await indicesOf(client, pattern)).map((index) => names.parse(index)!.week)
}

async function findLoss(
  client: Client,
  names: Names,
  meta: Pick<Meta, 'generation' | 'weeks'>,
): Promise<string | undefined> {
  const there = await indicesOf(client, `${names.weeks(meta.generation)},${names.channels}`)
  const expected = meta.weeks.map((week) => names.week(meta.generation, week))
  // The index of channels is created before the first week.
  if (expected.length > 0) expected.push(names.channels)
  const gone = expected.find((index) => !there.includes(index))
  return gone && `the index ${gone} is gone`
}

/** In one request, so that no search finds both generations or neither. */
async function pointAlias(client: Client, names: Names, meta: Meta): Promise<void> {
  const wanted = new Set(meta.weeks.map((week) => names.week(meta.generation, week)))
  const pointed = new Set(await indicesOf(client, names.alias))
  const actions = [
    ...[...wanted.difference(pointed)].map((index) => ({ add: { index, alias: names.alias } })),
    ...[...pointed.difference(wanted)].map((index) => ({ remove: { index, alias: names.alias } })),
  ]
  if (actions.length === 0) return
  await ask(client, 'POST', '/_aliases', { actions })
}

/** Deletes every generation but the serving one, the one being filled, and those that a later writer may have started. */
async function removeOthers(client: Client, names: Names, meta: Meta): Promise<void> {
  const all = await indicesOf(client, names.weeks('*'))
  const others = all.filter((index) => {
    const { generation = Infinity } = names.parse(index) ?? {}
    const isKept = generation === meta.generation || generation === meta.draft?.generation
    return !isKept && generation <= meta.lastGeneration
  })
  await deleteIndices(client, others)
}

/** An analyzer version whose writer has been silent for this long is out of use. */
const UNUSED_MS = HOUR_MS

/** Deletes indices of earlier analyzer versions that are out of use. */
async function removeOlder(client: Client, options: WriterOptions): Promise<void> {
  const { prefix, analyzerVersion, clock } = options
  const versionOf = versionsIn(prefix)
  const all = await indicesOf(client, `${prefix}-a*`)
  const older = new Set(all.map(versionOf).filter((version) => version < analyzerVersion))
  for (const version of older) {
    const meta = await readMeta(client, createNames(prefix, version), {
      deadline: writerDeadline(),
    })
    if (meta && Math.abs(clock.now() - meta.usedAt) < UNUSED_MS) continue
    await deleteIndices(
      client,
      all.filter((index) => versionOf(index) === version),
    )
  }
}
