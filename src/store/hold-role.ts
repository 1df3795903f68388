import { createOwner } from './owner.ts'
import type { RoleLease, Roles } from './roles.ts'

interface HoldOptions {
  /** Nobody takes the role over within this; it is renewed three times as often. */
  readonly ttlMs: number
  /** The role went to another process, after a pause that was too long. */
  readonly onLost?: () => void
}

/** Holds a role until disposed of; undefined while another process has it. */
export async function holdRole(
  roles: Roles,
  name: string,
  { ttlMs, onLost }: HoldOptions,
): Promise<AsyncDisposable | undefined> {
  let lease: RoleLease | undefined = await roles.acquire(name, createOwner(), ttlMs)
  if (!lease) return undefined

  async function renew(): Promise<void> {
    if (!lease) return
    const kept = await roles.renew(lease, ttlMs)
    // Let go meanwhile.
    if (!lease) return
    lease = kept
    if (!kept) onLost?.()
  }

  const renewal = setInterval(() => {
    // A store that does not answer is asked again; a lease that ran out meanwhile is lost to whoever takes it.
    renew().catch(() => {})
  }, ttlMs / 3)
  renewal.unref()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(renewal)
      const held = lease
      lease = undefined
      // One that cannot be given back runs out.
      if (held) await roles.release(held).catch(() => {})
    },
  }
}
