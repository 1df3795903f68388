import type { Context as HonoContext } from 'hono'
import type { Caller } from '../access/caller.ts'
import { AppError } from '../model/errors.ts'
import { found } from '../model/found.ts'
import type { Context } from '../operations/context.ts'
import type { Env } from './exchange.ts'

interface Headers {
  get(name: string): string | null
}

/**
 * Identifies the caller, to whom the reply's RateLimit headers then refer. Throws what `Access.identify` throws, and
 * `invalid_key` for a key that is presented wrongly, which costs the address just as much.
 */
export async function identify(ctx: Context, c: HonoContext<Env>): Promise<Caller> {
  const { exchange } = c.var
  const { address } = exchange
  const key = presentedKey(c.req.raw.headers)
  if (key instanceof AppError) return refuse(ctx, address, key)
  return (exchange.caller = await ctx.access.identify({ key, address }))
}

export function presentsKey(headers: Headers): boolean {
  return presentedKey(headers) !== undefined
}

/**
 * The key that a request presents; undefined when there is none. Something that cannot be a key is passed on as it is: it
 * will be found invalid, never silently treated as anonymous.
 */
function presentedKey(headers: Headers): string | undefined | AppError {
  const authorization = headers.get('authorization')
  const apiKey = headers.get('x-api-key')
  const bearer =
    authorization === null
      ? undefined
      : (/^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? authorization)
  if (apiKey === null) return bearer?.includes(' ') ? otherScheme(bearer) : bearer
  if (bearer !== undefined && bearer !== apiKey.trim()) {
    return new AppError('invalid_request', '`Authorization` and `X-API-Key` hold different keys')
  }
  return apiKey.trim()
}

/** What follows the scheme may be somebody's secret, so it is not repeated. */
function otherScheme(authorization: string): AppError {
  const [scheme = ''] = authorization.split(' ', 1)
  const isOurs = scheme.toLowerCase() === 'bearer'
  const what = isOurs ? 'more than one word behind it' : `the scheme ${found(scheme)}`
  const detail = `expected \`Authorization: Bearer <key>\`, found ${what}`
  return new AppError('invalid_key', detail)
}

async function refuse({ access }: Context, address: string, problem: AppError): Promise<never> {
  await access.admit(access.anonymous(address), ['burst'])
  throw problem
}
