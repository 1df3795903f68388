import type { ChannelPage } from '../telegram/source.ts'

/** Posts of a page follow each other; even a channel that deletes much leaves no hole like this between two of them. */
const MAX_JUMP = 100_000

/** Below this a hole is nothing odd: twenty albums use up as many numbers. Above it, it is held against what the page shows. */
const MIN_HOLE = 200
const HOLE_TO_SPAN = 10

/**
 * The page without numbers that stand out of all proportion above the others: one such number, believed, would put the
 * cursor above every post that is still to come. Of those far below the others, see `aboveHole`. Pure.
 */
export function inProportion(page: ChannelPage, newestNumber: number | null): ChannelPage {
  const numbers = [...page.numbers]
  while (numbers.length > 0) {
    const below = Math.max(numbers.at(-2) ?? 0, newestNumber ?? 0)
    // A page of one post is all that a first visit knows.
    if (below === 0 || numbers.at(-1)! - below <= MAX_JUMP) break
    numbers.pop()
  }
  if (numbers.length === page.numbers.length) return aboveHole(page)
  const highest = numbers.at(-1) ?? 0
  const posts = page.posts.filter((post) => post.number <= highest)
  return aboveHole({ ...page, numbers, posts })
}

/**
 * The page with the numbers it can account for: those above a hole out of all proportion. Posts below the hole are kept, but one
 * of them, believed, would pass for the join with the archive, and nobody would ask for what lies between. Where the hole
 * is real, the next page shows what is below it. Pure.
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
 * Does the page go back beyond this time? Numbers grow with time, so its two lowest posts tell: one post alone may have
 * a wrong date, and the walk would end there. Pure.
 */
export function goesBackTo(until: number, { numbers, posts }: ChannelPage): boolean {
  const lowest = posts.filter((post) => post.number >= (numbers[0] ?? 0)).slice(0, 2)
  return lowest.length > 0 && lowest.every((post) => post.publishedAt < until)
}

/** A cursor that is right stands among posts; more than these above the page, and it is the page that is odd. */
const MAX_STRAY = 20

/**
 * The cursor as far as it can be believed; null, as before a first visit, where one absurd number has put it above all
 * that the page shows. The walk that follows reads what was missed meanwhile. `countAbove`: posts archived above a number.
 */
export async function soundCursor(
  page: ChannelPage,
  newestNumber: number | null,
  countAbove: (number: number) => Promise<number>,
): Promise<number | null> {
  if (newestNumber === null) return null
  const highest = inProportion(page, null).numbers.at(-1) ?? 0
  if (newestNumber - highest <= MAX_JUMP) return newestNumber
  return (await countAbove(highest)) <= MAX_STRAY ? null : newestNumber
}
