import { ANONYMOUS, LOCAL_TIER, type Tier, type Tiers } from '../access/tiers.ts'
import { formatCount, plural } from './format.ts'

/** `60 requests a minute, 5,000 a day, 60 live reads an hour, 10 streams at a time`. */
export function tierWords({ policies, streams }: Tier): string {
  const { burst, daily, live } = policies
  const limits = [
    burst && `${plural(burst.limit, 'request')} a minute`,
    daily && `${burst ? formatCount(daily.limit) : plural(daily.limit, 'request')} a day`,
    live && `${plural(live.limit, 'live read')} an hour`,
    streams !== undefined && `${plural(streams, 'stream')} at a time`,
  ]
  return limits.filter((limit) => typeof limit === 'string').join(', ') || 'no limit'
}

/** The tiers that keys can have, one per line; the other two are for callers without a key. */
export function offeredTiers(tiers: Tiers): string {
  const all = [...tiers.values()]
  const keyed = all.filter(({ name }) => name !== ANONYMOUS && name !== LOCAL_TIER)
  // A tiers file may define no others.
  const offered = keyed.length === 0 ? all : keyed
  const width = Math.max(...offered.map(({ name }) => name.length))
  return offered.map((tier) => `  ${tier.name.padEnd(width)}  ${tierWords(tier)}`).join('\n')
}
