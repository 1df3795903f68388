import { createOwner } from './owner.ts'
import type { RoleLease, Roles } from './roles.ts'

interface LeaseOptions {
  /** How long the lease lasts; it is renewed every third of that. */
  readonly ttlMs: number
  /** Called when another process has taken the role because this one paused for too long. */
  readonly onLost?: () => void
}

/** Acquires a role and renews its lease until disposed of. Undefined when another process holds it. */
export async function acquireRole(
  roles: Roles,
  name: string,
  { ttlMs, onLost }: LeaseOptions,
): Promise<AsyncDisposable | undefined> {
  let lease: RoleLease | undefined = await roles.acquire(name, createOwner(), ttlMs)
  if (!lease) return undefined

  async function renew(): Promise<void> {
    if (!lease) return
    const kept = await roles.renew(lease, ttlMs)
    // It was disposed of meanwhile.
    if (!lease) return
    lease = kept
    if (kept) return
    clearInterval(renewal)
    onLost?.()
  }

  const renewal = setInterval(() => {
    // When the store does not answer, the next turn tries again; the lease is lost only once another process takes it.
    renew().catch(() => {})
  }, ttlMs / 3)
  renewal.unref()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(renewal)
      const held = lease
      lease = undefined
      // A lease that cannot be released runs out by itself.
      if (held) await roles.release(held).catch(() => {})
    },
  }
}
