import { pause, type Clock } from './clock.ts'

/** Runs until it is disposed of. */
interface Deadline extends Disposable {
  /** Aborted once the time is over. */
  readonly signal: AbortSignal
}

/** Like `AbortSignal.timeout`, but by the clock that is passed in, and cancelled once the work is done. */
export function startDeadline(clock: Clock, ms: number, why = `not done in ${ms} ms`): Deadline {
  const late = new AbortController()
  const done = new AbortController()
  void pause(clock, ms, done.signal).then(() => {
    if (!done.signal.aborted) late.abort(new Error(why))
  })
  return { signal: late.signal, [Symbol.dispose]: () => done.abort() }
}
