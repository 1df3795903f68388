import { addTo } from '../model/get-or-make.ts'
import { spareTurn } from '../model/turns.ts'
import { readPercolatedPost } from '../search/percolator/percolator.ts'
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
  /** Handles the next events. False when there is none. */
  step(): Promise<boolean>
}

export interface WatchMatcherOptions extends LoadedWatchesOptions {
  readonly store: LoadedWatchesOptions['store'] & Pick<Store, 'deliveries' | 'events' | 'groups'>
  /** Called for an event that cannot be read: no watch finds it, but those that told of the post before go on with it. */
  readonly onEventLost: (event: { readonly seq: number }) => void
}

const EVENTS_A_STEP = 100
/** A step ends with the event that reaches it, so that no transaction is long. */
const ROWS_A_STEP = 1_000
const MEMBERS = 200

export function createWatchMatcher(options: WatchMatcherOptions): WatchMatcher {
  const { store, clock, onEventLost } = options
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

  /** Drafts what each watch that the event concerns has to tell and to send. */
  async function judge(event: PostEvent, draft: WatchDraft): Promise<void> {
    const { channelId, number, seq, at } = event
    const earlier = await deliveries.toldBy([event])
    const toldBefore = new Set([...earlier.map(({ watchId }) => watchId), ...draft.toldBy(event)])
    const post = event.document && readPercolatedPost(event.document)
    if (post === undefined) onEventLost({ seq })
    if (post) {
      const found = watches.match(post)
      const fresh = found.filter((id) => !toldBefore.has(id) && seq > watches.get(id)!.since)
      const story = post.document.group
      const told = story === null ? new Set<number>() : await storyTold(fresh, story)
      for (const watchId of fresh) {
        const isOnce = watches.get(watchId)!.options.oncePerStory
        if (isOnce && (told.has(watchId) || draft.isStoryTold(watchId, story))) continue
        draft.tell({ watchId, channelId, number, story, at })
        draft.queued.push(...queued(watchId, { kind: 'post', channelId, number, seq, at }))
      }
    }
    for (const watchId of event.kind === 'post' ? [] : toldBefore) {
      const options = watches.get(watchId)?.options
      const isWanted = event.kind === 'edit' ? options?.edits : options?.deletions
      if (!isWanted) continue
      draft.queued.push(...queued(watchId, { kind: event.kind, channelId, number, seq, at }))
    }
  }

  function queued(watchId: number, event: Queued['event']): Queued[] {
    const { options, kinds } = watches.get(watchId)!
    const at = clock.now()
    return kinds
      .filter((sink) => sink !== 'feed')
      .map((sink) => ({ watchId, sink, event, at, ...deliveryTime(options, at) }))
  }

  return {
    get size() {
      return watches.size
    },
    loadWatches: (signal) => watches.load(signal),
    async step() {
      if (watches.size === 0) return false
      const { revision } = watches
      const from = await deliveries.position()
      const bounds = await log.bounds()
      const first = [...watches.all()].reduce((low, { since }) => Math.min(low, since), bounds.last)
      // The first time, after a time without watches, whose events concern none, or after the event log was lost.
      if (from === null || from < first || from > bounds.last) {
        await deliveries.advance({ from, to: first, revision, told: [], queued: [] })
        return true
      }
      if (from === bounds.last) return false
      const events = await log.after(from, EVENTS_A_STEP)
      const draft = new WatchDraft()
      let to = events.length > 0 ? from : bounds.last
      for (const event of events) {
        await spareTurn()
        await judge(event, draft)
        to = event.seq
        if (draft.told.length + draft.queued.length >= ROWS_A_STEP) break
      }
      const { told, queued } = draft
      await deliveries.advance({ from, to, revision, told, queued })
      return true
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

  tell(told: Told): void {
    const { watchId, channelId, number, story } = told
    this.told.push(told)
    addTo(this.#watches, `${channelId}/${number}`, watchId)
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
