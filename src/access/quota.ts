import type { Clock } from '../model/clock.ts'
import type { Ledger } from '../store/ledger.ts'
import { POLICIES, type Policy, type PolicyName, type Tier } from './tiers.ts'

/** The state of one policy of a caller. */
export interface PolicyState {
  readonly name: PolicyName
  readonly limit: number
  readonly windowS: number
  readonly remaining: number
  readonly resetsAt: number
}

/** One unit that was taken; it can only be given back to the window it came from. */
export interface TakenUnit {
  readonly name: PolicyName
  /** Undefined when the tier has no such policy. */
  readonly window: Window | undefined
}

/**
 * Counts what callers use. Units come from the ledger in blocks of 1 % of the limit, charged before they are spent: no limit
 * is ever exceeded, across all processes, and a crash loses one block at most.
 */
export interface Quota extends AsyncDisposable {
  /** One unit; undefined when the limit is reached. A policy that the tier does not have costs nothing. */
  take(caller: string, tier: Tier, name: PolicyName): Promise<TakenUnit | undefined>
  refund(taken: TakenUnit): void
  /** The state known to this process without I/O: the policies that the caller used lately, in the order of POLICIES. */
  known(caller: string, tier: Tier): readonly PolicyState[]
  /** Every policy of the tier, as the ledger has it. */
  read(caller: string, tier: Tier): Promise<readonly PolicyState[]>
  /** Returns blocks that were not used for a while, so that other processes can spend them. */
  returnIdle(): Promise<void>
}

interface Window {
  readonly caller: string
  readonly name: PolicyName
  readonly startedAt: number
  readonly endsAt: number
  /** Charged in the ledger by all processes, as last read. */
  used: number
  /** Charged by this process and not yet spent. */
  block: number
  idleSince: number
  /** The limit was reached then; asking the ledger again at once is pointless. */
  refusedSince: number
}

const IDLE_MS = 5_000
const REFUSAL_MS = 1_000

export function createQuota(options: { readonly ledger: Ledger; readonly clock: Clock }): Quota {
  const { clock } = options
  const blocks = createBlocks(options)
  return {
    async take(caller, tier, name) {
      const policy = tier.policies[name]
      if (!policy) return { name, window: undefined }
      for (;;) {
        const window = blocks.running(caller, name)
        const elapsed = clock.elapsed()
        if (window && window.block > 0) {
          window.block--
          window.idleSince = elapsed
          return { name, window }
        }
        if (window && elapsed - window.refusedSince < REFUSAL_MS) return undefined
        await blocks.refill(caller, name, policy)
      }
    },
    refund({ window }) {
      if (window) blocks.giveUnit(window)
    },
    known(caller, tier) {
      return POLICIES.flatMap((name) => {
        const policy = tier.policies[name]
        const window = policy && blocks.running(caller, name)
        return window ? [standingOf(name, policy, window, clock.now())] : []
      })
    },
    async read(caller, tier) {
      const asked = POLICIES.flatMap((name) => {
        const policy = tier.policies[name]
        return policy ? [blocks.read(caller, name, policy)] : []
      })
      return await Promise.all(asked)
    },
    returnIdle: () => blocks.give((window) => clock.elapsed() - window.idleSince >= IDLE_MS),
    [Symbol.asyncDispose]: () => blocks.give(() => true),
  }
}

/** The windows that this process knows, each with its block of units charged but not spent. */
function createBlocks({ ledger, clock }: Parameters<typeof createQuota>[0]) {
  const windows = new Map<string, Window>()
  const refills = new Map<string, { waiting: number; done: Promise<void> }>()

  function running(caller: string, name: PolicyName): Window | undefined {
    const key = keyOf(caller, name)
    const window = windows.get(key)
    if (window && clock.now() >= window.endsAt) {
      windows.delete(key)
      return undefined
    }
    return window
  }

  async function charge(caller: string, name: PolicyName, policy: Policy, amount: () => number) {
    // Waits a microtask, so that everybody who asks in this turn is counted in the amount.
    await Promise.resolve()
    const { limit, starts } = policy
    const windowMs = policy.windowS * 1000
    const asked = amount()
    const charged = { caller, policy: name, limit, windowMs, starts, amount: asked }
    const { granted, startedAt, used } = await ledger.charge(charged)
    // Read only now: by the time before a slow charge, its refusal would be over already, and be asked for without end.
    const elapsed = clock.elapsed()
    const key = keyOf(caller, name)
    const held = windows.get(key)
    const block = held?.startedAt === startedAt ? held.block : 0
    const endsAt = startedAt + windowMs
    windows.set(key, {
      caller,
      name,
      startedAt,
      // The store's clock may be behind ours: a window that it has just charged is not over, whatever our clock says.
      endsAt: endsAt > clock.now() ? endsAt : clock.now() + REFUSAL_MS,
      used,
      block: block + granted,
      idleSince: elapsed,
      refusedSince: granted < asked ? elapsed : -Infinity,
    })
  }

  return {
    running,
    /** All who wait for the same block share one charge. */
    refill(caller: string, name: PolicyName, policy: Policy): Promise<void> {
      const key = keyOf(caller, name)
      const shared = refills.get(key)
      if (shared) {
        shared.waiting++
        return shared.done
      }
      const block = Math.max(1, Math.floor(policy.limit / 100))
      const started = { waiting: 1, done: Promise.resolve() }
      const amount = () => Math.max(block, started.waiting)
      started.done = charge(caller, name, policy, amount).finally(() => refills.delete(key))
      refills.set(key, started)
      return started.done
    },
    giveUnit(window: Window): void {
      const key = keyOf(window.caller, window.name)
      // Slow work can outlast an idle window whose block was returned. The window is then kept again, with this unit alone.
      const held = windows.get(key) ?? { ...window, used: window.used - window.block, block: 0 }
      if (held.startedAt !== window.startedAt) return
      held.block++
      windows.set(key, held)
    },
    async read(caller: string, name: PolicyName, policy: Policy): Promise<PolicyState> {
      const windowMs = policy.windowS * 1000
      const usage = await ledger.usage(caller, name, windowMs)
      if (!usage) return standingOf(name, policy, undefined, clock.now())
      const held = running(caller, name)
      const block = held?.startedAt === usage.startedAt ? held.block : 0
      const window = { endsAt: usage.startedAt + windowMs, used: usage.used, block }
      return standingOf(name, policy, window, clock.now())
    },
    /** Returns the blocks of these windows to the ledger. */
    async give(isGiven: (window: Window) => boolean): Promise<void> {
      for (const [key, window] of windows) {
        const isOver = clock.now() >= window.endsAt
        if (!isOver && !isGiven(window)) continue
        windows.delete(key)
        if (isOver || window.block === 0) continue
        const { caller, name: policy, startedAt, block: amount } = window
        await ledger.refund({ caller, policy, startedAt, amount })
      }
    },
  }
}

const keyOf = (caller: string, name: PolicyName) => `${caller} ${name}`

function standingOf(
  name: PolicyName,
  { limit, windowS, starts }: Policy,
  window: Pick<Window, 'endsAt' | 'used' | 'block'> | undefined,
  now: number,
): PolicyState {
  const windowMs = windowS * 1000
  if (window) {
    const remaining = Math.max(0, limit - window.used + window.block)
    return { name, limit, windowS, remaining, resetsAt: window.endsAt }
  }
  const resetsAt = starts === 'clock' ? (Math.floor(now / windowMs) + 1) * windowMs : now + windowMs
  return { name, limit, windowS, remaining: limit, resetsAt }
}
