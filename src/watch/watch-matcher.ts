import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { addTo } from '../model/get-or-make.ts'
import { readPercolatedPost } from '../search/percolator/percolator.ts'
import type { EventPart, Queued, WatchStep } from '../store/deliveries.ts'
import type { PostEvent } from '../store/events.ts'
import type { Store } from '../store/store.ts'
import { deliveryTime } from './delivery-time.ts'
import { createLoadedWatches, type LoadedWatchesOptions } from './loaded-watches.ts'

/** Reads the event log, matches each event against all watches, and queues deliveries. One process does it for all. */
export interface WatchMatcher {
  readonly size: number
  /** Loads watches that were added, changed or removed. */
  loadWatches(signal?: AbortSignal): Promise<void>
  /** Handles the next events, or a part of one that concerns very many watches. False when there is none. */
  step(): Promise<boolean>
}

export interface WatchMatcherOptions extends LoadedWatchesOptions {
  readonly store: LoadedWatchesOptions['store'] & Pick<Store, 'deliveries' | 'events' | 'groups'>
  /** Called for an event that cannot be read: no watch finds it, but those that told of the post before go on with it. */
  readonly onEventLost: (event: { readonly seq: number }) => void
  /** Where a step ends, so that each transaction is short. */
  readonly rowsAStep?: number
}

const EVENTS_A_STEP = 100
/** An event that a hundred thousand watches tell took a transaction of ten seconds, in which no watch could be put. */
const ROWS_A_STEP = 1_000
const MEMBERS = 200

export function createWatchMatcher(options: WatchMatcherOptions): WatchMatcher {
  const { store, clock, onEventLost, rowsAStep = ROWS_A_STEP } = options
  const { deliveries, events: log, groups } = store
  const watches = createLoadedWatches(options)
  /** Kept between the parts of an event, so that it need not be judged for each. */
  let unwritten: Unwritten | undefined

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

  /** What each watch that the event concerns has to tell and to send, in the order of their ids. */
  async function judge(event: PostEvent, draft: WatchDraft): Promise<Telling[]> {
    const { channelId, number, seq, at } = event
    const earlier = await deliveries.toldBy([event])
    const toldBefore = new Set([...earlier.map(({ watchId }) => watchId), ...draft.toldBy(event)])
    const tellings: Telling[] = []
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
        tellings.push({
          watchId,
          told: { watchId, channelId, number, story, at },
          queued: queued(watchId, { kind: 'post', channelId, number, seq, at }),
        })
      }
    }
    for (const watchId of event.kind === 'post' ? [] : toldBefore) {
      const options = watches.get(watchId)?.options
      const isWanted = event.kind === 'edit' ? options?.edits : options?.deletions
      if (!isWanted) continue
      const sent = queued(watchId, { kind: event.kind, channelId, number, seq, at })
      tellings.push({ watchId, told: null, queued: sent })
    }
    return tellings.sort((a, b) => a.watchId - b.watchId)
  }

  function queued(watchId: number, event: Queued['event']): Queued[] {
    const { options, kinds } = watches.get(watchId)!
    const at = clock.now()
    return kinds
      .filter((sink) => sink !== 'feed')
      .map((sink) => ({ watchId, sink, event, at, ...deliveryTime(options, at) }))
  }

  /** What is to be written of an event after a part of it; judged again when that was written by another process. */
  async function tellingsOf(
    event: PostEvent,
    part: EventPart | null,
    draft: WatchDraft,
  ): Promise<readonly Telling[]> {
    if (part?.seq !== event.seq) return judge(event, draft)
    if (unwritten?.revision === watches.revision && isDeepStrictEqual(unwritten.part, part))
      return unwritten.rest
    return (await judge(event, draft)).filter(({ watchId }) => watchId > part.watchId)
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
      if (from.seq === null || from.seq < first || from.seq > bounds.last) {
        const to = { seq: first, part: null }
        await deliveries.advance({ from, to, revision, told: [], queued: [] })
        return true
      }
      if (from.seq === bounds.last) return false
      const events = await log.after(from.seq, from.part ? 1 : EVENTS_A_STEP)
      const draft = new WatchDraft(rowsAStep)
      let to: WatchStep['to'] = { seq: events.length > 0 ? from.seq : bounds.last, part: null }
      let rest: readonly Telling[] = []
      for (const event of events) {
        const tellings = await tellingsOf(event, from.part, draft)
        const count = draft.add(tellings)
        rest = tellings.slice(count)
        if (rest.length > 0) {
          const { watchId } = tellings[count - 1]!
          to = { seq: to.seq, part: { seq: event.seq, watchId } }
          break
        }
        to = { seq: event.seq, part: null }
        if (draft.isFull) break
        await yieldToEventLoop()
      }
      const { told, queued } = draft
      const isWritten = await deliveries.advance({ from, to, revision, told, queued })
      unwritten = isWritten && to.part ? { part: to.part, revision, rest } : undefined
      return true
    },
  }
}

/** What one watch has to tell and to send because of an event. */
interface Telling {
  readonly watchId: number
  /** Null when it has told of the post before. */
  readonly told: Told | null
  readonly queued: readonly Queued[]
}

/** What is left of an event of which a part was written. */
interface Unwritten {
  readonly part: EventPart
  readonly revision: number
  readonly rest: readonly Telling[]
}

/** What one step is going to write. */
class WatchDraft {
  readonly told: Told[] = []
  readonly queued: Queued[] = []
  /** The watches that told of each post, and the stories told by each watch. */
  readonly #watches = new Map<string, number[]>()
  readonly #stories = new Set<string>()

  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  get isFull(): boolean {
    return this.told.length + this.queued.length >= this.#limit
  }

  /** Takes as many of them as there is room for; returns how many. */
  add(tellings: readonly Telling[]): number {
    let count = 0
    for (const { told, queued } of tellings) {
      if (this.isFull) break
      if (told) this.#tell(told)
      this.queued.push(...queued)
      count++
    }
    return count
  }

  #tell(told: Told): void {
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
