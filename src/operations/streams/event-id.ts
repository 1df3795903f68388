import { errorOf } from '../../model/errors.ts'
import type { LogBounds } from '../../store/events.ts'

/** The id of an event as clients see it: the name of the log and the event's number in it. */
export function printEventId(log: string, seq: number): string {
  return `${log}-${seq}`
}

/** Where a reader resumes, and what it missed. `resume` throws `invalid_parameter` for something that is not an id. */
interface Resumed {
  readonly seq: number
  readonly gap: 'forgotten' | 'unknown_id' | null
}

export function resume(id: string | undefined, bounds: LogBounds): Resumed {
  if (id === undefined) return { seq: bounds.last, gap: null }
  const [, log, number] = /^([0-9a-f]{1,16})-(\d{1,15})$/.exec(id) ?? []
  if (log === undefined) {
    const detail = 'expected the id of an event of a stream, such as `3fa92b1c-1042`'
    throw errorOf({ parameter: 'since_id', code: 'invalid_parameter', detail })
  }
  const seq = Number(number)
  // From another log, as after restoring a backup, or a number that this log has not reached.
  if (log !== bounds.log || seq > bounds.last) return { seq: bounds.last, gap: 'unknown_id' }
  return seq < bounds.forgotten ? { seq: bounds.forgotten, gap: 'forgotten' } : { seq, gap: null }
}
