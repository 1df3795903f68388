import { systemClock } from '../model/clock.ts'
import { compareStores } from '../store/move/compare-stores.ts'
import { moveStore } from '../store/move/move-store.ts'
import type { Store } from '../store/store.ts'
import { beginCopy } from '../store/unfinished-copy.ts'
import type { Printer } from './print.ts'
import { createProgress } from './progress.ts'

/**
 * Copies everything into an empty store and verifies the copy; `problems` is empty when both are equal. Until then it is marked
 * as an unfinished copy.
 */
export async function copyStore(from: Store, to: Store, print: Printer, signal: AbortSignal) {
  const unfinished = await beginCopy(to)
  const { posts: total } = await from.archive.totals()
  const progress = createProgress(print, systemClock, 'copying', 'posts')
  const onProgress = (done: number) => progress.update(done, Math.max(done, total))
  const moved = await moveStore({ from, to, at: systemClock.now(), signal, onProgress })
  print.progress('comparing both …')
  const problems = await compareStores(from, to, signal)
  if (problems.length === 0) await unfinished.finish()
  progress.end()
  return { moved, problems }
}

/** Verifies a whole store; returns its problems. */
export async function verifyStore(
  store: Pick<Store, 'verify'>,
  print: Printer,
): Promise<readonly string[]> {
  const progress = createProgress(print, systemClock, 'verifying', 'steps')
  const problems = await store.verify((done, total) => progress.update(done, total))
  progress.end()
  return problems
}
