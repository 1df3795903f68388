import type { PolicyState } from '../access/quota.ts'
import { POLICIES, type Tier } from '../access/tiers.ts'

const policyHeaders = new WeakMap<Tier, string>()

/** `"burst";q=30;w=60, "daily";q=500;w=86400`, for every policy of the tier. */
export function rateLimitPolicy(tier: Tier): string {
  let text = policyHeaders.get(tier)
  if (text === undefined) {
    text = POLICIES.flatMap((name) => {
      const policy = tier.policies[name]
      return policy ? [`"${name}";q=${policy.limit};w=${policy.windowS}`] : []
    }).join(', ')
    policyHeaders.set(tier, text)
  }
  return text
}

/** `"burst";r=29;t=12, …`, for the policies that the caller has used lately; when it used none, all are shown as unused. */
export function rateLimit(tier: Tier, known: readonly PolicyState[], now: number): string {
  if (known.length > 0) {
    let text = ''
    for (const { name, remaining, resetsAt } of known) {
      const t = Math.max(0, Math.ceil((resetsAt - now) / 1000))
      text += `${text === '' ? '' : ', '}"${name}";r=${remaining};t=${t}`
    }
    return text
  }
  const burst = tier.policies.burst
  return burst ? `"burst";r=${burst.limit};t=${burst.windowS}` : ''
}
