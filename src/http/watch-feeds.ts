import { Hono } from 'hono'
import { CONTENT_USAGE } from '../model/content-usage.ts'
import { AppError } from '../model/errors.ts'
import type { Context } from '../operations/context.ts'
import { identify, presentsKey } from './credentials.ts'
import { isMatch, weakEtag } from './etag.ts'
import type { Env } from './exchange.ts'

/** A feed's text for a caller that knows its address; otherwise undefined. */
export type FeedOf = (asked: {
  readonly name: string
  readonly token: string
  readonly format: 'rss' | 'json'
}) => Promise<string | undefined>

const TYPES = { rss: 'application/rss+xml', json: 'application/feed+json' } as const

/** Feeds of watches, at addresses that cannot be guessed; a guess costs as much as any request. */
export function watchFeeds(ctx: Context, feedOf: FeedOf): Hono<Env> {
  const app = new Hono<Env>({ strict: false })
  app.get('/:name/:file', async (c) => {
    const { exchange } = c.var
    const { headers: sent } = c.req.raw
    // A feed's address is its key: feed readers cannot send another, so none is needed here even if the API requires one.
    const caller = presentsKey(sent)
      ? await identify(ctx, c)
      : (exchange.caller = ctx.access.anonymous(exchange.address))
    await ctx.access.admit(caller, ['burst'])
    const [, token = '', ending] = /^([\w-]{1,64})\.(rss|json)$/.exec(c.req.param('file')) ?? []
    const format = ending === 'json' ? 'json' : 'rss'
    const text =
      token === '' ? undefined : await feedOf({ name: c.req.param('name'), token, format })
    if (text === undefined) throw new AppError('not_found', 'there is no feed at this address')
    const headers = {
      ETag: weakEtag(text, format),
      'Cache-Control': 'private, max-age=60',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
      'X-Content-Type-Options': 'nosniff',
      'Content-Usage': CONTENT_USAGE,
    }
    if (isMatch(sent.get('if-none-match'), headers.ETag)) return c.body(null, 304, headers)
    return c.body(text, 200, { ...headers, 'Content-Type': `${TYPES[format]}; charset=utf-8` })
  })
  return app
}
