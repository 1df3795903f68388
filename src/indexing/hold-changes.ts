import type { Clock } from '../model/clock.ts'
import type { Change, Changes } from '../store/changes.ts'

/** A claim outlives its holder by no more than this; a living one keeps renewing it. */
const CLAIM_MS = 30_000

/** Changes that are ours until they are forgotten, or left to the next who asks. */
export interface HeldChanges {
  readonly changes: readonly Change[]
  /** Rejects when the claim ran out, as while the process was stopped: others may have told newer things since. */
  expectHeld(): Promise<void>
  done(): Promise<void>
  /** Never rejects: a claim that cannot be given back runs out. */
  release(): Promise<void>
}

/** A crash leaves the changes to the next who asks: told twice is the worst that happens. Undefined where none wait. */
export async function holdChanges(
  changes: Changes,
  { consumer, limit, clock }: { consumer: string; limit: number; clock: Clock },
): Promise<HeldChanges | undefined> {
  let heldSince = clock.elapsed()
  const claim = await changes.claim(consumer, { limit, ttlMs: CLAIM_MS })
  if (!claim) return undefined
  async function renew(): Promise<boolean> {
    const askedSince = clock.elapsed()
    const isHeld = await changes.renew(claim!, CLAIM_MS)
    if (isHeld) heldSince = askedSince
    return isHeld
  }
  const renewal = setInterval(() => {
    // A claim that could not be renewed runs out.
    renew().catch(() => {})
  }, CLAIM_MS / 3)
  renewal.unref()
  return {
    changes: claim.changes,
    async expectHeld() {
      if (clock.elapsed() - heldSince < CLAIM_MS) return
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
