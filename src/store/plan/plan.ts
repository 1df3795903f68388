import type { Known, Wanted, Writes } from './rows.ts'

/**
 * What an event changes: a pure function that asks for rows by `yield` and returns what to write. Each `yield` is one
 * round trip for an adapter over a network, so a plan asks for all it can foresee at once, and again only where it met
 * something rare.
 */
export type Plan<T> = Generator<Wanted, Planned<T>, Known>

export interface Planned<T> {
  readonly result: T
  readonly writes: Writes
}

/** Part of a plan. */
export type Asking<T> = Generator<Wanted, T, Known>

/** Runs a plan in one transaction, from its beginning again where the transaction has to be. */
export type RunPlan = <T>(make: () => Plan<T>) => Promise<T>

/** For adapters that answer at once; the others do the same with `await`. */
export function carryOut<T>(
  plan: Plan<T>,
  rows: { load(wanted: Wanted): Known; write(writes: Writes): void },
): T {
  let step = plan.next()
  while (!step.done) step = plan.next(rows.load(step.value))
  rows.write(step.value.writes)
  return step.value.result
}
