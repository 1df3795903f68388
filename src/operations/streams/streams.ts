import type { Access } from '../../access/access.ts'
import type { Caller } from '../../access/caller.ts'
import { createEventReader } from '../../follow/event-reader.ts'
import { readNews, type Follower } from '../../follow/follower.ts'
import type { News } from '../../follow/news.ts'
import { createTail, type FollowerNews } from '../../follow/tail.ts'
import { abortable } from '../../model/abortable.ts'
import { pause, type Clock } from '../../model/clock.ts'
import { startDeadline } from '../../model/deadline.ts'
import { AppError } from '../../model/errors.ts'
import { createSemaphore } from '../../model/semaphore.ts'
import { spareTurn } from '../../model/turns.ts'
import type { Overview } from '../overview.ts'
import type { Warning } from '../warnings.ts'
import { startHeartbeats } from './heartbeats.ts'
import { frame, opening } from './frames.ts'
import type { RenderOptions, Sources } from './render-news.ts'
import { startReadingAgain, startRevoking } from './checks.ts'
import { printEventId, resume } from './event-id.ts'
import { createStreamLimit } from './stream-limit.ts'
import { shareFrames, type Frame } from './shared-frames.ts'

/** Why the service ends a stream. */
type EndReason = 'limit' | 'slow_reader' | 'shutdown' | 'failed' | 'revoked'

/** Where the events of a stream are written: one connection. */
export interface Sink {
  /** False when the reader does not keep up; nothing more is written until `drained`. */
  write(text: string): boolean
  /** Something written has not been taken by the reader yet. */
  readonly isFull: boolean
  /** Rejects when the reader goes away. */
  drained(): Promise<void>
  end(): void
  /** Aborted when the reader goes away. */
  readonly signal: AbortSignal
}

/** A search as a stream follows it. */
export interface FollowedSearch extends Follower, RenderOptions {
  /** The channels that it names and that are not in the archive. */
  readonly unknown: readonly string[]
  /** What the reader should know before waiting. */
  readonly warnings: readonly Warning[]
}

interface StreamRequest extends FollowedSearch {
  readonly readAgain: () => Promise<FollowedSearch>
  readonly caller: Caller
  /** The id of the last event that the reader has. */
  readonly sinceId: string | undefined
  /** Ends after this many posts. */
  readonly limit: number | undefined
}

/** The open streams of this process. */
export interface Streams extends AsyncDisposable {
  readonly open: number
  openBy(caller: Caller): number
  /**
   * Throws `invalid_parameter` for something that is not an id, `quota_exceeded` when the caller has too many streams open,
   * and `overloaded` when the process has. The returned function starts the stream on a connection.
   */
  prepare(request: StreamRequest): Promise<(sink: Sink) => void>
}

/** A reader that has taken nothing for this long is considered gone. */
const SLOW_MS = 30_000
const PAGE = 100
/** How many streams catch up at a time: after a restart everybody comes back at once. */
const CATCHING_UP = 8
/** Pause before a failed read is retried. */
const PAUSE_MS = 1_000

interface Parts extends Sources {
  readonly clock: Clock
  readonly overview: Overview
  readonly access: Access
}

interface Stream extends StreamRequest {
  readonly sink: Sink
  readonly freeSlot: () => void
  /** Every event up to this one has been handled for this stream. */
  seq: number
  isLive: boolean
  told: number
  wroteSince: number
  isInTrouble: boolean
  /** Wakes the stream's loop to catch up or to end. */
  wake: () => void
}

export interface StreamEvents {
  /** The log could not be read, or its events not be rendered; every stream resumes where it was. */
  streamsFailed(error: unknown): void
  /** An event of the log cannot be read: followers are told that it is lost, and go on with the next. */
  eventLost(event: { readonly seq: number }): void
}

export function createStreams(parts: Parts, events: StreamEvents): Streams {
  const { store, clock, overview } = parts
  const reader = createEventReader(store.events, (event) => events.eventLost(event))
  const source = { reader, groups: store.groups }
  const open = new Set<Stream>()
  const streamLimit = createStreamLimit()
  const tail = createTail<Stream>({
    log: store.events,
    ...source,
    clock,
    deliver,
    onFailure(error) {
      events.streamsFailed(error)
      // Events that were judged may not have been sent, so every stream reads them again.
      for (const stream of open) if (stream.isLive) leaveTail(stream)
    },
    onRenamed({ log, last }) {
      for (const stream of open) {
        const sinceId = placeOf(stream)
        if (stream.isLive) leaveTail(stream)
        stream.seq = last
        write(stream, frame('lag', lagOf('unknown_id', sinceId), printEventId(log, last)))
      }
    },
  })
  let isClosed = false
  const semaphore = createSemaphore(CATCHING_UP)
  const beats = startHeartbeats({
    streams: open,
    clock,
    lagS: () => overview.lagS(),
    // Any other failure is a bug, about which readers are told nothing.
    trouble: () => (tail.failure instanceof AppError ? tail.failure.detail : null),
    placeOf,
    tell(stream, text) {
      if (!write(stream, text)) leaveTail(stream)
    },
    onFailure: (error) => events.streamsFailed(error),
  })

  const revoking = startRevoking({
    streams: open,
    access: parts.access,
    clock,
    end: (stream) => end(stream, 'revoked'),
  })

  const readingAgain = startReadingAgain({
    store,
    streams: open,
    clock,
    replace(stream: Stream, read: FollowedSearch) {
      if (stream.isLive) leaveTail(stream)
      Object.assign(stream, read)
    },
  })

  function leaveTail(stream: Stream): void {
    // What the tail has already delivered for it need not be read again.
    stream.seq = reached(stream)
    tail.leave(stream)
    stream.isLive = false
    stream.wake()
  }

  function write(stream: Stream, text: string): boolean {
    stream.wroteSince = clock.elapsed()
    return stream.sink.write(text)
  }

  /** The event up to which the reader has everything. */
  function reached(stream: Stream): number {
    return stream.isLive ? Math.max(stream.seq, tail.deliveredSeq) : stream.seq
  }

  function placeOf(stream: Stream): string {
    return printEventId(tail.log, reached(stream))
  }

  /** Returns false when the reader does not keep up and the rest has to wait. */
  function tell(
    stream: Stream,
    news: News,
    frameOf: (news: News, options: RenderOptions) => Frame | undefined,
  ): boolean {
    if (news.seq <= stream.seq) return true
    const told = frameOf(news, stream)
    stream.seq = news.seq
    if (!told) return true
    const isWritten = write(stream, told.text)
    if (told.kind === 'post' && ++stream.told === stream.limit) end(stream, 'limit')
    return isWritten
  }

  async function deliver(deliveries: readonly FollowerNews<Stream>[]): Promise<void> {
    const all = deliveries.flatMap(({ follower, news }) =>
      news.map((each) => ({ news: each, options: follower })),
    )
    const frameOf = await shareFrames(parts, tail.log, all)
    for (const { follower, news } of deliveries) {
      for (const each of news) {
        await spareTurn()
        // A stream that has left the tail meanwhile catches up by itself.
        if (follower.isLive && !tell(follower, each, frameOf)) leaveTail(follower)
      }
    }
  }

  /** Reads one page towards the log's end: a stream with a day to catch up on must not hold up others that missed little. */
  async function catchUp(stream: Stream): Promise<void> {
    if (!open.has(stream) || stream.seq >= tail.seq) return
    const { log, seq: end } = tail
    const { news, seq } = await readNews(source, stream, stream.seq, PAGE)
    const wanted = news.map((each) => ({ news: each, options: stream }))
    const frameOf = await shareFrames(parts, log, wanted)
    for (const each of news) {
      await spareTurn()
      // The log was renamed meanwhile.
      if (tail.log !== log || !open.has(stream) || !tell(stream, each, frameOf)) return
    }
    if (tail.log !== log) return
    // When the page has nothing, the events there were erased.
    stream.seq = Math.max(stream.seq, seq > stream.seq || news.length > 0 ? seq : end)
  }

  /**
   * A failure is retried at the same place. Ending the stream instead would look to a waiting reader like a search that
   * finds nothing.
   */
  async function catchUpOrPause(stream: Stream): Promise<void> {
    try {
      await catchUp(stream)
    } catch (error) {
      events.streamsFailed(error)
      await pause(clock, PAUSE_MS, stream.sink.signal)
    }
  }

  async function run(stream: Stream): Promise<void> {
    while (open.has(stream)) {
      if (stream.sink.isFull && !(await isTaken(stream))) {
        end(stream, 'slow_reader')
        return
      }
      if (stream.seq < tail.seq) await semaphore.run(() => catchUpOrPause(stream))
      if (!open.has(stream) || stream.seq < tail.seq) continue
      const woken = new Promise<void>((resolve) => (stream.wake = resolve))
      stream.isLive = true
      tail.join(stream)
      await woken
    }
  }

  /** Whether the reader has taken what was written, within SLOW_MS. */
  async function isTaken({ sink }: Stream): Promise<boolean> {
    using late = startDeadline(clock, SLOW_MS)
    try {
      await abortable(sink.drained(), late.signal)
      return true
    } catch (error) {
      if (!late.signal.aborted) throw error
      return false
    }
  }

  function end(stream: Stream, reason: EndReason): void {
    if (!open.has(stream)) return
    const sinceId = placeOf(stream)
    forget(stream)
    stream.sink.write(frame('end', { reason, since_id: sinceId }, sinceId))
    stream.sink.end()
  }

  function forget(stream: Stream): void {
    if (!open.delete(stream)) return
    stream.freeSlot()
    if (stream.isLive) leaveTail(stream)
  }

  function admit(caller: Caller): void {
    if (isClosed) throw new AppError('unavailable', 'the service is stopping', { retryAfterS: 2 })
    streamLimit.check(caller)
  }

  return {
    get open() {
      return streamLimit.open
    },
    openBy: streamLimit.openBy,
    async prepare(request) {
      admit(request.caller)
      await tail.start()
      const bounds = await store.events.bounds()
      const { seq, gap } = resume(request.sinceId, bounds)
      admit(request.caller)
      return (sink) => {
        // The reader left before the start, so its signal would never fire again to free its slot.
        if (sink.signal.aborted) return
        const stream: Stream = {
          ...request,
          sink,
          freeSlot: streamLimit.acquire(request.caller),
          seq,
          isLive: false,
          told: 0,
          wroteSince: clock.elapsed(),
          isInTrouble: false,
          wake() {},
        }
        open.add(stream)
        sink.signal.addEventListener('abort', () => forget(stream), { once: true })
        const id = printEventId(bounds.log, seq)
        write(stream, opening(id, request.warnings))
        if (gap !== null) write(stream, frame('lag', lagOf(gap, request.sinceId!), id))
        run(stream).catch((error: unknown) => {
          if (sink.signal.aborted) return
          events.streamsFailed(error)
          end(stream, 'failed')
        })
      }
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      beats[Symbol.dispose]()
      revoking[Symbol.dispose]()
      readingAgain[Symbol.dispose]()
      for (const stream of open) end(stream, 'shutdown')
      await tail[Symbol.asyncDispose]()
    },
  }
}

function lagOf(gap: 'forgotten' | 'unknown_id', sinceId: string) {
  const detail =
    gap === 'forgotten'
      ? 'events right behind that id are forgotten; search with `arrived_since` for what is missing'
      : 'that id is not known here; the stream begins now, search with `arrived_since` for what is missing'
  return { reason: gap, since_id: sinceId, detail }
}
