import { pause, type Clock } from '../model/clock.ts'
import { getOrMake } from '../model/get-or-make.ts'
import { spareTurn } from '../model/turns.ts'
import { createPercolator } from '../search/percolator/percolator.ts'
import type { EventLog, LogBounds } from '../store/events.ts'
import type { Groups } from '../store/groups.ts'
import type { EventReader, ReadEvent } from './event-reader.ts'
import type { Follower } from './follower.ts'
import { addNews, newsOf, type News } from './news.ts'
import { createStories } from './stories.ts'

/** Reads the end of the event log once for all followers in this process. */
interface Tail<F extends Follower> extends AsyncDisposable {
  /** The name of the log. */
  readonly log: string
  /** The last event that was matched: a follower that has read up to it can join. */
  readonly seq: number
  /** The last event whose news were delivered. */
  readonly deliveredSeq: number
  /** The error of the last step, until a step succeeds. */
  readonly failure: unknown
  /** Starts reading from the end of the log, unless it has started already. */
  start(): Promise<void>
  /** Adds a follower, from the event after `seq` on. */
  join(follower: F): void
  leave(follower: F): void
}

export interface FollowerNews<F> {
  readonly follower: F
  /** In order. */
  readonly news: readonly News[]
}

interface TailOptions<F> {
  readonly log: EventLog
  readonly reader: EventReader
  readonly groups: Pick<Groups, 'members'>
  readonly clock: Clock
  readonly deliver: (deliveries: readonly FollowerNews<F>[]) => Promise<void>
  readonly onFailure: (error: unknown) => void
  /** Called before the tail goes on from the end of a log that was renamed: earlier events mean nothing in it. */
  readonly onRenamed: (bounds: LogBounds) => void
}

/** A small part of the one second within which a searchable post has to be reported. */
const POLL_MS = 200
const PAUSE_MS = 1_000
const BATCH = 200

export function createTail<F extends Follower>(options: TailOptions<F>): Tail<F> {
  const { log, reader, groups, clock, deliver } = options
  const percolator = createPercolator<F>()
  const followers = new Set<F>()
  const stopped = new AbortController()
  let name = ''
  let seq = 0
  let deliveredSeq = 0
  let failure: unknown
  let starting: Promise<void> | undefined
  let running: Promise<void> = Promise.resolve()

  /** The news of an event for each follower. Advances `seq` in the same tick, so that a follower who joins misses nothing. */
  function judge(event: ReadEvent): Map<F, News> {
    seq = event.seq
    const is = new Set(event.after ? percolator.match(event.after) : [])
    const was = new Set(event.before ? percolator.match(event.before) : [])
    const found = new Map<F, News>()
    for (const follower of event.isLost ? followers : is.union(was)) {
      const news = newsOf(event, (post) => (post === event.after ? is : was).has(follower))
      if (news) found.set(follower, news)
    }
    return found
  }

  function goOnFrom({ log: newName, last }: LogBounds): void {
    name = newName
    seq = deliveredSeq = last
  }

  async function step(): Promise<number> {
    const bounds = await log.bounds()
    if (bounds.log !== name) {
      options.onRenamed(bounds)
      goOnFrom(bounds)
    }
    const events = bounds.last === seq ? [] : await reader.after(seq, BATCH)
    const collapse = createStories(groups, reader)
    const deliveries = new Map<F, News[]>()
    for (const event of events) {
      await spareTurn()
      for (const [follower, news] of judge(event)) {
        const told = follower.query.collapse ? await collapse(news, follower) : news
        if (told)
          addNews(
            getOrMake(deliveries, follower, () => []),
            told,
          )
      }
    }
    if (deliveries.size > 0) {
      await deliver([...deliveries].map(([follower, news]) => ({ follower, news })))
    }
    deliveredSeq = seq
    return events.length
  }

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let waitMs = 0
      try {
        if ((await step()) < BATCH) waitMs = POLL_MS
        failure = undefined
      } catch (error) {
        failure = error
        options.onFailure(error)
        waitMs = PAUSE_MS
      }
      if (waitMs > 0) await pause(clock, waitMs, signal)
    }
  }

  return {
    get log() {
      return name
    },
    get seq() {
      return seq
    },
    get deliveredSeq() {
      return deliveredSeq
    },
    get failure() {
      return failure
    },
    async start() {
      starting ??= log.bounds().then((bounds) => {
        goOnFrom(bounds)
        running = run(stopped.signal)
      })
      try {
        await starting
      } catch (error) {
        starting = undefined
        throw error
      }
    },
    join(follower) {
      followers.add(follower)
      percolator.add(follower, follower.standing)
    },
    leave(follower) {
      followers.delete(follower)
      percolator.delete(follower)
    },
    async [Symbol.asyncDispose]() {
      stopped.abort(new Error('nobody follows any more'))
      await running
    },
  }
}
