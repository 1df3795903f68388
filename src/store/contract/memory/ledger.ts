import type { Clock } from '../../../model/clock.ts'
import { withSecret, type KeyRecord, type Ledger, type Usage } from '../../ledger.ts'
import { chargeWindow, isRunning } from '../../usage-rules.ts'

export function createLedger(clock: Clock): Ledger {
  const keys = new Map<string, KeyRecord>()
  const windows = new Map<string, Usage & { readonly endsAt: number }>()
  const windowKey = (caller: string, policy: string) => JSON.stringify([caller, policy])
  const change = (id: string, fields: Partial<KeyRecord>) => {
    const key = keys.get(id)
    if (key) keys.set(id, { ...key, ...fields })
    return key !== undefined
  }
  return {
    async addKey({ secretHash, ...key }) {
      if (keys.has(key.id)) throw new Error(`the key ${key.id} is there already`)
      const fresh = { revokedAt: null, lastUsedAt: null, secretHashes: [secretHash] }
      keys.set(key.id, { ...key, ...fresh })
    },
    async key(id) {
      return keys.get(id)
    },
    async keys() {
      return [...keys.values()].toSorted(
        (a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
      )
    },
    async addSecret(id, secretHash) {
      const key = keys.get(id)
      if (!key || key.revokedAt !== null) return false
      return change(id, { secretHashes: withSecret(key.secretHashes, secretHash) })
    },
    async revokeKey(id, at) {
      return change(id, { revokedAt: keys.get(id)?.revokedAt ?? at })
    },
    async touchKey(id, at) {
      change(id, { lastUsedAt: Math.max(keys.get(id)?.lastUsedAt ?? 0, at) })
    },
    async charge({ caller, policy, ...request }) {
      const now = clock.now()
      const next = chargeWindow(windows.get(windowKey(caller, policy)), { ...request, now })
      const { startedAt, used, granted } = next
      if (granted > 0) {
        const endsAt = startedAt + request.windowMs
        windows.set(windowKey(caller, policy), { startedAt, used, endsAt })
      }
      return next
    },
    async refund({ caller, policy, startedAt, amount }) {
      const row = windows.get(windowKey(caller, policy))
      if (row?.startedAt !== startedAt) return
      windows.set(windowKey(caller, policy), { ...row, used: Math.max(0, row.used - amount) })
    },
    async usage(caller, policy, windowMs) {
      const row = windows.get(windowKey(caller, policy))
      if (!row || !isRunning(row.startedAt, windowMs, clock.now())) return undefined
      return { startedAt: row.startedAt, used: row.used }
    },
    async sweep() {
      const now = clock.now()
      for (const [key, row] of windows) if (row.endsAt <= now) windows.delete(key)
    },
  }
}
