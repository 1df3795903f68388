import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Clock } from '../model/clock.ts'
import { asAppError, isUnavailable, type AppError } from '../model/errors.ts'
import type { SearchQuery } from '../model/query.ts'
import type { SinkKind, Watch, WatchOptions } from '../model/watch.ts'
import { unpackDocument } from '../search/document-codec.ts'
import { createPercolator, PercolatedPost, standingQuery } from '../search/percolator/percolator.ts'
import type { Queued, WatchStep } from '../store/deliveries.ts'
import type { PostEvent } from '../store/events.ts'
import type { Store } from '../store/store.ts'
import { deliveryTime } from './delivery-time.ts'

/** Reads the event log, matches each event against all watches, and queues deliveries. One process does it for all. */
export interface WatchMatcher {
  readonly size: number
  /** Loads watches that were added, changed or removed; resolves to how many. */
  loadWatches(signal?: AbortSignal): Promise<number>
  /** Handles the next events; resolves to how many there were. */
  step(): Promise<number>
}

export interface WatchMatcherOptions {
  readonly store: Pick<Store, 'watches' | 'deliveries' | 'events' | 'groups'>
  /** `isSettled` is false when the query names channels that are not known yet: it is then read again later. */
  readonly read: (
    query: Watch['query'],
  ) => Promise<{ readonly query: SearchQuery; readonly isSettled: boolean }>
  readonly clock: Clock
  /** Called for a watch that could be read when it was added but cannot be read now. */
  readonly onUnreadable: (watch: string, error: AppError) => void
}

interface Known {
  readonly options: WatchOptions
  readonly kinds: readonly SinkKind[]
  readonly since: number
}

const WATCHES_A_STEP = 250
const EVENTS_A_STEP = 100
/** A step ends with the event that makes it write this many rows, so that each transaction is short. */
const ROWS_A_STEP = 1_000
const MEMBERS = 200
/**
 * The terms of this many events are learnt before the first watch is filed under its rarest terms: with 20 000 watches, each
 * post is then checked against a third as many.
 */
const LEARNT_EVENTS = 2_000
/** How often a watch that names an unknown channel is read again. */
const AGAIN_MS = 60_000

export function createWatchMatcher({
  store,
  read,
  clock,
  onUnreadable,
}: WatchMatcherOptions): WatchMatcher {
  const { watches, deliveries, events: log, groups } = store
  const percolator = createPercolator<number>()
  const known = new Map<number, Known>()
  const unsettled = new Map<number, Watch>()
  let revision = 0
  let settledSince = clock.elapsed()

  async function file(watch: Watch): Promise<void> {
    const { id, options, since, stopped } = watch
    const kinds = (Object.keys(watch.sinks) as SinkKind[]).filter((kind) => !(kind in stopped))
    try {
      const { query, isSettled } = await read(watch.query)
      percolator.add(id, standingQuery(query, clock.now()))
      known.set(id, { options, kinds, since })
      if (isSettled) unsettled.delete(id)
      else unsettled.set(id, watch)
    } catch (error) {
      // The store could not be asked about its channels: that says nothing about the watch.
      if (isUnavailable(error)) throw error
      const told = asAppError(error)
      forget(id)
      onUnreadable(watch.name, told)
    }
  }

  function forget(id: number): void {
    percolator.delete(id)
    known.delete(id)
    unsettled.delete(id)
  }

  async function learnTerms(): Promise<void> {
    const { last } = await log.bounds()
    for (let at = Math.max(0, last - LEARNT_EVENTS); at < last;) {
      const events = await log.after(at, EVENTS_A_STEP)
      if (events.length === 0) return
      for (const { document } of events) {
        if (document) percolator.learn(new PercolatedPost(unpackDocument(document)))
      }
      at = events.at(-1)!.seq
      await yieldToEventLoop()
    }
  }

  async function settle(): Promise<void> {
    if (unsettled.size === 0 || clock.elapsed() - settledSince < AGAIN_MS) return
    settledSince = clock.elapsed()
    for (const watch of unsettled.values()) await file(watch)
  }

  /** The watches that tell each story once and have already told this one. */
  async function storyTold(ids: readonly number[], story: number): Promise<Set<number>> {
    const once = ids.filter((id) => known.get(id)?.options.oncePerStory)
    if (once.length === 0) return new Set()
    // The first post of a story may have been told before the story had a group, so its members are looked up as well.
    const [stories, members] = await Promise.all([
      deliveries.toldStories(once.map((watchId) => ({ watchId, story }))),
      deliveries.toldBy(await groups.members(story, MEMBERS)),
    ])
    return new Set([...stories, ...members].map(({ watchId }) => watchId))
  }

  async function judge(event: PostEvent, draft: Draft): Promise<void> {
    const { channelId, number, seq, at } = event
    const earlier = await deliveries.toldBy([event])
    const toldBefore = new Set([...earlier.map(({ watchId }) => watchId), ...draft.toldBy(event)])
    if (event.document) {
      const document = unpackDocument(event.document)
      const found = percolator.match(new PercolatedPost(document))
      const fresh = found.filter((id) => !toldBefore.has(id) && seq > known.get(id)!.since)
      const told =
        document.group === null ? new Set<number>() : await storyTold(fresh, document.group)
      for (const watchId of fresh) {
        const isOnce = known.get(watchId)!.options.oncePerStory
        if (isOnce && (told.has(watchId) || draft.isStoryTold(watchId, document.group))) continue
        draft.tell({ watchId, channelId, number, story: document.group, at })
        queue(draft, watchId, { kind: 'post', channelId, number, seq, at })
      }
    }
    if (event.kind === 'post') return
    for (const watchId of toldBefore) {
      const options = known.get(watchId)?.options
      const isWanted = event.kind === 'edit' ? options?.edits : options?.deletions
      if (isWanted) queue(draft, watchId, { kind: event.kind, channelId, number, seq, at })
    }
  }

  function queue(draft: Draft, watchId: number, event: Queued['event']): void {
    const { options, kinds } = known.get(watchId)!
    const at = clock.now()
    for (const sink of kinds) {
      if (sink === 'feed') continue
      draft.queued.push({ watchId, sink, event, at, ...deliveryTime(options, at) })
    }
  }

  return {
    get size() {
      return percolator.size
    },
    async loadWatches(signal) {
      let count = 0
      await settle()
      const newest = await watches.revision()
      if (revision === 0 && newest > 0) await learnTerms()
      while (revision < newest) {
        const changes = await watches.changesSince(revision, WATCHES_A_STEP)
        for (const { id, watch } of changes) {
          signal?.throwIfAborted()
          if (watch) await file(watch)
          else forget(id)
        }
        // The newest revision may have been a removal that has since been forgotten.
        revision = changes.at(-1)?.revision ?? newest
        count += changes.length
        await yieldToEventLoop()
      }
      return count
    },
    async step() {
      if (known.size === 0) return 0
      const from = await deliveries.position()
      const bounds = await log.bounds()
      // The first time, or after the event log was lost.
      if (from === null || from > bounds.last) {
        const first = [...known.values()].reduce(
          (low, { since }) => Math.min(low, since),
          bounds.last,
        )
        await deliveries.advance({ from, to: first, revision, told: [], queued: [] })
        return 1
      }
      if (from === bounds.last) return 0
      const events = await log.after(from, EVENTS_A_STEP)
      const draft = new Draft()
      let handled = 0
      for (const event of events) {
        if (draft.size >= ROWS_A_STEP) break
        await judge(event, draft)
        handled++
        await yieldToEventLoop()
      }
      const to = events[handled - 1]?.seq ?? bounds.last
      await deliveries.advance({ from, to, revision, told: draft.told, queued: draft.queued })
      return handled
    },
  }
}

/** What one step is going to write. */
class Draft {
  readonly told: Told[] = []
  readonly queued: Queued[] = []
  /** The watches that told of each post, and the stories told by each watch. */
  readonly #watches = new Map<string, number[]>()
  readonly #stories = new Set<string>()

  get size(): number {
    return this.told.length + this.queued.length
  }

  tell(told: Told): void {
    const { watchId, channelId, number, story } = told
    this.told.push(told)
    const watches = this.#watches.get(`${channelId}/${number}`)
    if (watches) watches.push(watchId)
    else this.#watches.set(`${channelId}/${number}`, [watchId])
    if (story !== null) this.#stories.add(`${watchId}/${story}`)
  }

  toldBy({ channelId, number }: PostEvent): readonly number[] {
    return this.#watches.get(`${channelId}/${number}`) ?? []
  }

  isStoryTold(watchId: number, story: number | null): boolean {
    return story !== null && this.#stories.has(`${watchId}/${story}`)
  }
}

type Told = WatchStep['told'][number]
