import type { Clock } from '../../model/clock.ts'
import { bucketOf } from '../bucket.ts'
import { secondsOf } from '../prior.ts'
import type { IndexBatch } from '../search-index.ts'
import { outcomesOf, type Outcome } from './batch.ts'
import { createBulk, type Put } from './bulk.ts'
import { expectOk, type Client } from './client.ts'
import { ask, makeIndex, writerDeadline, type Control } from './control.ts'
import { indexedPostsOfChannels, indexedPosts, idOf, weekOf } from './indexed-posts.ts'
import { CHANNEL_FIELDS, sideIndex, weekIndex, type Layout } from './mapping.ts'
import type { Names } from './names.ts'
import { withRankColumns } from './rank-columns.ts'
import { withNewest } from './tally.ts'
import { takeWriteAliases, writeAlias } from './write-alias.ts'

export interface WritingOptions {
  readonly client: Client
  readonly names: Names
  readonly control: Control
  readonly clock: Clock
  readonly layout: Layout
  readonly onRefused?: ((id: string, why: string) => void) | undefined
}

/** The weeks of one generation, as its writer sees them. */
export interface Generation {
  readonly number: number
  weeks(): readonly number[]
  apply(batch: IndexBatch): Promise<void>
  expire(olderThan: number): Promise<void>
}

/** While it serves, searches find new weeks before the first post is written to them. */
export function openGeneration(
  options: WritingOptions,
  number: number,
  found: readonly number[] = [],
): Generation {
  const { client, names, control, layout } = options
  const bulk = createBulk(options)
  const weeks = new Set(found)
  const pattern = names.weeks(number)
  const isServing = () => control.meta.generation === number
  let hasChannels = false
  /** Whether a search may not find everything written yet: after a writer was killed, or a refresh failed. */
  let isUnseen = true
  /** The counts that this writer has written. */
  const subscribers = new Map<number, number>()

  async function ensureChannels(): Promise<void> {
    if (hasChannels) return
    await makeIndex(client, names.channels, sideIndex(layout, CHANNEL_FIELDS))
    await takeWriteAliases(client, [names.channels], control.meta.token)
    hasChannels = true
  }

  async function ensureWeeks(indices: readonly string[]): Promise<void> {
    const lacking = indices
      .map((index) => ({ index, week: names.parse(index)!.week }))
      .filter(({ week }) => !weeks.has(week))
    if (lacking.length === 0) return
    const made = lacking.map(({ index }) => index)
    await Promise.all(made.map((index) => makeIndex(client, index, weekIndex(layout))))
    await takeWriteAliases(client, made, control.meta.token)
    const all = [...weeks, ...lacking.map(({ week }) => week)]
    if (isServing()) {
      // Not when it is created: its shards would count as missing until they start, and a dead writer may have created it.
      const actions = made.map((index) => ({ add: { index, alias: names.alias } }))
      await ask(client, 'POST', '/_aliases', { actions })
      // Known here only once it is recorded: searches find no week that is not, so if this fails, it has to be repeated.
      await control.update({ weeks: all })
    }
    for (const week of all) weeks.add(week)
  }

  /** The documents to write for an outcome. A post that moves to another week is removed from the old one first. */
  function putsOf({ id, ref, source, left }: Outcome, version: number): Put[] {
    const { channelId: ch, number: no } = ref
    const tombstones = left.map((indexed) => {
      const index = names.week(number, weekOf(indexed))
      return { index, id, version, source: { sec: indexed.sec, ch, no } }
    })
    if (!source) return tombstones
    const index = names.week(number, weekOf(source))
    return [...tombstones, { index, id, version, source: withRankColumns(source) }]
  }

  async function write(puts: readonly Put[]): Promise<void> {
    const touched = [...new Set(puts.map(({ index }) => index))]
    if (touched.length === 0) return
    if (touched.includes(names.channels)) await ensureChannels()
    await ensureWeeks(touched.filter((index) => index !== names.channels))
    isUnseen = true
    const { token } = control.meta
    await bulk.write(puts.map((put) => ({ ...put, index: writeAlias(put.index, token) })))
    await refresh(touched.join(','))
    isUnseen = false
  }

  const refresh = (indices: string) => ask(client, 'POST', `/${indices}/_refresh`)

  async function removeChannels(channels: readonly number[], version: number): Promise<void> {
    for await (const page of indexedPostsOfChannels(client, pattern, channels)) {
      await write(
        page.flatMap(({ id, ref, indexed }) =>
          putsOf({ id, ref, source: undefined, left: [indexed] }, version),
        ),
      )
    }
  }

  return {
    number,
    weeks: () => [...weeks],
    async apply(batch) {
      const { puts = [], removals = [], counters = [], channels = [], removedChannels = [] } = batch
      const refs = [...puts, ...removals, ...counters]
      if (refs.length + channels.length + removedChannels.length === 0) return
      const version = await control.nextBatch(({ tally }) =>
        isServing() ? { tally: withNewest(tally, puts) } : {},
      )
      // A post that a search does not find yet could not be removed.
      if (isUnseen) await refresh(pattern)
      const counted = new Set(counters.map(idOf))
      const named = [...new Set(refs.map(idOf))].filter((id) => !counted.has(id))
      const indexed = await indexedPosts(client, pattern, named)
      // A post whose counters change is written again as a whole, so the rest of it has to be read.
      const sources = await indexedPosts(client, pattern, [...counted], { sources: true })
      const known = new Map([...indexed, ...sources])
      const made = outcomesOf(batch, known, version)
      const moved = [...made.subscribers].filter(([ch, subs]) => subscribers.get(ch) !== subs)
      const subscribed = moved.map(([ch, subs]) => ({
        index: names.channels,
        id: String(ch),
        version,
        source: { ch, subs, seq: version },
      }))
      await write([...made.outcomes.flatMap((each) => putsOf(each, version)), ...subscribed])
      for (const [ch, subs] of moved) subscribers.set(ch, subs)
      if (removedChannels.length > 0) await removeChannels(removedChannels, version)
    },
    async expire(olderThan) {
      const first = bucketOf(secondsOf(olderThan))
      const isOver = (index: string) => (names.parse(index)?.week ?? first) < first
      const left = [...weeks].filter((week) => week >= first)
      if (left.length < weeks.size) {
        // Recorded before it is done: a week that is recorded and missing counts as lost.
        if (isServing()) await control.update({ weeks: left })
        for (const week of weeks) if (week < first) weeks.delete(week)
      }
      // Those that are there, not those just left out: deleting may have failed, or its writer died before.
      await deleteIndices(client, (await indicesOf(client, pattern)).filter(isOver))
    },
  }
}

/** The indices behind a name, alias or pattern. */
export async function indicesOf(client: Client, name: string): Promise<string[]> {
  const path = `/${name}/_alias?ignore_unavailable=true&allow_no_indices=true`
  const answer = await client.request({ method: 'GET', path, deadline: writerDeadline() })
  return answer.status === 404 ? [] : Object.keys(expectOk<object>(answer))
}

/** By name: many clusters do not allow deletion by a pattern. */
export async function deleteIndices(client: Client, indices: readonly string[]): Promise<void> {
  if (indices.length === 0) return
  await ask(client, 'DELETE', `/${indices.join(',')}?ignore_unavailable=true`)
}
