import { Hono } from 'hono'
import { CONTENT_USAGE } from '../model/content-usage.ts'
import { AppError, type ErrorCode } from '../model/errors.ts'
import type { Context } from '../operations/context.ts'
import { isLiveRead } from '../operations/deadlines.ts'
import { channelPath, pageOfPlatformPath } from './address.ts'
import { createAsk, type PageContext, type WebEnv } from './ask.ts'
import { ASSETS } from './assets.ts'
import { errorPage } from './error-page.ts'
import { createFront } from './front.ts'
import type { Page, Site } from './layout.ts'
import { OPML_PATH, opmlOf } from './opml.ts'
import { pageHeaders } from './page-headers.ts'
import { PAGES, parametersOf } from './pages.ts'

interface WebOptions {
  readonly ctx: Context
  /** Pages load media from the platform's CDN. */
  readonly showMedia: boolean
  /** Pages say that channels and posts are simulated. */
  readonly isDemo?: boolean
  /** Compresses a body if the client accepts it. */
  readonly compress: (
    body: string,
    acceptEncoding: string | null,
  ) => Promise<{ readonly body: string | Uint8Array; readonly coding: string | null }>
  /** A bug; the reader was given no details. */
  readonly onFailure: (error: unknown, event: { requestId: string; operation: string }) => void
  /** Something that is needed is down; the page does not say where. */
  readonly onRefusal: (error: AppError) => void
}

/** The pages and their assets, under the same quotas and deadlines as the API. */
export function createWeb(options: WebOptions): Hono<WebEnv> {
  const { ctx, showMedia } = options
  const app = new Hono<WebEnv>()
  const { send, show } = createSender(options)
  app.use((c, next) => {
    const { refusal } = c.var.exchange
    if (refusal) throw refusal
    const kind = isLiveRead(c.req.path) ? 'live' : 'other'
    return ctx.deadlines.hold(kind, c.var.exchange.abort, next)
  })
  for (const asset of Object.values(ASSETS)) {
    app.get(asset.path, (c) =>
      send(c, asset.body, {
        'Content-Type': asset.type,
        'Cache-Control': 'private, max-age=31536000, immutable',
      }),
    )
  }
  const front = createFront(ctx)
  for (const [path, make] of Object.entries(PAGES)) {
    app.get(path, async (c) => {
      const ask = createAsk(ctx, c.var)
      try {
        const page = await make({
          ask,
          names: c.req.param(),
          parameters: parametersOf(c),
          context: { now: ctx.clock.now(), showMedia },
          front,
        })
        // Once the reader has been answered that the page is late, it is not shown.
        c.var.exchange.abort.signal.throwIfAborted()
        return await show(c, page)
      } catch (error) {
        ask.failed(error)
        throw error
      }
    })
  }
  app.get(OPML_PATH, async (c) => {
    // Charged, because it parses as many searches as are named.
    await ctx.access.admit(ctx.access.anonymous(c.var.exchange.address), ['burst'])
    const channels = c.req.queries('channel') ?? []
    const searches = c.req.queries('search') ?? []
    return send(c, opmlOf({ channels, searches }, ctx.settings.publicUrl), {
      'Content-Type': 'text/x-opml; charset=utf-8',
      'Content-Disposition': 'attachment; filename="telegrep.opml"',
      'Cache-Control': 'private, no-cache',
      'X-Content-Type-Options': 'nosniff',
    })
  })
  app.get('*', (c) => {
    const ours = pageOfPlatformPath(c.req.path)
    if (ours !== undefined) return c.redirect(ours)
    if (!(c.req.header('accept') ?? '').includes('text/html')) return c.notFound()
    // People try this path because other sites have their search there.
    if (c.req.path === '/search') return c.redirect(`/${new URL(c.req.url).search}`)
    throw new AppError('not_found', 'there is nothing at this address')
  })
  app.onError(async (error, c) => {
    const { exchange } = c.var
    const isTold = error instanceof AppError
    // A client that left, or a deadline, is handled by the server.
    if (!isTold && exchange.abort.signal.aborted) throw error
    if (!isTold) options.onFailure(error, exchange)
    else if (error.detail !== error.message) options.onRefusal(error)
    const told = isTold ? error : new AppError('internal', 'something went wrong on our side')
    return show(c, pageOfError(told, c), told)
  })
  return app
}

/** Writes bodies and pages, compressed if the client accepts it. */
function createSender({ showMedia, isDemo, compress }: WebOptions) {
  const headers = { ...pageHeaders(showMedia), 'Content-Usage': CONTENT_USAGE }
  const site: Site = { isDemo: isDemo === true }

  async function send(
    c: PageContext,
    body: string,
    fields: Readonly<Record<string, string>>,
    status = 200,
  ): Promise<Response> {
    const made = await compress(body, c.req.header('accept-encoding') ?? null)
    const coding: Record<string, string> =
      made.coding === null ? {} : { 'Content-Encoding': made.coding }
    const sent = made.body as string | Uint8Array<ArrayBuffer>
    return c.body(sent, status as 200, { ...fields, ...coding, Vary: 'Accept-Encoding' })
  }

  async function show(c: PageContext, page: Page, error?: AppError): Promise<Response> {
    const body = String(await page(site))
    if (!error) return send(c, body, headers)
    const { retryAfterS } = error
    const wait: Record<string, string> =
      retryAfterS === undefined ? {} : { 'Retry-After': String(retryAfterS) }
    return send(c, body, { ...headers, ...wait, 'Cache-Control': 'no-store' }, error.status)
  }

  return { send, show }
}

function pageOfError(error: AppError, c: PageContext): Page {
  const username = c.req.param('username')
  const hasLive = error.code === 'channel_not_indexed' && username !== undefined
  return errorPage(error, {
    path: c.req.path,
    parameters: parametersOf(c),
    live: hasLive ? `${channelPath(username)}/live` : undefined,
    channel:
      username !== undefined && HAS_CHANNEL.has(error.code) ? channelPath(username) : undefined,
    requestId: c.var.exchange.requestId,
  })
}

/** Errors for which the channel's own page may still be shown. */
const HAS_CHANNEL: ReadonlySet<ErrorCode> = new Set([
  'post_not_found',
  'post_deleted',
  'post_removed',
  'upstream_failed',
  'upstream_timeout',
  'upstream_throttled',
])
