import { Hono } from 'hono'
import type { Context as HonoContext } from 'hono'
import { html } from 'hono/html'
import { AppError } from '../model/errors.ts'
import { TYPED_CATALOGUE } from '../operations/catalogue.ts'
import type { Context } from '../operations/context.ts'
import type { Operation, Reply, Warning } from '../operations/operation.ts'
import { perform } from '../operations/perform.ts'
import { channelPath } from './address.ts'
import type { Parameters } from './address.ts'
import { ASSETS } from './assets.ts'
import { channelPage, directoryPage, livePage } from './channel-page.ts'
import { findDuplicates } from './find-duplicates.ts'
import { errorPage, helpPage, limitsPage, statusPage } from './info-pages.ts'
import type { Markup } from './layout.ts'
import { fullPost, postPage } from './post-page.ts'
import { PAGE_FACETS, coverageLine, homePage, searchPage } from './search-page.ts'
import { readStatus } from './read-status.ts'
import type {
  BriefPost,
  ChannelProfile,
  Hit,
  ListedChannel,
  LiveRead,
  Meta,
  Post,
  SearchMeta,
} from './views.ts'

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

export interface WebOptions {
  readonly ctx: Context
  /** Pages load media from the platform's CDN. */
  readonly showMedia: boolean
  /** A bug: the reader was told nothing of it. */
  readonly onFailure: (error: unknown, event: { requestId: string; operation: string }) => void
}

type PageContext = HonoContext<WebEnv>

/** All pages: each asks the same operations as the API, under the same quotas, and writes their reply as HTML. */
export function createWeb({ ctx, showMedia, onFailure }: WebOptions): Hono<WebEnv> {
  const app = new Hono<WebEnv>()
  const policy = contentPolicy(showMedia)

  const show = async (c: PageContext, body: Markup, status = 200) =>
    c.html(await body, status as 200, {
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-cache',
    })

  /** Asks an operation as an anonymous caller. */
  async function ask(
    c: PageContext,
    operation: Operation,
    input: Record<string, unknown>,
  ): Promise<Reply> {
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

  app.onError(async (error, c) => {
    const told =
      error instanceof AppError
        ? error
        : new AppError('internal', 'something went wrong on our side')
    if (told !== error) onFailure(error, c.var.exchange)
    const username = c.req.param('username')
    const live =
      told.code === 'channel_not_indexed' && username !== undefined
        ? { live: `${channelPath(username)}/live` }
        : {}
    const q = c.req.query('q')
    return show(
      c,
      errorPage(told, {
        ...(q === undefined ? {} : { q }),
        ...live,
        requestId: c.var.exchange.requestId,
      }),
      told.status,
    )
  })

  for (const asset of Object.values(ASSETS)) {
    app.get(asset.path, (c) =>
      c.body(asset.body, 200, {
        'Content-Type': asset.type,
        'Cache-Control': 'public, max-age=31536000, immutable',
      }),
    )
  }

  app.get('/', async (c) => {
    const parameters = parametersOf(c)
    const now = ctx.clock.now()
    if (Object.keys(parameters).length === 0) {
      const state = await ctx.overview.index()
      const line = coverageLine({ coverage: coverageOf(state, await ctx.overview.lagS()) }, now)
      return show(
        c,
        homePage(
          html`<p class="soft">
            ${state.posts === 0 ? emptyIndex() : line.replace('Searched', 'Searches')}
          </p>`,
        ),
      )
    }
    const facets = parameters['cursor'] === undefined ? { facets: PAGE_FACETS } : {}
    const reply = await ask(c, TYPED_CATALOGUE.search_posts, { ...parameters, ...facets })
    return show(
      c,
      searchPage({
        parameters,
        hits: reply.data as Hit[],
        meta: reply.meta as SearchMeta,
        warnings: reply.warnings,
        now,
      }),
    )
  })

  app.get('/channels', async (c) => {
    const parameters = parametersOf(c)
    const reply = await ask(c, TYPED_CATALOGUE.list_channels, parameters)
    const { next_cursor: next } = reply.meta as { next_cursor: string | null }
    return show(
      c,
      directoryPage({
        parameters,
        channels: reply.data as ListedChannel[],
        next,
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
    const { next_cursor: next } = posts.meta as { next_cursor: string | null }
    return show(
      c,
      channelPage({
        profile: profile.data as ChannelProfile,
        posts: posts.data as BriefPost[],
        next,
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
    const live = reply.data as LiveRead
    const cards = html`${live.posts.map((post) => fullPost(post, showMedia))}`
    const warnings: readonly Warning[] = reply.warnings
    return show(c, livePage({ live, cards, warnings, showMedia, now: ctx.clock.now() }))
  })

  app.get('/channels/:username/posts/:slug', async (c) => {
    const reply = await ask(c, TYPED_CATALOGUE.get_post, c.req.param())
    const post = reply.data as Post
    return show(c, postPage({ post, duplicates: await findDuplicates(ctx, post), showMedia }))
  })

  app.get('/help', (c) => show(c, helpPage()))
  app.get('/limits', async (c) => {
    const reply = await ask(c, TYPED_CATALOGUE.get_meta, {})
    return show(c, limitsPage(reply.data as Meta))
  })
  app.get('/status', async (c) => {
    const reply = await ask(c, TYPED_CATALOGUE.get_meta, {})
    return show(c, statusPage(await readStatus(ctx, reply.data as Meta)))
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

/** Repeated parameters are joined; empty ones, as forms send them, mean not given. */
function parametersOf(c: PageContext): Parameters {
  const all = c.req.queries()
  return Object.fromEntries(
    Object.entries(all)
      .map(([name, values]) => [name, values.filter((v) => v !== '').join(',')] as const)
      .filter(([, value]) => value !== ''),
  )
}

function coverageOf(
  state: { posts: number; channels: number; newestPostAt: number | null },
  lagS: number,
) {
  return {
    channels: state.channels,
    posts: state.posts,
    newest_post_at: state.newestPostAt === null ? null : new Date(state.newestPostAt).toISOString(),
    index_lag_s: lagS,
    complete: true,
    reason: null,
    not_indexed: [],
  }
}

function emptyIndex(): Markup {
  return html`Nothing is indexed yet. On the server: <code>telegrep add durov</code>, or
    <code>telegrep demo</code> to look around.`
}

function contentPolicy(showMedia: boolean): string {
  const cdn =
    'https://*.telesco.pe https://*.cdn-telegram.org https://*.telegram-cdn.org https://*.telegram.space'
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    `img-src 'self'${showMedia ? ` ${cdn}` : ''}`,
    ...(showMedia ? [`media-src ${cdn}`] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
