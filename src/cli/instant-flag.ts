import { systemClock } from '../model/clock.ts'
import { nearestInstant, parseInstant } from '../text/parse-instant.ts'
import { UsageError, type CommandCall } from './command.ts'

/** A flag that names a time; null when it is not given. */
export function instantFlag(call: CommandCall, flag: string): number | null {
  const given = call.flags[flag]
  if (typeof given !== 'string') return null
  const now = systemClock.now()
  const at = parseInstant(given, now)
  if (at !== undefined) return at
  const nearest = nearestInstant(given, now)
  const meant = nearest === undefined ? '' : `, did you mean ${nearest}?`
  throw new UsageError(
    `expected --${flag} as a date, an age such as 90d or a day such as yesterday; found ${JSON.stringify(given)}${meant}`,
  )
}
