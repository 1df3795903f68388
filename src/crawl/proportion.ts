import type { ChannelPage } from '../telegram/source.ts'

/** Posts of a page follow each other; even a channel that deletes much leaves no hole like this between two of them. */
const MAX_JUMP = 100_000

/**
 * The page without numbers that stand out of all proportion above the others: one such number, believed, would put the
 * cursor above every post that is still to come. Pure.
 */
export function inProportion(page: ChannelPage, newestNumber: number | null): ChannelPage {
  const numbers = [...page.numbers]
  while (numbers.length > 0) {
    const below = Math.max(numbers.at(-2) ?? 0, newestNumber ?? 0)
    // A page of one post is all that a first visit knows.
    if (below === 0 || numbers.at(-1)! - below <= MAX_JUMP) break
    numbers.pop()
  }
  if (numbers.length === page.numbers.length) return page
  const highest = numbers.at(-1) ?? 0
  return { ...page, numbers, posts: page.posts.filter((post) => post.number <= highest) }
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
