import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { unpackDocument } from '../search/document-codec.ts'
import { PercolatedPost } from '../search/percolator/percolator.ts'
import type { Queued, WatchStep } from '../store/deliveries.ts'
import type { PostEvent } from '../store/events.ts'
import type { Store } from '../store/store.ts'
import { deliveryTime } from './delivery-time.ts'
import { createLoadedWatches, type LoadedWatchesOptions } from './loaded-watches.ts'

/** Reads the event log, matches each event against all watches, and queues deliveries. One process does it for all. */
export interface WatchMatcher {
  readonly size: number
  /** Loads watches that were added, changed or removed. */
  loadWatches(signal?: AbortSignal): Promise<void>
  /** Handles the next events; resolves to how many there were. */
  step(): Promise<number>
}

export interface WatchMatcherOptions extends LoadedWatchesOptions {
  readonly store: Pick<Store, 'watches' | 'deliveries' | 'events' | 'groups'>
}

const EVENTS_A_STEP = 100
/** A step ends with the event that makes it write this many rows, so that each transaction is short. */
const ROWS_A_STEP = 1_000
const MEMBERS = 200

export function createWatchMatcher(options: WatchMatcherOptions): WatchMatcher {
  const { store, clock } = options
  const { deliveries, events: log, groups } = store
  const watches = createLoadedWatches(options)

  /** The watches that tell each story once and have already told this one. */
  async function storyTold(ids: readonly number[], story: number): Promise<Set<number>> {
    const once = ids.filter((id) => watches.get(id)?.options.oncePerStory)
    if (once.length === 0) return new Set()
    // The first post of a story may have been told before the story had a group, so its members are looked up as well.
    const [stories, members] = await Promise.all([
      deliveries.toldStories(once.map((watchId) => ({ watchId, story }))),
      deliveries.toldBy(await groups.members(story, MEMBERS)),
    ])
    return new Set([...stories, ...members].map(({ watchId }) => watchId))
  }

  async function judge(event: PostEvent, draft: WatchDraft): Promise<void> {
    const { channelId, number, seq, at } = event
    const earlier = await deliveries.toldBy([event])
    const toldBefore = new Set([...earlier.map(({ watchId }) => watchId), ...draft.toldBy(event)])
    if (event.document) {
      const document = unpackDocument(event.document)
      const found = watches.match(new PercolatedPost(document))
      const fresh = found.filter((id) => !toldBefore.has(id) && seq > watches.get(id)!.since)
      const told =
        document.group === null ? new Set<number>() : await storyTold(fresh, document.group)
      for (const watchId of fresh) {
        const isOnce = watches.get(watchId)!.options.oncePerStory
        if (isOnce && (told.has(watchId) || draft.isStoryTold(watchId, document.group))) continue
        draft.tell({ watchId, channelId, number, story: document.group, at })
        queue(draft, watchId, { kind: 'post', channelId, number, seq, at })
      }
    }
    if (event.kind === 'post') return
    for (const watchId of toldBefore) {
      const options = watches.get(watchId)?.options
      const isWanted = event.kind === 'edit' ? options?.edits : options?.deletions
      if (isWanted) queue(draft, watchId, { kind: event.kind, channelId, number, seq, at })
    }
  }

  function queue(draft: WatchDraft, watchId: number, event: Queued['event']): void {
    const { options, kinds } = watches.get(watchId)!
    const at = clock.now()
    for (const sink of kinds) {
      if (sink === 'feed') continue
      draft.queued.push({ watchId, sink, event, at, ...deliveryTime(options, at) })
    }
  }

  return {
    get size() {
      return watches.size
    },
    loadWatches: (signal) => watches.load(signal),
    async step() {
      if (watches.size === 0) return 0
      const { revision } = watches
      const from = await deliveries.position()
      const bounds = await log.bounds()
      // The first time, or after the event log was lost.
      if (from === null || from > bounds.last) {
        const first = [...watches.all()].reduce(
          (low, { since }) => Math.min(low, since),
          bounds.last,
        )
        await deliveries.advance({ from, to: first, revision, told: [], queued: [] })
        return 1
      }
      if (from === bounds.last) return 0
      const events = await log.after(from, EVENTS_A_STEP)
      const draft = new WatchDraft()
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
class WatchDraft {
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
