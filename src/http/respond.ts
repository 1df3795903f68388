import type { Context as HonoContext } from 'hono'
import { isLoopback, LOCAL, type Caller } from '../access/caller.ts'
import type { PolicyState } from '../access/quota.ts'
import { POLICIES, type Tier } from '../access/tiers.ts'
import { AppError } from '../model/errors.ts'
import type { Context, Settings } from '../operations/context.ts'
import type { Warning } from '../operations/warnings.ts'
import { compress, type Prepared } from './compress.ts'
import type { Env, Exchange } from './exchange.ts'
import { PROBLEM_TYPE, problemOf } from './problem.ts'

export type Headers = Record<string, string>

const VARY = 'Accept, Accept-Encoding, Authorization, X-API-Key'
export const EXPOSED = 'RateLimit, RateLimit-Policy, Retry-After, Link, ETag, X-Request-Id'

export const METHODS = 'GET, HEAD, OPTIONS'

export const WARNINGS_HEADER = 'Telegrep-Warnings'

/** The same for every caller. */
export const COMMON_HEADERS = {
  Vary: VARY,
  'Access-Control-Expose-Headers': EXPOSED,
  'X-Content-Type-Options': 'nosniff',
}

/** Headers of every API reply. A plain object, which the server writes without copying. */
export function baseHeaders(ctx: Context, c: HonoContext<Env>): Headers {
  const exchange = c.var.exchange
  exchange.caller ??= ctx.access.anonymous(exchange.address)
  exchange.hasHeaders = true
  const headers: Headers = { ...exchangeHeaders(ctx, exchange), ...COMMON_HEADERS }
  addOrigin(headers, exchange)
  headers['Link'] = discoveryLinks(ctx.settings)
  return headers
}

/** Lets scripts of the pages that may ask read the reply. */
export function addOrigin(headers: Headers, { allowOrigin }: Exchange): Headers {
  if (allowOrigin === null) return headers
  headers['Access-Control-Allow-Origin'] = allowOrigin
  if (allowOrigin !== '*') headers['Vary'] += ', Origin'
  return headers
}

/**
 * Headers of every reply of the server, including pages and health checks. Pages take no keys, so their quota is that of the
 * address. Because these headers are for one caller, a cache has to ask again before it uses a reply with them.
 */
export function exchangeHeaders(ctx: Context, exchange: Exchange): Headers {
  const caller = exchange.caller ?? ctx.access.anonymous(exchange.address)
  const headers = quotaHeaders(ctx, caller)
  headers['X-Request-Id'] = exchange.requestId
  return headers
}

function quotaHeaders({ access, clock }: Context, caller: Caller): Headers {
  return {
    'RateLimit-Policy': rateLimitPolicy(caller.tier),
    RateLimit: rateLimit(caller.tier, access.known(caller), clock.now()),
  }
}

/** The codes of a reply's warnings: most formats have no room for more. */
export function warningHeaders(warnings: readonly Warning[]): Headers {
  const codes = new Set(warnings.map(({ code }) => code))
  return {
    [WARNINGS_HEADER]: [...codes].join(', '),
    'Access-Control-Expose-Headers': `${EXPOSED}, ${WARNINGS_HEADER}`,
  }
}

const policyHeaders = new WeakMap<Tier, string>()

/** `"burst";q=30;w=60, "daily";q=500;w=86400`, for every policy of the tier. */
function rateLimitPolicy(tier: Tier): string {
  let text = policyHeaders.get(tier)
  if (text === undefined) {
    text = POLICIES.flatMap((name) => {
      const policy = tier.policies[name]
      return policy ? [`"${name}";q=${policy.limit};w=${policy.windowS}`] : []
    }).join(', ')
    policyHeaders.set(tier, text)
  }
  return text
}

/** `"burst";r=29;t=12, …`, for the policies that the caller has used lately; when it used none, all are shown as unused. */
function rateLimit(tier: Tier, known: readonly PolicyState[], now: number): string {
  if (known.length > 0) {
    let text = ''
    for (const { name, remaining, resetsAt } of known) {
      const t = Math.max(0, Math.ceil((resetsAt - now) / 1000))
      text += `${text === '' ? '' : ', '}"${name}";r=${remaining};t=${t}`
    }
    return text
  }
  const burst = tier.policies.burst
  return burst ? `"burst";r=${burst.limit};t=${burst.windowS}` : ''
}

/** The remaining quota of an address without a key, for requests of which nothing else could be read. */
export function quotaOfAddress(ctx: Context): (address: string) => Headers {
  return (address) => quotaHeaders(ctx, ctx.access.anonymous(isLoopback(address) ? LOCAL : address))
}

/** A body, compressed if the client accepts it and it is worth it. */
export async function bodyResponse(
  c: HonoContext<Env>,
  headers: Headers,
  body: string | Prepared,
): Promise<Response> {
  const made = await compress(body, c.req.raw.headers.get('accept-encoding'))
  if (made.coding !== null) headers['Content-Encoding'] = made.coding
  return new Response(made.body as string, { headers })
}

export function problemResponse(ctx: Context, c: HonoContext<Env>, error: AppError): Response {
  const { requestId } = c.var.exchange
  const problem = problemOf(error, {
    publicUrl: ctx.settings.publicUrl,
    path: new URL(c.req.raw.url).pathname,
    requestId,
  })
  const headers: Headers = {
    ...baseHeaders(ctx, c),
    'Content-Type': PROBLEM_TYPE,
    'Cache-Control': 'no-store',
  }
  if (error.status === 401) headers['WWW-Authenticate'] = 'Bearer realm="telegrep"'
  if (error.status === 405) headers['Allow'] = METHODS
  if (error.status === 429 || error.status === 503) {
    headers['Retry-After'] = String(error.retryAfterS ?? 1)
  }
  return new Response(JSON.stringify(problem), { status: error.status, headers })
}

/** Sent with every API reply: where its description is (RFC 8631), and what to read first. */
function discoveryLinks({ publicUrl }: Settings): string {
  return `<${publicUrl}/v1/openapi.json>; rel="service-desc", <${publicUrl}/llms.txt>; rel="describedby"`
}
