import type { Clock } from '../model/clock.ts'
import { AppError } from '../model/errors.ts'
import { isLiveRead, type Deadlines } from '../operations/deadlines.ts'

/** Who would wait longer by the present pace is refused at once. */
const MAX_WAIT_MS = 1_000
/** Who waits longer after all, because the pace has become slower, is refused then. */
const GIVE_UP_MS = 2_000
/** Many ask for the same live read at once. */
const ELSEWHERE_PLACES = 2_048
/** Over how many starts the pace of a line is averaged. */
const PACE = 32

export const BUSY = new AppError('overloaded', 'the service is busy, ask again in a moment', {
  retryAfterS: 1,
})

/** Begins a piece of work, which calls `leave` when it is over, any number of times. */
type Start = (leave: () => void) => void

interface Line {
  /** Calls `start` in its turn, or `refuse`. The returned function gives up waiting. */
  join(start: Start, refuse: () => void): () => void
  readonly atWork: number
}

interface Time {
  readonly clock: Pick<Clock, 'elapsed'>
  readonly deadlines: Pick<Deadlines, 'start'>
}

/**
 * Work of one kind: so many pieces at once, so many waiting, in order. One is started in each turn of the event loop, so that
 * many that arrive together keep nobody else waiting.
 */
export function createLine(places: number, { clock, deadlines }: Time): Line {
  const waiting = new Set<() => void>()
  let atWork = 0
  let isTurning = false
  /** How long the line takes to move by one, on average. */
  let gapMs = 0
  let movedSince = 0

  function expectedMs(): number {
    const free = places - atWork
    if (waiting.size <= free) return 0
    const stillMs = free > 0 ? 0 : clock.elapsed() - movedSince
    return (waiting.size - free) * gapMs + stillMs
  }

  function move(): void {
    if (isTurning || waiting.size === 0 || atWork >= places) return
    isTurning = true
    setImmediate(() => {
      isTurning = false
      const [next] = waiting
      if (next === undefined || atWork >= places) return
      const elapsed = clock.elapsed()
      gapMs += (Math.min(elapsed - movedSince, MAX_WAIT_MS) - gapMs) / PACE
      movedSince = elapsed
      next()
      move()
    })
  }

  function begin(start: Start): void {
    atWork++
    let isOver = false
    start(() => {
      if (isOver) return
      isOver = true
      atWork--
      move()
    })
  }

  return {
    join(start, refuse) {
      if (expectedMs() > MAX_WAIT_MS) {
        refuse()
        return () => {}
      }
      if (waiting.size === 0) movedSince = clock.elapsed()
      const leave = () => {
        waiting.delete(next)
        notLate()
      }
      const next = () => {
        leave()
        begin(start)
      }
      const notLate = deadlines.start(GIVE_UP_MS, () => {
        leave()
        refuse()
      })
      waiting.add(next)
      move()
      return leave
    },
    get atWork() {
      return atWork
    },
  }
}

type Kind = 'elsewhere' | 'mcp' | 'other'

/**
 * The kind of a request, by its address as sent. Live reads and evidence mostly wait elsewhere, for the platform, a timestamp
 * or those before them.
 */
function kindOf(url: string): Kind {
  if (/^\/mcp\/?(?:\?|$)/.test(url)) return 'mcp'
  return isLiveRead(url) || /^[^?#]*\/evidence\/?(?:\?|$)/.test(url) ? 'elsewhere' : 'other'
}

/** What is let in, over every face. */
export interface Admission {
  /** Lets in a request over HTTP by its address. */
  join(url: string, start: Start, refuse: () => void): () => void
  /** Lets in a call whose request was let in as a message of MCP; throws `overloaded`. The returned function ends it. */
  enter(kind: 'elsewhere' | 'other'): Promise<() => void>
  readonly atWork: number
}

export interface Places {
  /** How many requests are worked on at once, except those that wait elsewhere. */
  readonly other: number
  readonly elsewhere?: number
}

/**
 * What is scarce: the threads that search and the one that serves, where the archive and the index are files. One request
 * more keeps all of them busy; with many more, requests only wait for each other, and make the event loop's turns longer. On
 * servers a request mostly waits for their answers.
 */
export function placesFor(searchThreads: number, isRemote: boolean): number {
  return isRemote ? 64 : searchThreads + 2
}

export function createAdmission(
  { other, elsewhere = ELSEWHERE_PLACES }: Places,
  time: Time,
  onRefused: () => void = () => {},
): Admission {
  const lines = {
    other: createLine(other, time),
    elsewhere: createLine(elsewhere, time),
    // A message may still be arriving, and its calls need places of their own: it only waits for its turn.
    mcp: createLine(Infinity, time),
  }

  function join(kind: Kind, start: Start, refuse: () => void): () => void {
    return lines[kind].join(start, () => {
      onRefused()
      refuse()
    })
  }

  return {
    join: (url, start, refuse) => join(kindOf(url), start, refuse),
    enter: (kind) => new Promise((resolve, reject) => void join(kind, resolve, () => reject(BUSY))),
    get atWork() {
      return lines.other.atWork + lines.elsewhere.atWork
    },
  }
}
