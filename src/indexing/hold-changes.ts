import type { Change, Changes } from '../store/changes.ts'

/** A claim outlives its holder by no more than this; a living one keeps renewing it. */
const CLAIM_MS = 30_000

/** Changes that are ours until they are forgotten, or left to the next who asks. */
export interface HeldChanges {
  readonly changes: readonly Change[]
  done(): Promise<void>
  /** Never rejects: a claim that cannot be given back runs out. */
  release(): Promise<void>
}

/** A crash leaves the changes to the next who asks: told twice is the worst that happens. Undefined where none wait. */
export async function holdChanges(
  changes: Changes,
  consumer: string,
  limit: number,
): Promise<HeldChanges | undefined> {
  const claim = await changes.claim(consumer, { limit, ttlMs: CLAIM_MS })
  if (!claim) return undefined
  const renewal = setInterval(() => {
    // A claim that could not be renewed runs out.
    changes.renew(claim, CLAIM_MS).catch(() => {})
  }, CLAIM_MS / 3)
  renewal.unref()
  return {
    changes: claim.changes,
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
