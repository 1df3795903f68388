import type { Context as HonoContext } from 'hono'
import { CONTENT_USAGE } from '../model/content-usage.ts'
import { AppError } from '../model/errors.ts'
import { createSemaphore } from '../model/semaphore.ts'
import type { Context } from '../operations/context.ts'
import { isMatch } from './etag.ts'
import type { Env } from './exchange.ts'

/**
 * A kept picture, served as a picture and nothing else: its type comes from its bytes, and a sandbox without scripts applies
 * if somebody opens it as a page. Its address is the hash of its content, so it may be cached for ever, but only by the
 * reader itself: removed pictures must not live on in shared caches.
 */
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': 'private, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
  'Content-Usage': CONTENT_USAGE,
}
const HASH = /^[0-9a-f]{64}$/

export function servePicture({ pictures }: Pick<Context, 'pictures'>) {
  /** One file is read at a time: pictures cost no quota, and many large ones at once would fill the memory. */
  const semaphore = createSemaphore(1)
  return async (c: HonoContext<Env>): Promise<Response> => {
    const sha256 = c.req.param('sha256') ?? ''
    const file = HASH.test(sha256) ? await pictures.kept(sha256) : undefined
    if (!file) throw absent()
    const etag = `"${sha256}"`
    const headers = { ...HEADERS, ETag: etag }
    if (isMatch(c.req.raw.headers.get('if-none-match'), etag)) {
      return new Response(null, { status: 304, headers })
    }
    const bytes = await semaphore.run(file.read)
    if (!bytes) throw absent()
    const name = `${sha256.slice(0, 16)}.${file.type === 'jpeg' ? 'jpg' : file.type}`
    return new Response(bytes as Uint8Array<ArrayBuffer>, {
      headers: {
        ...headers,
        'Content-Type': `image/${file.type}`,
        'Content-Length': String(bytes.length),
        'Content-Disposition': `inline; filename="${name}"`,
      },
    })
  }
}

function absent(): AppError {
  return new AppError('not_found', 'no such picture is kept here')
}
