import { Draft } from './draft.ts'
import type { Known, Plan, Wanted, Writes } from './rows.ts'

/** Runs a plan and writes its draft in one transaction; both start over when the transaction has to be retried. */
export type RunPlan = <T>(plan: (draft: Draft) => Plan<T>) => Promise<T>

/** For synchronous adapters; the asynchronous ones do the same with `await`. */
export function runPlanSync<T>(
  plan: (draft: Draft) => Plan<T>,
  rows: { load(wanted: Wanted): Known; write(writes: Writes): void },
): T {
  const draft = new Draft()
  const steps = plan(draft)
  let step = steps.next()
  while (!step.done) step = steps.next(rows.load(step.value))
  rows.write(draft.writes())
  return step.value
}
