/**
 * The one way to do long work on the main thread. A loop that awaits only what is there already, such as rows of SQLite,
 * is one turn of the event loop, however long: nothing else is read, answered or timed until it ends. So long work is done
 * in pieces, and awaits `turn()` between any two. All such work together gets a slice of each turn; what is left of it waits
 * in line for the next one.
 *
 * This module measures real time, whatever clock a test passes around: an event loop is not held up by any other.
 */

/** How long work of one kind may take of a turn. A search passes through the event loop a handful of times. */
const SLICE_MS = 2

interface Line {
  readonly waiting: (() => void)[]
  /** When work of this kind began in the present turn; undefined if none has. */
  begunMs: number | undefined
  /** Those who wait go on in this turn, one after the other. */
  isMoving: boolean
}

const replies: Line = { waiting: [], begunMs: undefined, isMoving: false }
const spare: Line = { waiting: [], begunMs: undefined, isMoving: false }
let isTurnPlanned = false

/** Awaited between two pieces of work: goes on in the next turn of the event loop if enough was done in this one. */
export function turn(): Promise<void> {
  return waitIn(replies)
}

/** The same for work for which nobody waits: however much there is of it, it gets one slice and replies another. */
export function spareTurn(): Promise<void> {
  return waitIn(spare)
}

/** Maps items in pieces of one item each. */
export async function mapInTurns<T, V>(
  items: readonly T[],
  view: (item: T, i: number) => V,
): Promise<V[]> {
  await turn()
  const made: V[] = []
  for (const [i, item] of items.entries()) {
    if (isSpent(replies)) await turn()
    made.push(view(item, i))
  }
  return made
}

function waitIn(line: Line): Promise<void> {
  return new Promise((resolve) => {
    line.waiting.push(resolve)
    move(line)
  })
}

function move(line: Line): void {
  if (line.isMoving || line.waiting.length === 0 || isSpent(line)) return
  line.isMoving = true
  // After all microtasks, and so once the piece of work before has ended or waits in line again.
  process.nextTick(() => {
    line.isMoving = false
    begin(line)
    line.waiting.shift()!()
    queueMicrotask(() => move(line))
  })
}

function isSpent({ begunMs }: Line): boolean {
  return begunMs !== undefined && performance.now() - begunMs >= SLICE_MS
}

function begin(line: Line): void {
  line.begunMs ??= performance.now()
  if (isTurnPlanned) return
  isTurnPlanned = true
  setImmediate(nextTurn)
}

function nextTurn(): void {
  isTurnPlanned = false
  for (const line of [replies, spare]) {
    line.begunMs = undefined
    move(line)
  }
}
