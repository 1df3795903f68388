import type { Clock } from '../model/clock.ts'
import type { Ledger } from '../store/ledger.ts'
import { POLICIES } from './tiers.ts'
import type { Policy, PolicyName, Tier } from './tiers.ts'

/** Where a caller stands with one policy. */
export interface Standing {
  readonly name: PolicyName
  readonly limit: number
  readonly windowS: number
  readonly remaining: number
  readonly resetsAt: number
}

/** One unit taken; given back to the window it came from or to none. */
export interface Taken {
  readonly name: PolicyName
  /** Undefined where the tier has no such policy. */
  readonly window: Window | undefined
}

/**
 * Counts what callers use. Units come from the ledger in blocks of 1 % of the limit, charged before they are spent: no
 * limit is ever exceeded, over all processes, and a crash strands one block at most.
 */
export interface Quota extends AsyncDisposable {
  /** One unit; undefined when the limit is reached. A policy the tier does not have costs nothing. */
  take(caller: string, tier: Tier, name: PolicyName): Promise<Taken | undefined>
  giveBack(caller: string, taken: Taken): void
  /** What this process knows without asking: policies the caller used lately, in the order of POLICIES. */
  known(caller: string, tier: Tier): readonly Standing[]
  /** Every policy of the tier, as the ledger has it. */
  read(caller: string, tier: Tier): Promise<readonly Standing[]>
  /** Returns blocks that nobody used for a while, so that other processes can spend them. */
  returnIdle(): Promise<void>
}

interface Window {
  readonly caller: string
  readonly name: PolicyName
  readonly startedAt: number
  readonly endsAt: number
  /** Charged in the ledger by all processes, as last heard. */
  used: number
  /** Charged for this process and not spent. */
  block: number
  idleSince: number
  /** Nothing was left: no use in asking again at once. */
  refusedSince: number
}

const IDLE_MS = 5_000
const REFUSAL_MS = 1_000

export function createQuota(options: { readonly ledger: Ledger; readonly clock: Clock }): Quota {
  const { ledger, clock } = options
  const windows = new Map<string, Window>()
  const refills = new Map<string, { waiting: number; done: Promise<void> }>()
  const keyOf = (caller: string, name: PolicyName) => `${caller} ${name}`

  function running(key: string, now: number): Window | undefined {
    const window = windows.get(key)
    if (window && now >= window.endsAt) {
      windows.delete(key)
      return undefined
    }
    return window
  }

  async function charge(caller: string, name: PolicyName, policy: Policy, amount: () => number) {
    // The next turn, so that all who wait in this one are counted in the amount.
    await Promise.resolve()
    const elapsed = clock.elapsed()
    const windowMs = policy.windowS * 1000
    const asked = amount()
    const { granted, startedAt, used } = await ledger.charge({
      caller,
      policy: name,
      limit: policy.limit,
      windowMs,
      starts: policy.starts,
      amount: asked,
    })
    const key = keyOf(caller, name)
    const held = windows.get(key)
    const block = held?.startedAt === startedAt ? held.block : 0
    windows.set(key, {
      caller,
      name,
      startedAt,
      endsAt: startedAt + windowMs,
      used,
      block: block + granted,
      idleSince: elapsed,
      refusedSince: granted < asked ? elapsed : -Infinity,
    })
  }

  /** All who wait for the same block share one charge. */
  function refill(caller: string, name: PolicyName, policy: Policy): Promise<void> {
    const key = keyOf(caller, name)
    const shared = refills.get(key)
    if (shared) {
      shared.waiting++
      return shared.done
    }
    const block = Math.max(1, Math.floor(policy.limit / 100))
    const started = { waiting: 1, done: Promise.resolve() }
    started.done = charge(caller, name, policy, () => Math.max(block, started.waiting)).finally(
      () => refills.delete(key),
    )
    refills.set(key, started)
    return started.done
  }

  function standing(
    name: PolicyName,
    policy: Policy,
    window: Pick<Window, 'endsAt' | 'used' | 'block'> | undefined,
  ): Standing {
    const now = clock.now()
    const windowMs = policy.windowS * 1000
    const idleEnd =
      policy.starts === 'clock' ? (Math.floor(now / windowMs) + 1) * windowMs : now + windowMs
    return {
      name,
      limit: policy.limit,
      windowS: policy.windowS,
      remaining: window ? Math.max(0, policy.limit - window.used + window.block) : policy.limit,
      resetsAt: window?.endsAt ?? idleEnd,
    }
  }

  async function giveBlock(key: string, window: Window): Promise<void> {
    windows.delete(key)
    if (window.block === 0) return
    await ledger.refund({
      caller: window.caller,
      policy: window.name,
      startedAt: window.startedAt,
      amount: window.block,
    })
  }

  return {
    async take(caller, tier, name) {
      const policy = tier.policies[name]
      if (!policy) return { name, window: undefined }
      const key = keyOf(caller, name)
      for (;;) {
        const window = running(key, clock.now())
        const elapsed = clock.elapsed()
        if (window && window.block > 0) {
          window.block--
          window.idleSince = elapsed
          return { name, window }
        }
        if (window && elapsed - window.refusedSince < REFUSAL_MS) return undefined
        await refill(caller, name, policy)
      }
    },
    giveBack(caller, { name, window }) {
      if (!window) return
      const key = keyOf(caller, name)
      // Slow work outlasts an idle window, whose block has gone back: it returns to hold this unit alone.
      const held = windows.get(key) ?? { ...window, used: window.used - window.block, block: 0 }
      if (held.startedAt !== window.startedAt) return
      held.block++
      windows.set(key, held)
    },
    known(caller, tier) {
      const found: Standing[] = []
      for (const name of POLICIES) {
        const policy = tier.policies[name]
        const window = policy && running(keyOf(caller, name), clock.now())
        if (window) found.push(standing(name, policy, window))
      }
      return found
    },
    async read(caller, tier) {
      const names = POLICIES.filter((name) => tier.policies[name])
      return await Promise.all(
        names.map(async (name) => {
          const policy = tier.policies[name]!
          const now = clock.now()
          const usage = await ledger.usage(caller, name, policy.windowS * 1000)
          const held = running(keyOf(caller, name), now)
          if (!usage) return standing(name, policy, undefined)
          return standing(name, policy, {
            endsAt: usage.startedAt + policy.windowS * 1000,
            used: usage.used,
            block: held?.startedAt === usage.startedAt ? held.block : 0,
          })
        }),
      )
    },
    async returnIdle() {
      const now = clock.now()
      const elapsed = clock.elapsed()
      for (const [key, window] of windows) {
        if (now >= window.endsAt) windows.delete(key)
        else if (elapsed - window.idleSince >= IDLE_MS) await giveBlock(key, window)
      }
    },
    async [Symbol.asyncDispose]() {
      for (const [key, window] of windows) await giveBlock(key, window)
    },
  }
}
