import type { Context } from './context.ts'
import { resolve } from './parameters.ts'

type Times = readonly (string | undefined)[]

/**
 * A list that is read page by page. The first page resolves times such as `24h`, and the cursor carries them, so that they
 * do not move during the walk.
 */
export function readWalk<const T extends Times>(
  { clock, cursors }: Pick<Context, 'clock' | 'cursors'>,
  bound: unknown,
  { cursor, tz, times }: { cursor?: string | undefined; tz?: string | undefined; times: T },
) {
  const now = clock.now()
  const position = cursor === undefined ? null : cursors.decode(cursor, bound)
  const settled = times.map((given, i) => {
    if (position === null) return resolve(given, now, tz)
    const at = position[i]
    return typeof at === 'number' ? at : null
  })
  return {
    now,
    times: settled as { [K in keyof T]: number | null },
    /** Where the page before ended; null on the first page. */
    after: position?.[times.length] ?? null,
    cursorOf(next: number | string | null): string | null {
      return next === null ? null : cursors.encode(bound, [...settled.map((at) => at ?? ''), next])
    },
  }
}
