import type { Clock } from '../model/clock.ts'
import type { Change, Changes } from '../store/changes.ts'

/** A claim outlives a dead holder by no more than this; a living one keeps renewing it. */
const CLAIM_MS = 30_000

/** Changes that are claimed until they are done or released. */
export interface ClaimedChanges {
  readonly changes: readonly Change[]
  /** Rejects when the claim was lost, as while the process was suspended: others may have indexed newer states since. */
  expectClaimed(): Promise<void>
  done(): Promise<void>
  /** Never rejects: a claim that cannot be released runs out by itself. */
  release(): Promise<void>
}

/** Claims changes; undefined when none wait. After a crash the next claim gets them again: at worst they are indexed twice. */
export async function claimChanges(
  changes: Changes,
  { consumer, limit, clock }: { consumer: string; limit: number; clock: Clock },
): Promise<ClaimedChanges | undefined> {
  let claimedSince = clock.elapsed()
  const claim = await changes.claim(consumer, { limit, ttlMs: CLAIM_MS })
  if (!claim) return undefined
  async function renew(): Promise<boolean> {
    const askedSince = clock.elapsed()
    const isClaimed = await changes.renew(claim!, CLAIM_MS)
    if (isClaimed) claimedSince = askedSince
    return isClaimed
  }
  const renewal = setInterval(() => {
    // If it cannot be renewed, the claim runs out.
    renew().catch(() => {})
  }, CLAIM_MS / 3)
  renewal.unref()
  return {
    changes: claim.changes,
    async expectClaimed() {
      if (clock.elapsed() - claimedSince < CLAIM_MS) return
      if (!(await renew())) throw new Error('the changes were held for too long, others have them')
    },
    done() {
      clearInterval(renewal)
      return changes.done(claim)
    },
    release() {
      clearInterval(renewal)
      return changes.release(claim).catch(() => {})
    },
  }
}
