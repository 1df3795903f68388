import { isFree, type Permit } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import type { PolicyName } from '../access/tiers.ts'
import { AppError, asAppError, attempt } from '../model/errors.ts'
import type { Context } from './context.ts'
import type { Operation, Prepared, Reply } from './operation.ts'

/** The result of one request through any face. */
interface Performance<Data, Meta extends object> {
  readonly reply: Reply<Data, Meta>
  /** For a face that ends the request in a way that costs nothing, such as a 304. */
  readonly permit: Permit
}

/**
 * Parses the input, charges the request and runs it. A request that fails is refunded what failures do not cost. Throws an
 * AppError or, for a bug, whatever was thrown.
 */
export async function perform<Data, Meta extends object>(
  operation: Operation<Data, Meta>,
  input: unknown,
  options: {
    readonly ctx: Context
    readonly caller: Caller
    readonly requestId: string
    readonly signal: AbortSignal
    /** A problem that the face itself found; reported after the request has been charged. */
    readonly problem?: AppError | undefined
    /** Policies that the face has charged already. */
    readonly paid?: readonly PolicyName[]
  },
): Promise<Performance<Data, Meta>> {
  const { ctx, caller, requestId, signal } = options
  // Bad input is reported only after `burst` has been charged, so the problem is held as a value until then.
  const prepared = options.problem ?? attempt(() => operation.prepare(input))
  const permit = await ctx.access.admit(
    caller,
    policiesOf(operation, prepared).filter((name) => !options.paid?.includes(name)),
  )
  try {
    if (prepared instanceof AppError) throw prepared
    const reply = await prepared.run(ctx, {
      caller,
      requestId,
      signal,
      spend: (policy) => permit.spend(policy),
      giveBack: (policy) => permit.giveBack(policy),
    })
    return { reply, permit }
  } catch (error) {
    if (isFree(asAppError(error).status)) permit.giveBack('daily')
    throw error
  }
}

function policiesOf(operation: Operation, prepared: Prepared | AppError): PolicyName[] {
  const costsNothing = prepared instanceof AppError ? isFree(prepared.status) : prepared.free
  return operation.policies.filter(
    (name) => name === 'burst' || (name === 'daily' && !costsNothing),
  )
}
