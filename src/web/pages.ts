import { Hono } from 'hono'
import type { Context as HonoContext } from 'hono'
import { AppError } from '../model/errors.ts'
import { TYPED_CATALOGUE } from '../operations/catalogue.ts'
import type { Context } from '../operations/context.ts'
import { createDeadlines } from '../operations/deadlines.ts'
import type { Operation, Reply } from '../operations/operation.ts'
import { perform } from '../operations/perform.ts'
import { isBrief } from '../operations/views/post.ts'
import { channelPath } from './address.ts'
import type { Parameters } from './address.ts'
import { ASSETS } from './assets.ts'
import { channelPage } from './channel-page.ts'
import { directoryPage } from './directory-page.ts'
import { readEmptyIndex } from './empty-index.ts'
import { errorPage } from './error-page.ts'
import { findCopies, findDuplicates } from './find-duplicates.ts'
import { homePage } from './home-page.ts'
import type { Page, Site } from './layout.ts'
import { limitsPage } from './limits-page.ts'
import { livePage } from './live-page.ts'
import { postPage } from './post-page.ts'
import { helpPage } from './query-help.ts'
import { pageHeaders } from './page-headers.ts'
import { readHome } from './read-home.ts'
import { createStatusReader } from './read-status.ts'
import { PAGE_FACETS, searchPage } from './search-page.ts'
import { statusPage } from './status-page.ts'

/** What the server hands to a page beside the request. */
export interface WebEnv {
  Variables: {
    exchange: {
      readonly requestId: string
      readonly address: string
      readonly abort: AbortController
      operation: string
    }
  }
}

interface WebOptions {
  readonly ctx: Context
  /** Pages load media from the platform's CDN. */
  readonly showMedia: boolean
  /** Pages say that channels and posts are simulated. */
  readonly isDemo?: boolean
  /** The configured pace towards the platform, for the status page; absent where this process does not know it. */
  readonly crawlRatePerS?: number
  /** Makes a body smaller, where the client says that it takes it so. */
  readonly compress: (
    body: string,
    acceptEncoding: string | null,
  ) => Promise<{ readonly body: string | Uint8Array; readonly coding: string | null }>
  /** A bug: the reader was told nothing of it. */
  readonly onFailure: (error: unknown, event: { requestId: string; operation: string }) => void
}

type PageContext = HonoContext<WebEnv>

/** All pages: each asks the same operations as the API, under the same quotas, and writes their reply as HTML. */
export function createWeb(options: WebOptions): Hono<WebEnv> {
  const { ctx, showMedia } = options
  const app = new Hono<WebEnv>()

  const headers = pageHeaders(showMedia)
  const readStatus = createStatusReader(ctx, options.crawlRatePerS ?? null)
  /** A body, smaller where the client takes it so. */
  async function send(
    c: PageContext,
    body: string,
    fields: Readonly<Record<string, string>>,
    status = 200,
  ): Promise<Response> {
    const made = await options.compress(body, c.req.header('accept-encoding') ?? null)
    const coding: Record<string, string> =
      made.coding === null ? {} : { 'Content-Encoding': made.coding }
    const sent = made.body as string | Uint8Array<ArrayBuffer>
    return c.body(sent, status as 200, { ...fields, ...coding, Vary: 'Accept-Encoding' })
  }
  const site: Site = { isDemo: options.isDemo === true }
  const show = async (c: PageContext, page: Page) => send(c, String(await page(site)), headers)

  /** Asks an operation as an anonymous caller. */
  async function ask<Data, Meta extends object>(
    c: PageContext,
    operation: Operation<Data, Meta>,
    input: Record<string, unknown>,
  ): Promise<Reply<Data, Meta>> {
    const { exchange } = c.var
    exchange.operation = `web_${operation.name}`
    const { reply, permit } = await perform(operation, input, {
      ctx,
      caller: await ctx.access.identify({ key: undefined, address: exchange.address }),
      requestId: exchange.requestId,
      signal: exchange.abort.signal,
      problem: undefined,
    })
    permit.settle('answered')
    return reply
  }

  const deadlines = createDeadlines(ctx.clock)
  app.use((c, next) => {
    const kind = c.req.path.endsWith('/live') ? 'live' : 'other'
    return deadlines.hold(kind, c.var.exchange.abort, next)
  })

  app.onError(async (error, c) => {
    const { exchange } = c.var
    const isTold = error instanceof AppError
    // Who left or came too late is the server's matter.
    if (!isTold && exchange.abort.signal.aborted) throw error
    if (!isTold) options.onFailure(error, exchange)
    const told = isTold ? error : new AppError('internal', 'something went wrong on our side')
    const username = c.req.param('username')
    const hasLive = told.code === 'channel_not_indexed' && username !== undefined
    const page = errorPage(told, {
      q: c.req.query('q'),
      live: hasLive ? `${channelPath(username)}/live` : undefined,
      requestId: exchange.requestId,
    })
    const { retryAfterS } = told
    const wait: Record<string, string> =
      retryAfterS === undefined ? {} : { 'Retry-After': String(retryAfterS) }
    const fields = { ...headers, ...wait, 'Cache-Control': 'no-store' }
    return send(c, String(await page(site)), fields, told.status)
  })

  for (const asset of Object.values(ASSETS)) {
    app.get(asset.path, (c) =>
      send(c, asset.body, {
        'Content-Type': asset.type,
        'Cache-Control': 'private, max-age=31536000, immutable',
      }),
    )
  }

  app.get('/', async (c) => {
    const parameters = parametersOf(c)
    const now = ctx.clock.now()
    if (Object.keys(parameters).length === 0) {
      return show(c, homePage(await readHome(ctx, now)))
    }
    // On every page: a cursor is bound to all that was asked with it.
    const asked = { ...parameters, facets: PAGE_FACETS }
    const reply = await ask(c, TYPED_CATALOGUE.search_posts, asked)
    const hits = Array.isArray(reply.data) ? reply.data.filter(isBrief) : []
    return show(
      c,
      searchPage({
        parameters,
        hits,
        copies: await findCopies(ctx, hits),
        meta: reply.meta,
        warnings: reply.warnings,
        empty: await readEmptyIndex(ctx, now),
        now,
      }),
    )
  })

  app.get('/channels', async (c) => {
    const parameters = parametersOf(c)
    const reply = await ask(c, TYPED_CATALOGUE.list_channels, parameters)
    return show(
      c,
      directoryPage({
        parameters,
        channels: reply.data,
        next: reply.meta.next_cursor,
        warnings: reply.warnings,
        now: ctx.clock.now(),
      }),
    )
  })

  app.get('/channels/:username', async (c) => {
    const parameters = parametersOf(c)
    const username = c.req.param('username')
    const profile = await ask(c, TYPED_CATALOGUE.get_channel, { username })
    const posts = await TYPED_CATALOGUE.list_channel_posts.invoke(
      ctx,
      { ...parameters, username },
      freeCall(c),
    )
    return show(
      c,
      channelPage({
        profile: profile.data,
        posts: posts.data.filter(isBrief),
        next: posts.meta.next_cursor,
        parameters,
        warnings: profile.warnings,
        showMedia,
        now: ctx.clock.now(),
      }),
    )
  })

  app.get('/channels/:username/live', async (c) => {
    const reply = await ask(c, TYPED_CATALOGUE.get_live_channel, {
      ...parametersOf(c),
      username: c.req.param('username'),
    })
    const { data: live, warnings } = reply
    return show(c, livePage({ live, warnings, showMedia, now: ctx.clock.now() }))
  })

  app.get('/channels/:username/posts/:slug', async (c) => {
    const reply = await ask(c, TYPED_CATALOGUE.get_post, c.req.param())
    const post = reply.data
    const duplicates = await findDuplicates(ctx, post)
    return show(c, postPage({ post, duplicates, warnings: reply.warnings, showMedia }))
  })

  app.get('/help', (c) => show(c, helpPage()))
  app.get('/limits', async (c) => {
    const reply = await ask(c, TYPED_CATALOGUE.get_meta, {})
    return show(c, limitsPage(reply.data))
  })
  app.get('/status', async (c) => {
    const reply = await ask(c, TYPED_CATALOGUE.get_meta, {})
    return show(c, statusPage(await readStatus(reply.data)))
  })

  app.get('*', (c) => {
    if (!(c.req.header('accept') ?? '').includes('text/html')) return c.notFound()
    throw new AppError('not_found', 'there is nothing at this address')
  })

  /** The second question of a page that already paid for itself. */
  function freeCall(c: PageContext) {
    const { exchange } = c.var
    return {
      caller: ctx.access.anonymous(exchange.address),
      requestId: exchange.requestId,
      signal: exchange.abort.signal,
      spend: async () => {},
      giveBack: () => {},
    }
  }

  return app
}

/** How the API's reply is shaped, which a page decides for itself. */
const SHAPES = new Set(['detail', 'explain', 'facets', 'format', 'max_chars'])

/** Repeated parameters are joined; empty ones, as forms send them, mean not given. */
function parametersOf(c: PageContext): Parameters {
  return Object.fromEntries(
    Object.entries(c.req.queries())
      .map(([name, values]) => [name, values.filter((v) => v !== '').join(',')] as const)
      .filter(([name, value]) => value !== '' && !SHAPES.has(name)),
  )
}
