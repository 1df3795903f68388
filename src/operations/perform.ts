import { isFree, type Permit } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import type { PolicyName } from '../access/tiers.ts'
import { AppError, asAppError, attempt } from '../model/errors.ts'
import type { Context } from './context.ts'
import type { Operation, Prepared, Reply } from './operation.ts'

/** One request through any face, from raw input to a metered reply. */
interface Performance<Data, Meta extends object> {
  readonly reply: Reply<Data, Meta>
  /** For a face that ends it in a way that costs nothing, as with a 304. */
  readonly permit: Permit
}

/**
 * Reads the input, takes what the request costs, runs it. One that fails gets back what that does not cost, and throws an
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
    /** What the face itself found wrong: told after the request has paid for itself. */
    readonly problem?: AppError | undefined
    /** What the face has taken already. */
    readonly paid?: readonly PolicyName[]
  },
): Promise<Performance<Data, Meta>> {
  const { ctx, caller, requestId, signal } = options
  // Bad input is answered after the burst was spent, so the problem waits as a value.
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
