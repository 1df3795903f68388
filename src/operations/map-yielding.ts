import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

/** How many characters are handled in one turn of the event loop: some ten milliseconds of work for the costliest texts. */
const CHARS_A_TURN = 16_000

/**
 * Maps items with `view`, pausing so that other requests are answered in between: texts are long, and a page holds a
 * hundred.
 */
export async function mapYielding<T, V>(
  items: readonly T[],
  charsOf: (item: T, i: number) => number,
  view: (item: T, i: number) => V,
): Promise<V[]> {
  const made: V[] = []
  let chars = 0
  for (const [i, item] of items.entries()) {
    chars += charsOf(item, i)
    if (chars > CHARS_A_TURN && i > 0) {
      chars = charsOf(item, i)
      await yieldToEventLoop()
    }
    made.push(view(item, i))
  }
  return made
}

export function charsOf({ text }: { readonly text: string | null }): number {
  return text?.length ?? 0
}

/** Of two wordings, which are compared with each other. */
export function charsOfBoth({
  before,
  after,
}: {
  readonly before: string | null
  readonly after: string | null
}): number {
  return charsOf({ text: before }) + charsOf({ text: after })
}
