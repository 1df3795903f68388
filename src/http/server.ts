import { Hono, type Context as HonoContext, type MiddlewareHandler } from 'hono'
import { CONTENT_USAGE } from '../model/content-usage.ts'
import { AppError } from '../model/errors.ts'
import { CATALOGUE } from '../operations/catalogue.ts'
import type { Context, Settings } from '../operations/context.ts'
import { STREAMS } from '../operations/stream-posts.ts'
import { isLiveRead, TOO_LATE } from '../operations/deadlines.ts'
import { suggest } from '../text/suggest.ts'
import type { WebEnv } from '../web/ask.ts'
import { isPage } from '../web/pages.ts'
import { prepare } from './compress.ts'
import { identify, presentsKey } from './credentials.ts'
import type { HttpEvents } from './events.ts'
import { CLIENT_GONE, elapsedMs, openExchange, type Env } from './exchange.ts'
import { addHealth } from './health.ts'
import { discoveryRoutes } from './discovery.ts'
import { openApiDocument } from './openapi.ts'
import { whyForeign } from './own-machine.ts'
import { docsPages } from './pages/docs-page.ts'
import { errorPages } from './pages/errors-reference.ts'
import { llmsTxt } from './pages/llms-txt.ts'
import { internalError } from './problem.ts'
import { MAX_URL } from './raw-input.ts'
import { baseHeaders, bodyResponse, exchangeHeaders, METHODS, problemResponse } from './respond.ts'
import { servePicture } from './serve-picture.ts'
import { serveOperation } from './serve-operation.ts'
import { serveStream } from './serve-stream.ts'
import { watchFeeds, type FeedOf } from './watch-feeds.ts'

interface HttpDeps {
  readonly ctx: Context
  readonly events: HttpEvents
  /** How many proxies in front of us are trusted to set `X-Forwarded-For`. */
  readonly trustProxy: number
  /** Null once store and index answer. */
  readonly whyNotReady: () => Promise<string | null>
  /** The web pages, mounted at `/`. */
  readonly web?: Hono<WebEnv>
  /** The feeds of watches. */
  readonly feedOf?: FeedOf
  /** The MCP face, mounted at `/mcp`; it accepts POST. */
  readonly mcp?: Hono<Env>
}

/** Everything that is served, in the order in which a request passes through it. */
export function createHttpApp(deps: HttpDeps): Hono<Env> {
  const { ctx } = deps
  const app = new Hono<Env>({ strict: false })
  app.onError((error, c) => answerError(deps, c, error))
  app.notFound((c) => answerError(deps, c, notFound(c.req.path)))

  app.use(observe(deps))
  addHealth(app, { whyNotReady: deps.whyNotReady, tellsWhy: false })
  app.use(guardOrigin(ctx.settings))
  app.use(guardUrl)
  if (deps.mcp) app.route('/mcp', deps.mcp)
  app.use('/v1/*', preflight(deps))
  app.on('OPTIONS', '*', () => new Response(null, { status: 204, headers: { Allow: METHODS } }))
  app.use(onlyReads(deps))
  app.use('/v1/*', deadline(deps))

  const openApi = prepare(() => JSON.stringify(openApiDocument(ctx.settings)))
  app.get('/v1/openapi.json', async (c) => {
    // Public even if a key is required; a caller that sends a key still gets its own quota headers.
    if (presentsKey(c.req.raw.headers)) await identify(ctx, c)
    const headers = { ...baseHeaders(ctx, c), 'Content-Type': 'application/json; charset=utf-8' }
    return bodyResponse(c, { ...headers, 'Cache-Control': 'private, max-age=300' }, openApi)
  })
  for (const operation of CATALOGUE) {
    const path = `/v1${operation.path}`.replaceAll(/\{(\w+)\}/g, ':$1')
    app.get(path, serveOperation(ctx, operation))
  }
  for (const operation of STREAMS) app.get(`/v1${operation.path}`, serveStream(ctx, operation))
  app.get('/media/:sha256', servePicture(ctx))
  app.route('/', discoveryRoutes(ctx))
  app.all('/v1/*', unknownRoute(deps))
  if (deps.feedOf) app.route('/watches', watchFeeds(ctx, deps.feedOf))
  app.route('/docs', docsPages(ctx.settings))
  app.route('/errors', errorPages())
  app.get('/robots.txt', (c) =>
    c.text(ROBOTS_TXT, 200, { 'Cache-Control': 'private, max-age=86400' }),
  )
  const llms = prepare(() => llmsTxt(ctx.settings))
  const llmsHeaders = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'private, max-age=300',
    Vary: 'Accept-Encoding',
  }
  app.get('/llms.txt', (c) => bodyResponse(c, { ...llmsHeaders }, llms))
  if (deps.web) app.route('/', deps.web)
  return app
}

/** Opens the exchange and reports its outcome. */
function observe({ ctx, trustProxy, events }: HttpDeps): MiddlewareHandler<Env> {
  return async (c, next) => {
    const exchange = openExchange(c.req.raw.headers, c.env, trustProxy)
    c.set('exchange', exchange)
    await next()
    // API replies already have these headers; checking them would cost a copy of each reply's headers.
    if (!exchange.hasHeaders) {
      const headers = exchangeHeaders(ctx, exchange)
      for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value)
    }
    events.requestServed({
      requestId: exchange.requestId,
      operation: exchange.operation,
      status: c.res.status,
      ms: elapsedMs(exchange),
      tier: exchange.caller?.tier.name ?? null,
      format: exchange.format,
    })
  }
}

/** A personal instance answers its own machine; any other answers pages of every site. */
function guardOrigin({ isPersonal }: Settings): MiddlewareHandler<Env> {
  return async (c, next) => {
    const { headers } = c.req.raw
    const foreign = isPersonal ? whyForeign(headers) : undefined
    if (foreign) throw foreign
    c.var.exchange.allowOrigin = isPersonal ? headers.get('origin') : '*'
    await next()
  }
}

const guardUrl: MiddlewareHandler<Env> = async (c, next) => {
  const { length } = c.env?.incoming?.url ?? c.req.raw.url
  if (length > MAX_URL) {
    const detail = `expected at most ${MAX_URL} characters, found ${length}`
    const error = new AppError('uri_too_long', detail)
    if (!isPageWanted(c.req)) throw error
    c.var.exchange.refusal = error
  }
  await next()
}

function isPageWanted(req: HonoContext['req']): boolean {
  return isPage(req.path) && (req.header('accept') ?? '').includes('text/html')
}

/** CORS. */
function preflight({ ctx }: HttpDeps): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (c.req.method !== 'OPTIONS') return next()
    const headers = {
      ...baseHeaders(ctx, c),
      Allow: METHODS,
      'Access-Control-Allow-Methods': METHODS,
      'Access-Control-Allow-Headers': 'Authorization, X-API-Key, If-None-Match, Last-Event-ID',
      'Access-Control-Max-Age': '86400',
    }
    return new Response(null, { status: 204, headers })
  }
}

function onlyReads(deps: HttpDeps): MiddlewareHandler<Env> {
  return async (c, next) => {
    const { method, path } = c.req
    if (method === 'GET' || method === 'HEAD') return next()
    if (path.startsWith('/v1/')) await pay(deps, c)
    throw new AppError('method_not_allowed', `expected ${METHODS}; found ${method}`)
  }
}

function deadline({ ctx }: HttpDeps): MiddlewareHandler<Env> {
  return (c, next) => {
    const kind = isLiveRead(c.req.path) ? 'live' : 'other'
    return ctx.deadlines.hold(kind, c.var.exchange.abort, next)
  }
}

/** A request below `/v1` that names no operation costs as much as any other. */
async function pay({ ctx }: HttpDeps, c: HonoContext<Env>): Promise<void> {
  await ctx.access.admit(await identify(ctx, c), ['burst', 'daily'])
}

function unknownRoute(deps: HttpDeps) {
  return async (c: HonoContext<Env>): Promise<Response> => {
    await pay(deps, c)
    throw notFound(c.req.path)
  }
}

/** Posts are their authors' words: search engines should send people to the platform, not here. */
const ROBOTS_TXT = `User-agent: *\nContent-Usage: ${CONTENT_USAGE}\nDisallow: /channels/\nDisallow: /v1/\nDisallow: /watches/\nDisallow: /*?\n`

const ROUTES = [
  ...[...CATALOGUE, ...STREAMS].map(({ path }) => `/v1${path}`),
  '/v1/openapi.json',
  '/docs',
  '/mcp',
]

/** The routes, with the names and numbers of this path: of `/channels/durov/post/342`, only one word is wrong. */
function routesLike(path: string): string[] {
  const given = path.split('/')
  return ROUTES.map((route) =>
    route
      .split('/')
      .map((part, i) => (part.startsWith('{') ? given[i] || part : part))
      .join('/'),
  )
}

/** The id of a post, as answers write it, where its address was wanted: `/v1/channels/durov/342`, `/v1/posts/durov/342`. */
const POST_ID = /^\/v1\/(?:channels|posts?)\/(\w+)\/(?=\d)/

/** A public channel's link whose slashes were not encoded, where a channel was wanted: `/v1/channels/https://t.me/durov`. */
const CHANNEL_LINK = /^\/v1\/channels\/(?:https?:\/+)?(?:t|telegram)\.me\/(?:s\/)?(?=[a-z]\w{3})/i

function notFound(path: string): AppError {
  const asked = path
    .replace(CHANNEL_LINK, '/v1/channels/')
    .replace(POST_ID, '/v1/channels/$1/posts/')
  const nearest = ROUTES.includes(`/v1${path}`) ? `/v1${path}` : suggest(asked, routesLike(asked))
  const hint =
    nearest === undefined ? 'see /v1/openapi.json, /llms.txt or /docs' : `did you mean ${nearest}?`
  return new AppError('not_found', `there is nothing at this address, ${hint}`)
}

/** The only place where a thrown error becomes a reply. */
function answerError({ ctx, events }: HttpDeps, c: HonoContext<Env>, error: unknown): Response {
  const exchange =
    (c.var.exchange as typeof c.var.exchange | undefined) ??
    openExchange(c.req.raw.headers, c.env, 0)
  c.set('exchange', exchange)
  if (error instanceof AppError) {
    if (error.code === 'internal') events.requestFailed(error, exchange)
    if (error.detail !== error.message) events.requestRefused(error)
    return problemResponse(ctx, c, error)
  }
  const { reason } = exchange.abort.signal as { reason: unknown }
  // Nobody receives this reply. The status is for metrics: a client that leaves is not a failure.
  if (reason === CLIENT_GONE) return new Response(null, { status: 499 })
  if (reason === TOO_LATE) return problemResponse(ctx, c, TOO_LATE)
  events.requestFailed(error, { requestId: exchange.requestId, operation: exchange.operation })
  return problemResponse(ctx, c, internalError(error))
}
