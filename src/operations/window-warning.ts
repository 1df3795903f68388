import { HOUR_MS } from '../model/time.ts'
import type { Warning } from './warnings.ts'
import { viewTime } from './views/common.ts'

/** Posts are dated by the platform, whose clock may be a little ahead of ours. */
export const CLOCK_SKEW_MS = HOUR_MS

/** A window in which no post can be is no error, since clocks differ, but is hardly what the caller meant. */
export function windowWarning(
  since: number | null,
  until: number | null,
  now: number,
  parameter: string,
): Warning[] {
  if (since === null) return []
  const problem =
    until !== null && since >= until
      ? `the window begins at ${viewTime(since)}, not before its end at ${viewTime(until)}`
      : since > now + CLOCK_SKEW_MS
        ? `the window begins in the future, at ${viewTime(since)}`
        : undefined
  return problem === undefined
    ? []
    : [{ code: 'window_empty', parameter, detail: `${problem}: no post can match` }]
}
