import { createCache } from '../model/cache.ts'
import type { Clock } from '../model/clock.ts'
import { AppError } from '../model/errors.ts'
import { hinted } from '../model/hint.ts'
import type { Ledger } from '../store/ledger.ts'
import { addressId, LOCAL, type Caller } from './caller.ts'
import { keyPrefix } from './key.ts'
import { createKeyFinder } from './keys.ts'
import { createQuota, type PolicyState, type TakenUnit } from './quota.ts'
import { ANONYMOUS, LOCAL_TIER, type PolicyName, type Tier, type Tiers } from './tiers.ts'

const MAX_REMEMBERED = 1_000
/** Prefix of the ids of callers with a key. */
const KEY = 'key:'

/** What a request shows of its sender. */
interface Credentials {
  /** The key as presented; undefined when there was none. */
  readonly key: string | undefined
  /** An IP address, or `LOCAL`. */
  readonly address: string
}

/** Who may ask how much; the same for every face. */
export interface Access extends AsyncDisposable {
  /**
   * Throws `invalid_key` or `key_required`, which cost the address 1 of its burst, or `quota_exceeded` once that is used up.
   */
  identify(credentials: Credentials): Promise<Caller>
  /** Charges 1 to each policy named; throws `quota_exceeded` at the first that is used up. */
  admit(caller: Caller, policies: readonly PolicyName[]): Promise<Permit>
  /** False once the caller's key has been revoked. */
  isValid(caller: Caller): Promise<boolean>
  /** Every policy of the caller's tier, for `/meta`. */
  policyStates(caller: Caller): Promise<readonly PolicyState[]>
  /** The state of the caller's policies as known to this process, without I/O, for headers. */
  known(caller: Caller): readonly PolicyState[]
  /** The caller that an address is without a key; does no I/O. */
  anonymous(address: string): Caller
  /** Returns the blocks of idle callers to the ledger; to be called every few seconds. */
  returnIdle(): Promise<void>
}

/** Permission to run one operation. */
export interface Permit {
  /** Charges 1 more; throws `quota_exceeded`. */
  charge(policy: PolicyName): Promise<void>
  refund(policy: PolicyName): void
}

const FREE = [304, 400, 401, 429]

/** Whether a reply costs nothing of `daily`. All others cost, even a 404, because they took work. */
export function isFree(status: number): boolean {
  return FREE.includes(status) || status >= 500
}

export function createAccess(options: {
  readonly ledger: Ledger
  readonly tiers: Tiers
  readonly pepper: string
  readonly clock: Clock
  /** False when a key is required. */
  readonly anonymous: boolean
}): Access {
  const { ledger, tiers, pepper, clock } = options
  const quota = createQuota({ ledger, clock })
  const findKey = createKeyFinder({ ledger, pepper, clock })
  const anonymousTier = tiers.get(ANONYMOUS)!

  const localTier = { ...(tiers.get(LOCAL_TIER) ?? anonymousTier), name: ANONYMOUS }
  const callers = createCache<string, Caller>({ maxEntries: MAX_REMEMBERED })

  /** Cached for repeated requests, because every reply states the remaining quota of its address. */
  function anonymous(address: string): Caller {
    const tier = address === LOCAL ? localTier : anonymousTier
    return callers.getOrMake(address, () => ({ id: addressId(address, pepper), tier, key: null }))
  }

  async function take(caller: Caller, name: PolicyName): Promise<TakenUnit> {
    const taken = await quota.take(caller.id, caller.tier, name)
    if (taken) return taken
    throw quotaError(
      name,
      quota.known(caller.id, caller.tier).find((state) => state.name === name),
      clock.now(),
    )
  }

  return {
    anonymous,
    async identify({ key, address }) {
      if (key === undefined && options.anonymous) return anonymous(address)
      const record = key === undefined ? undefined : await findKey(key)
      if (record) {
        return {
          id: `${KEY}${record.id}`,
          tier: tiers.get(record.tier) ?? lapsedTier(record.tier, anonymousTier),
          key: { prefix: keyPrefix(record.id), name: record.name, createdAt: record.createdAt },
        }
      }
      await take(anonymous(address), 'burst')
      throw key === undefined
        ? new AppError('key_required', 'send a key as `Authorization: Bearer <key>`')
        : new AppError('invalid_key', 'the key is unknown or revoked')
    },
    async admit(caller, policies) {
      const taken = new Map<PolicyName, TakenUnit>()
      for (const name of policies) taken.set(name, await take(caller, name))
      const refund = (name: PolicyName) => {
        const unit = taken.get(name)
        taken.delete(name)
        if (unit) quota.refund(unit)
      }
      return {
        refund,
        async charge(name) {
          taken.set(name, await take(caller, name))
        },
      }
    },
    async isValid({ id, key }) {
      if (key === null) return true
      const record = await ledger.key(id.slice(KEY.length))
      return record !== undefined && record.revokedAt === null
    },
    policyStates: (caller) => quota.read(caller.id, caller.tier),
    known: (caller) => quota.known(caller.id, caller.tier),
    returnIdle: () => quota.returnIdle(),
    [Symbol.asyncDispose]: () => quota[Symbol.asyncDispose](),
  }
}

/** For a key whose tier the operator removed from the file: the key keeps working, with the anonymous limits. */
function lapsedTier(name: string, anonymous: Tier): Tier {
  return { ...anonymous, name }
}

function quotaError(name: PolicyName, state: PolicyState | undefined, now: number): AppError {
  const waitS = Math.max(1, Math.ceil(((state?.resetsAt ?? now) - now) / 1000))
  return REFUSALS.getOrMake(`${name} ${waitS}`, () => {
    const { detail, hint } = hinted(`the policy \`${name}\` is used up`, { after_s: waitS })
    const extra = { 'violated-policies': [name] }
    return new AppError('quota_exceeded', detail, { retryAfterS: waitS, hint, extra })
  })
}

/** Kept, because a flood is refused a thousand times a second and making a stack trace is a tenth of that work. */
const REFUSALS = createCache<string, AppError>({ maxEntries: 100 })
