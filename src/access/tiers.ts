import * as z from 'zod'
import { DAY_S, HOUR_S } from '../model/time.ts'

/** What can be limited, in the order of the headers. */
export const POLICIES = ['burst', 'daily', 'live'] as const
export type PolicyName = (typeof POLICIES)[number]

export interface Policy {
  readonly limit: number
  readonly windowS: number
  /** `first`: a window starts with the caller's first request. `clock`: windows are whole hours and UTC days. */
  readonly starts: 'first' | 'clock'
}

export interface Tier {
  readonly name: string
  /** A policy that is absent sets no limit. */
  readonly policies: Readonly<Partial<Record<PolicyName, Policy>>>
  /** Streams open at a time; without it, only the total of all callers is limited. */
  readonly streams?: number
}

export type Tiers = ReadonlyMap<string, Tier>

/** The tier of callers without a key. */
export const ANONYMOUS = 'anonymous'
/** The tier of anonymous callers on the service's own machine. A tiers file may leave it out. */
export const LOCAL_TIER = 'local'

const WINDOWS: Readonly<Record<PolicyName, Omit<Policy, 'limit'>>> = {
  burst: { windowS: 60, starts: 'first' },
  daily: { windowS: DAY_S, starts: 'clock' },
  live: { windowS: HOUR_S, starts: 'clock' },
}

/** Limits by name, for policies and for streams open at a time. */
type Limits = Partial<Record<PolicyName | 'streams', number | undefined>>

const DEFAULTS: Readonly<Record<string, Limits>> = {
  anonymous: { burst: 30, daily: 500, live: 10, streams: 4 },
  local: { burst: 600, live: 10, streams: 100 },
  free: { burst: 60, daily: 5_000, live: 60, streams: 10 },
  pro: { burst: 600, daily: 100_000, live: 1_000, streams: 100 },
  unlimited: { burst: 60_000 },
}

export const DEFAULT_TIERS: Tiers = tiersOf(DEFAULTS)

const count = z.int().min(1).max(1_000_000_000)
const tiersFile = z.record(
  z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,31}$/, 'tier names are lower case: letters, digits, _ and -'),
  z.strictObject({
    burst: count.optional(),
    daily: count.optional(),
    live: count.optional(),
    streams: count.optional(),
  }),
)

const SAMPLE = '{"anonymous": {"burst": 30, "daily": 500, "live": 10}}'

/**
 * Parses an operator's file: `{"anonymous": {"burst": 30, "daily": 500, "live": 10}, …}`. These are requests per minute, day
 * and hour; `streams` is the number open at a time. What is left out sets no limit. Throws an Error that names every
 * problem.
 */
export function parseTiers(json: string): Tiers {
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch (cause) {
    throw new Error(`expected JSON such as ${SAMPLE}; ${(cause as Error).message}`, { cause })
  }
  const read = tiersFile.safeParse(parsed)
  if (!read.success) {
    const problems = read.error.issues.map((i) => `${i.path.join('.') || 'file'}: ${told(i)}`)
    throw new Error(`in the tiers file, ${problems.join('; ')}`)
  }
  if (!(ANONYMOUS in read.data)) throw new Error(`the tiers file needs a tier \`${ANONYMOUS}\``)
  return tiersOf(read.data)
}

function told(issue: z.core.$ZodIssue): string {
  return issue.code === 'unrecognized_keys'
    ? `accepts ${[...POLICIES, 'streams'].join(', ')}; found ${issue.keys.join(', ')}`
    : issue.message
}

function tiersOf(table: Readonly<Record<string, Limits>>): Tiers {
  return new Map(
    Object.entries(table).map(([name, limits]) => {
      const policies: Partial<Record<PolicyName, Policy>> = {}
      for (const policy of POLICIES) {
        const limit = limits[policy]
        if (limit !== undefined) policies[policy] = { limit, ...WINDOWS[policy] }
      }
      const { streams } = limits
      return [name, { name, policies, ...(streams === undefined ? {} : { streams }) }]
    }),
  )
}
