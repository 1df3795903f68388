import { pause, type Clock } from './clock.ts'

/** Until it is disposed of, time runs. */
interface Deadline extends Disposable {
  /** Aborted once the time is over. */
  readonly signal: AbortSignal
}

/** `AbortSignal.timeout` by a clock that tests own, and that ends with the work. */
export function startDeadline(clock: Clock, ms: number, why = `not done in ${ms} ms`): Deadline {
  const late = new AbortController()
  const done = new AbortController()
  void pause(clock, ms, done.signal).then(() => {
    if (!done.signal.aborted) late.abort(new Error(why))
  })
  return { signal: late.signal, [Symbol.dispose]: () => done.abort() }
}
