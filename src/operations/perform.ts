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
    /** Parameters that the face takes itself. */
    readonly ofFace?: readonly string[]
    /** Policies that the face has charged already. */
    readonly paid?: readonly PolicyName[]
  },
): Promise<Performance<Data, Meta>> {
  const { ctx, caller, requestId, signal } = options
  const isOwed = (name: PolicyName) =>
    operation.policies.includes(name) && options.paid?.includes(name) !== true
  // Charged before the input is read, so that refusing a caller who has used it up stays cheap. Bad input is reported only after it.
  const permit = await ctx.access.admit(caller, isOwed('burst') ? ['burst'] : [])
  const prepared = options.problem ?? attempt(() => operation.prepare(input, options.ofFace))
  if (isOwed('daily') && !costsNothing(prepared)) await permit.charge('daily')
  try {
    if (prepared instanceof AppError) throw prepared
    const reply = await prepared.run(ctx, {
      caller,
      requestId,
      signal,
      charge: (policy) => permit.charge(policy),
      refund: (policy) => permit.refund(policy),
    })
    return { reply, permit }
  } catch (error) {
    if (isFree(asAppError(error).status)) permit.refund('daily')
    throw error
  }
}

function costsNothing(prepared: Prepared | AppError): boolean {
  return prepared instanceof AppError ? isFree(prepared.status) : prepared.free
}
