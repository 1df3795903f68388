import { setImmediate as breathe } from 'node:timers/promises'

/** Looked at in one turn of the event loop: some ten milliseconds of work, where a text is as costly as texts get. */
const CHARS_A_TURN = 16_000

/** What `view` makes of each, with pauses in which other requests are answered: texts are long, and pages hold a hundred. */
export async function inTurns<T, V>(
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
      await breathe()
    }
    made.push(view(item, i))
  }
  return made
}

export function charsOf({ text }: { readonly text: string | null }): number {
  return text?.length ?? 0
}
