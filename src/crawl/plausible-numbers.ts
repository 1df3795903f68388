import { MAX_ALBUM, MAX_POST_NUMBER } from '../model/post.ts'
import type { ChannelPage } from '../telegram/source.ts'

/** The posts of a page follow each other; even a channel that deletes a lot leaves no hole this large between two of them. */
const MAX_JUMP = 100_000

/** A smaller hole is normal: twenty albums use up as many numbers. A larger one is compared with the span of the page. */
const MIN_HOLE = 200
const HOLE_TO_SPAN = 10

/**
 * The page without numbers that are far too high: one such number, if believed, would put the cursor above every future
 * post. For numbers that are far too low, see `aboveHole`. Pure.
 */
export function withPlausibleNumbers(page: ChannelPage, newestNumber: number | null): ChannelPage {
  const numbers = [...page.numbers]
  while (numbers.length > 0) {
    const below = Math.max(numbers.at(-2) ?? 0, newestNumber ?? 0)
    // For a first visit with a page of one post there is nothing to compare with.
    if (below === 0 || numbers.at(-1)! - below <= MAX_JUMP) break
    numbers.pop()
  }
  if (numbers.length === page.numbers.length) return aboveHole(page)
  const highest = numbers.at(-1) ?? 0
  const posts = page.posts.filter((post) => post.number <= highest)
  return aboveHole({ ...page, numbers, posts })
}

/**
 * The page with only the numbers it can account for: those above a hole that is far too large. Posts below the hole are kept,
 * but if their numbers counted, the walk would seem to have reached the archive, and nobody would read what lies between. If
 * the hole is real, the next page shows what is below it. Pure.
 */
export function aboveHole(page: ChannelPage): ChannelPage {
  const { numbers } = page
  const highest = numbers.at(-1) ?? 0
  const first = numbers.findLastIndex((number, i) => {
    const hole = number - (numbers[i - 1] ?? number)
    return hole > Math.max(MIN_HOLE, HOLE_TO_SPAN * (highest - number))
  })
  return first < 0 ? page : { ...page, numbers: numbers.slice(first) }
}

/**
 * Whether the page goes back beyond this time. Numbers grow with time, so its two lowest posts decide: a single post may
 * have a wrong date, and the walk would end there. Pure.
 */
export function goesBackTo(until: number, { numbers, posts }: ChannelPage): boolean {
  const lowest = posts.filter((post) => post.number >= (numbers[0] ?? 0)).slice(0, 2)
  return lowest.length > 0 && lowest.every((post) => post.publishedAt < until)
}

/** If more archived posts than this are above the page, the cursor is right and the page is wrong. */
const MAX_STRAY = 20

/** How many archived numbers are searched for a hole. A deleted album leaves a smaller one than counts here. */
const LOOKED_BACK = 200

/**
 * The cursor, if it can be believed. A wrong number may have put it too high while the numbers below it were still to come. If
 * it is above the page, unread posts prove that: then it is the newest archived post that is not above the page, so that the
 * walk reads what was missed meanwhile. A live read may have archived posts above those that were missed, so it is below any
 * hole that these would leave. If later posts have reached it, it is below the hole beneath it, unless the page shows that.
 */
export async function plausibleCursor(
  page: ChannelPage,
  newestNumber: number | null,
  archived: (from: number, to: number, newest: number) => Promise<readonly number[]>,
): Promise<number | null> {
  if (newestNumber === null) return null
  const { numbers } = withPlausibleNumbers(page, null)
  const [lowest = 0] = numbers
  const highest = numbers.at(-1) ?? 0
  if (newestNumber <= highest) {
    const [last = newestNumber] = await archived(1, newestNumber - 1, 1)
    const isShown = last >= (page.numbers[0] ?? 0) - 1
    return isShown || last === newestNumber - 1 ? newestNumber : last
  }
  const above = await archived(highest + 1, MAX_POST_NUMBER, MAX_STRAY + 1)
  if (above.length > MAX_STRAY) return newestNumber
  const near = await archived(1, highest, LOOKED_BACK)
  // The page itself shows which of its numbers there are.
  const below = [...near.filter((number) => number < lowest), lowest]
  const belowHole = below.find((number, i) => below[i + 1]! - number > MAX_ALBUM)
  if (belowHole !== undefined) return belowHole
  const newest = near.at(-1) ?? null
  return newest === highest ? newestNumber : newest
}
