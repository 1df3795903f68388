import type { Context as HonoContext } from 'hono'
import { AppError } from '../model/errors.ts'
import type { Context } from '../operations/context.ts'
import type { Env } from './exchange.ts'

/** Requests are short; a client that takes longer to send one only occupies a connection. */
const BODY_MS = 5_000
const TOO_SLOW = new AppError('invalid_request', `expected the whole body in ${BODY_MS / 1000} s`)

/** What `work` makes of a request's body; throws `invalid_request` when the body does not arrive in time. */
export async function wholeBody<T>(
  { deadlines }: Context,
  { env }: HonoContext<Env>,
  work: Promise<T>,
): Promise<T> {
  const late = Promise.withResolvers<never>()
  const end = deadlines.start(BODY_MS, () => {
    if (env?.incoming?.complete === false) late.reject(TOO_SLOW)
  })
  try {
    return await Promise.race([work, late.promise])
  } finally {
    end()
  }
}
