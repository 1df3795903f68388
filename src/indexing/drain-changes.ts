import type { Change, Changes } from '../store/changes.ts'

/** A claim outlives its drainer by no more than this; a living one keeps renewing it. */
const CLAIM_MS = 30_000

/**
 * Claims a batch, hands it over, forgets it. A crash, or a handler that fails, leaves the changes to the next drainer;
 * told twice is the worst that happens. Resolves to how many were handed over.
 */
export async function drainChanges(
  changes: Changes,
  consumer: string,
  limit: number,
  handle: (changes: readonly Change[]) => Promise<void>,
): Promise<number> {
  const claim = await changes.claim(consumer, { limit, ttlMs: CLAIM_MS })
  if (!claim) return 0
  const renewal = setInterval(() => {
    // A claim that could not be renewed runs out.
    changes.renew(claim, CLAIM_MS).catch(() => {})
  }, CLAIM_MS / 3)
  renewal.unref()
  try {
    await handle(claim.changes)
  } catch (error) {
    await changes.release(claim)
    throw error
  } finally {
    clearInterval(renewal)
  }
  await changes.done(claim)
  return claim.changes.length
}
