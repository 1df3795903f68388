import { nameKey } from '../model/channel-name.ts'
import { hash32 } from './random.ts'

/** What can go wrong between a reader and the platform. */
export type FaultKind =
  /** 429, with Retry-After when `retryAfterS` is given. */
  | 'rate_limit'
  /** 500, or `status`. */
  | 'server_error'
  /** 200 and "No posts found" although there are posts. */
  | 'soft_throttle'
  /** 200 and the page of a free name, which a banned IP address gets for every name. */
  | 'contact_page'
  /** The connection is reset before an answer. */
  | 'reset'
  /** The connection is reset in the middle of the body. */
  | 'reset_midway'
  /** No answer for `stallMs`, then the connection ends. */
  | 'stall'
  /** The body trickles: a piece every 50 ms, for `stallMs` in all. */
  | 'slow_body'
  /** A well-formed answer whose page ends early. */
  | 'truncate'
  /** A gzip stream that ends early. */
  | 'truncated_gzip'
  /** A small gzip body that decompresses to `bytes`. */
  | 'gzip_bomb'
  /** A plain body of `bytes`, far larger than any page. */
  | 'huge'
  /** The page as image/png. */
  | 'wrong_type'
  /** 200 with nothing in it. */
  | 'empty'
  /** Random bytes called HTML. */
  | 'garbage'
  /** The same page with its markup changed; `drift` says which part. */
  | 'layout_drift'
  /** The answer of `staleMs` before, an hour by default, as an old cache would give it. */
  | 'stale'
  /** A redirect to the same address. */
  | 'redirect_loop'
  /** A redirect to `location`. */
  | 'redirect_away'
  /** The name belongs to nobody, as after a rename. */
  | 'renamed'
  /** The channel is withheld. */
  | 'blocked'
  /** The preview is switched off. */
  | 'preview_off'
  /** The page of another channel: the name has a new owner. */
  | 'reassigned'

export type Surface = 'page' | 'profile' | 'post' | 'embed' | 'other'

export interface Fault {
  readonly kind: FaultKind
  /** Only requests for this name; by default for every name. */
  readonly channel?: string
  readonly surface?: Surface
  /** The share of matching requests that it strikes; 1 by default. */
  readonly probability?: number
  /** Simulated time; `from` is inclusive, `until` exclusive. */
  readonly from?: number
  readonly until?: number
  /** Lets this many matching requests pass first. */
  readonly skip?: number
  /** Strikes this many times, then never again. */
  readonly count?: number
  readonly retryAfterS?: number
  readonly status?: number
  readonly stallMs?: number
  readonly staleMs?: number
  readonly bytes?: number
  readonly location?: string
  readonly drift?: 'everything' | 'text' | 'time'
}

interface FaultQuestion {
  readonly name: string | null
  readonly surface: Surface
  readonly at: number
}

/** Decides which fault strikes a request, if any: the first rule that matches. Chance is seeded, so runs are repeatable. */
interface FaultPlan {
  faultFor(question: FaultQuestion): Fault | null
  set(faults: readonly Fault[]): void
}

export function createFaultPlan(seed: number, faults: readonly Fault[]): FaultPlan {
  let rules = arm(faults)
  let asked = 0
  return {
    faultFor(question) {
      asked++
      for (const rule of rules) {
        if (!matches(rule.fault, question)) continue
        const turn = rule.matched++
        if (turn < (rule.fault.skip ?? 0)) continue
        if (rule.struck >= (rule.fault.count ?? Infinity)) continue
        const draw = hash32(seed, 15, asked, rule.place) / 0x1_0000_0000
        if (draw >= (rule.fault.probability ?? 1)) continue
        rule.struck++
        return rule.fault
      }
      return null
    },
    set(next) {
      rules = arm(next)
    },
  }
}

function arm(faults: readonly Fault[]) {
  return faults.map((fault, place) => ({
    fault,
    place,
    matched: 0,
    struck: 0,
  }))
}

function matches(fault: Fault, { name, surface, at }: FaultQuestion): boolean {
  if (fault.channel !== undefined) {
    if (name === null || nameKey(fault.channel) !== nameKey(name)) return false
  }
  if (fault.surface !== undefined && fault.surface !== surface) return false
  return at >= (fault.from ?? -Infinity) && at < (fault.until ?? Infinity)
}
