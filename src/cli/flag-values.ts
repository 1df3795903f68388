import { systemClock } from '../model/clock.ts'
import { nearestInstant, parseInstant } from '../text/parse-instant.ts'
import { fileOf } from './caller-folder.ts'
import { UsageError, type CommandCall } from './command.ts'

/** What a flag says; null when it is not given. */
export function textFlag({ flags }: Pick<CommandCall, 'flags'>, flag: string): string | null {
  const given = flags[flag]
  return typeof given === 'string' ? given : null
}

/** The file or folder that a flag names, relative to the caller's folder. */
export function pathFlag(call: CommandCall, flag: string): string | null {
  const given = textFlag(call, flag)
  return given === null ? null : fileOf(call, given)
}

/** The time that a flag names. */
export function instantFlag(call: CommandCall, flag: string): number | null {
  const given = textFlag(call, flag)
  if (given === null) return null
  const now = systemClock.now()
  const at = parseInstant(given, now)
  if (at !== undefined) return at
  const nearest = nearestInstant(given, now)
  const meant = nearest === undefined ? '' : `, did you mean ${nearest}?`
  throw new UsageError(
    `expected --${flag} as a date, an age such as 90d or a day such as yesterday; found ${JSON.stringify(given)}${meant}`,
  )
}
