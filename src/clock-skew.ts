import type { Clock } from './model/clock.ts'
import type { Store } from './store/store.ts'

const MAX_SKEW_MS = 2_000

/** How far the store's clock is ahead of ours, as exactly as the round trip allows. */
export async function skewOf(store: Pick<Store, 'ping'>, clock: Clock): Promise<number> {
  const askedAt = clock.now()
  const told = await store.ping()
  const answeredAt = clock.now()
  if (told < askedAt) return told - askedAt
  return told > answeredAt ? told - answeredAt : 0
}

/** Leases, quotas and the budget use the store's clock, windows and dates ours, so the two must not be far apart. */
export function isSkewTooLarge(skewMs: number): boolean {
  return Math.abs(skewMs) > MAX_SKEW_MS
}

export function describeSkew(skewMs: number): string {
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  return `the store’s clock is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} ours`
}
