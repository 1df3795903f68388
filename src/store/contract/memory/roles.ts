import type { Clock } from '../../../model/clock.ts'
import type { RoleLease, Roles } from '../../roles.ts'
import { isLeaseValid } from '../../schedule-rules.ts'

export function createRoles(clock: Clock): Roles {
  const roles = new Map<string, { token: number; owner: string | null; until: number }>()
  const held = ({ name, owner, token }: RoleLease) => {
    const kept = roles.get(name)
    return kept?.owner === owner && kept.token === token ? kept : undefined
  }
  return {
    async acquire(name, owner, ttlMs) {
      const kept = roles.get(name) ?? { token: 0, owner: null, until: 0 }
      const isHeld = kept.owner !== null && isLeaseValid(kept.until, clock.now())
      if (isHeld && kept.owner !== owner) return undefined
      const lease = { owner, token: kept.token + 1, until: clock.now() + ttlMs }
      roles.set(name, lease)
      return { name, ...lease }
    },
    async renew(lease, ttlMs) {
      const kept = held(lease)
      if (!kept) return undefined
      kept.until = clock.now() + ttlMs
      return { ...lease, until: kept.until }
    },
    async release(lease) {
      Object.assign(held(lease) ?? {}, { owner: null, until: 0 })
    },
    async holder(name) {
      return roles.get(name)?.owner ?? undefined
    },
  }
}
