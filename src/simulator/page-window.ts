import type { SimChannel } from './population.ts'
import { hash32 } from './random.ts'
import type { Slot } from './timeline.ts'
import type { World } from './world.ts'

/** Which posts a page holds, and its links to older and newer posts. */
export interface PageWindow {
  readonly slots: readonly Slot[]
  /** Cursor to older posts; null when the page offers none. */
  readonly before: number | null
  /** Cursor to newer posts; '' stands for the link without a value that the platform shows on `before=1`. */
  readonly after: number | '' | null
}

export interface PageRequest {
  readonly before: number | null
  readonly after: number | null
  readonly around: number | null
  readonly q: string | null
}

/** A page holds this many numbers; an album that begins on it is shown whole. */
const PAGE_NUMBERS = 20
/** How many posts a search looks through, newest first. */
const SEARCH_DEPTH = 4000
/** Searches end after this many hits, even if more posts match. */
const SEARCH_HITS = 60

export function pageWindow(
  world: World,
  channel: SimChannel,
  at: number,
  request: PageRequest,
): PageWindow {
  if (request.q !== null) return searchWindow(world, channel, at, request.q, request.before)
  const timeline = world.timeline(channel)
  const end = timeline.countUntil(at)
  const { slots } = timeline
  const shows = (i: number) => (slots[i] as Slot).deletedAt > at
  /** The index of the first slot whose number is not below `number`. */
  const indexOf = (number: number) => {
    let low = 0
    let high = end
    while (low < high) {
      const middle = (low + high) >> 1
      if ((slots[middle] as Slot).number < number) low = middle + 1
      else high = middle
    }
    return low
  }
  const backwards = (from: number, wanted: number): number[] => {
    const found: number[] = []
    let numbers = 0
    for (let i = from; i >= 0 && numbers < wanted; i--) {
      if (!shows(i)) continue
      found.unshift(i)
      numbers += (slots[i] as Slot).size
    }
    return found
  }
  const forwards = (from: number, wanted: number): number[] => {
    const found: number[] = []
    let numbers = 0
    for (let i = from; i < end && numbers < wanted; i++) {
      if (!shows(i)) continue
      found.push(i)
      numbers += (slots[i] as Slot).size
    }
    return found
  }
  const { before, after, around } = request
  let found: number[]
  if (around !== null) {
    const middle = indexOf(around)
    found = [...backwards(middle - 1, 10), ...forwards(middle, 10)]
  } else if (after !== null) found = forwards(indexOf(after + 1), PAGE_NUMBERS)
  else found = backwards((before === null ? end : indexOf(before)) - 1, PAGE_NUMBERS)
  const first = found[0]
  const last = found.at(-1)
  if (first === undefined || last === undefined) {
    return { slots: [], before: null, after: before === null ? null : '' }
  }
  const smallest = (slots[first] as Slot).number
  const largest = (slots[last] as Slot).number + (slots[last] as Slot).size - 1
  const hasOlder = backwards(first - 1, 1).length > 0
  // The link is sometimes missing although older posts exist.
  const isLost = hash32(world.seed, 14, channel.index, smallest) % 50 === 0
  return {
    slots: found.map((i) => slots[i] as Slot),
    before: hasOlder && !isLost ? smallest : null,
    after: forwards(last + 1, 1).length > 0 ? largest : null,
  }
}

function searchWindow(
  world: World,
  channel: SimChannel,
  at: number,
  q: string,
  before: number | null,
): PageWindow {
  const words = searchWords(q)
  const timeline = world.timeline(channel)
  const end = timeline.countUntil(at)
  const hits: Slot[] = []
  for (let i = end - 1; i >= Math.max(0, end - SEARCH_DEPTH) && hits.length < SEARCH_HITS; i--) {
    const slot = timeline.slots[i] as Slot
    if (slot.deletedAt <= at) continue
    const text = world.truth.shownAt(channel, slot, at).post.text.toLowerCase()
    if (words.length > 0 && words.every((word) => text.includes(word))) hits.push(slot)
  }
  const older = hits.filter((slot) => before === null || slot.number < before)
  const page = older.slice(0, PAGE_NUMBERS)
  const rest = older.length > page.length
  return {
    slots: page.reverse(),
    before: rest ? (page[0] as Slot).number : null,
    after: null,
  }
}

export function searchWords(q: string): string[] {
  return q.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10)
}
