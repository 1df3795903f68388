import { isFree, type Access, type Permit } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import type { PolicyName } from '../access/tiers.ts'
import { AppError, attempt } from '../model/errors.ts'
import type { Context } from './context.ts'
import type { Operation, Prepared, Reply } from './operation.ts'

/**
 * Parses the input, charges the request, runs it and writes the reply in the words of a face: if that fails because of us, it
 * costs nothing of `daily` either. `write` gets the permit for a reply that costs nothing, such as a 304. Throws an AppError
 * or, for a bug, whatever was thrown.
 */
export function perform<Data, Meta extends object, Written>(
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
  write: (reply: Reply<Data, Meta>, permit: Permit) => Written | Promise<Written>,
): Promise<Written> {
  const { ctx, caller, requestId, signal, paid } = options
  const request = { access: ctx.access, caller, signal, policies: operation.policies, paid }
  const prepare = () => {
    if (options.problem) throw options.problem
    return operation.prepare(input, options.ofFace)
  }
  return charged(request, prepare, async (prepared, permit) => {
    const reply = await prepared.run(ctx, {
      caller,
      requestId,
      signal,
      charge: (policy) => permit.charge(policy),
      refund: (policy) => permit.refund(policy),
    })
    // Who has been told already that the reply is late gets none.
    signal.throwIfAborted()
    return write(reply, permit)
  })
}

/** Charges a request, parses its input and does its work. One that fails is refunded what failures do not cost. */
export async function charged<P extends Pick<Prepared, 'free'>, Result>(
  request: {
    readonly access: Access
    readonly caller: Caller
    readonly signal: AbortSignal
    /** Of these, `burst` and `daily` are charged here. */
    readonly policies: readonly PolicyName[]
    readonly paid?: readonly PolicyName[] | undefined
  },
  prepare: () => P,
  work: (prepared: P, permit: Permit) => Promise<Result>,
): Promise<Result> {
  const { access, caller, signal } = request
  const isOwed = (name: PolicyName) =>
    request.policies.includes(name) && request.paid?.includes(name) !== true
  // Charged before the input is read, so that refusing a caller who has used it up stays cheap. Bad input is reported only after it.
  const permit = await access.admit(caller, isOwed('burst') ? ['burst'] : [])
  const prepared = attempt(prepare)
  const isCostly = prepared instanceof AppError ? !isFree(prepared.status) : !prepared.free
  if (isOwed('daily') && isCostly) await permit.charge('daily')
  try {
    if (prepared instanceof AppError) throw prepared
    const result = await work(prepared, permit)
    // Work that does not notice the deadline ends after the caller has been answered that it is late.
    signal.throwIfAborted()
    return result
  } catch (error) {
    refundFailed(permit, error, signal)
    throw error
  }
}

/** Refunds what a request costs nothing of when it fails in this way. */
export function refundFailed(permit: Permit, error: unknown, signal: AbortSignal): void {
  if (costsNothing(error, signal)) permit.refund('daily')
}

/** Whether a failed request costs nothing of `daily`. A caller who went away pays, or hanging up would make all work free. */
function costsNothing(error: unknown, signal: AbortSignal): boolean {
  const cause: unknown = signal.aborted ? signal.reason : error
  // Anything else is a bug, unless it is the reason of a caller who went away.
  return cause instanceof AppError ? isFree(cause.status) : !signal.aborted
}
