import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context as HonoContext, Handler } from 'hono'
import { CONTENT_USAGE } from '../model/content-usage.ts'
import { AppError, asAppError, errorOf } from '../model/errors.ts'
import type { Context } from '../operations/context.ts'
import {
  nextPageOf,
  type Format,
  type Operation,
  type Reply,
  type ReplyFile,
} from '../operations/operation.ts'
import { perform } from '../operations/perform.ts'
import { identify } from './credentials.ts'
import { isMatch, weakEtag } from './etag.ts'
import { elapsedMs, type Env } from './exchange.ts'
import { negotiate, MEDIA_TYPES } from './negotiate.ts'
import { MAX_URL, readQuery } from './raw-input.ts'
import { jsonBody, stableJson } from '../operations/render/json.ts'
import { isExplanation } from '../operations/render/items.ts'
import { EXPLANATION_FORMATS, render } from '../operations/render/render.ts'
import { baseHeaders, bodyResponse, warningHeaders, type Headers } from './respond.ts'
import { createFileSender, type FileSender } from './send-file.ts'

/** One operation as a route: identifies the caller, parses the request, runs the operation and writes the reply. */
export function serveOperation(ctx: Context, operation: Operation): Handler<Env> {
  const isMeta = operation.policies.length === 0
  const sender = createFileSender()
  const holdsPosts = 'content_origin' in operation.meta.shape
  return async (c) => {
    const exchange = c.var.exchange
    exchange.operation = operation.name
    const caller = await identify(ctx, c)
    const asked = read(c, operation)
    const request = {
      ctx,
      caller,
      requestId: exchange.requestId,
      signal: exchange.abort.signal,
      problem: asked.problem,
      ofFace: ['format'],
    }
    return perform(operation, asked.input, request, async (reply, permit) => {
      // Only now: the input is known to be valid, and therefore short.
      const { url } = c.req.raw
      const format = isExplanation(reply.data)
        ? asked.formatOf(EXPLANATION_FORMATS, ' with explain, which finds no posts')
        : asked.format
      exchange.format = format

      const stable = stableJson(reply, ctx.clock.now())
      const headers = baseHeaders(ctx, c)
      headers['Cache-Control'] = isMeta
        ? 'no-store'
        : caller.key
          ? 'private, no-cache'
          : 'public, no-cache'
      const next = nextLink(ctx, url, reply)
      if (next !== null) headers['Link'] = `<${next}>; rel="next", ${headers['Link']}`
      if (reply.warnings.length > 0) Object.assign(headers, warningHeaders(reply.warnings))
      if (holdsPosts) headers['Content-Usage'] = CONTENT_USAGE
      if (!isMeta) {
        const etag = weakEtag(stable.lasting, format)
        headers['ETag'] = etag
        if (isMatch(c.req.raw.headers.get('if-none-match'), etag)) {
          permit.refund('daily')
          // Computed again after the refund, so that the headers do not count what a 304 does not cost.
          headers['RateLimit'] = baseHeaders(ctx, c)['RateLimit']!
          return new Response(null, { status: 304, headers })
        }
      }
      if (format === 'zip') {
        return fileResponse(c, { headers, file: reply.file!, sender, callerId: caller.id })
      }
      headers['Content-Type'] = `${MEDIA_TYPES[format]}; charset=utf-8`
      const body =
        format === 'json'
          ? jsonBody(stable, exchange.requestId, elapsedMs(exchange))
          : await render(format, { operation, reply, selfUrl: selfUrl(ctx, url), next })
      return bodyResponse(c, headers, body)
    })
  }
}

/** Never compressed, so that what is stored is exactly what was signed. */
function fileResponse(
  c: HonoContext<Env>,
  {
    headers,
    file,
    sender,
    callerId,
  }: { headers: Headers; file: ReplyFile; sender: FileSender; callerId: string },
): Response {
  headers['Content-Type'] = MEDIA_TYPES.zip
  headers['Content-Disposition'] = `attachment; filename="${file.name}"`
  headers['Content-Length'] = String(file.length)
  if (c.req.method === 'HEAD') return new Response(null, { status: 200, headers })
  const send = sender.begin(callerId)
  const { outgoing } = c.env
  outgoing.writeHead(200, headers)
  void send(outgoing, file, c.var.exchange.abort.signal)
  return RESPONSE_ALREADY_SENT
}

interface Asked {
  readonly input: Readonly<Record<string, unknown>>
  readonly format: Format
  /** The caller's preferred format among those that a reply can have; throws as `negotiate` does. */
  readonly formatOf: (formats: readonly Format[], because?: string) => Format
  readonly problem: AppError | undefined
}

const FEEDS: readonly Format[] = ['rss', 'jsonfeed']

/** Problems are held as values until the request has been charged. */
function read(c: HonoContext<Env>, operation: Operation): Asked {
  let input: Record<string, unknown> = {}
  let wanted: unknown
  const formatOf = (formats: readonly Format[], because?: string) =>
    negotiate(wanted, c.req.raw.headers.get('accept'), formats, because)
  try {
    input = readQuery(c.req.raw.url)
    wanted = input['format']
    delete input['format']
    const format = formatOf(operation.formats)
    // Feed readers want whole posts.
    if (FEEDS.includes(format) && 'detail' in operation.input.shape) input['detail'] ??= 'full'
    for (const [name, value] of Object.entries(c.req.param())) {
      if (input[name] !== undefined) throw inPathAlready(name)
      input[name] = value
    }
    return { input, format, formatOf, problem: undefined }
  } catch (error) {
    return { input, format: 'json', formatOf, problem: asAppError(error) }
  }
}

function inPathAlready(name: string): AppError {
  const detail = `unknown parameter \`${name}\`: it is a part of the path`
  return errorOf({ parameter: name, code: 'unknown_parameter', detail })
}

function selfUrl(ctx: Context, url: string): string {
  const { pathname, search } = new URL(url)
  return `${ctx.settings.publicUrl}${pathname}${search}`
}

function nextLink(ctx: Context, url: string, reply: Reply): string | null {
  const cursor = nextPageOf(reply)
  if (cursor === null) return null
  const { pathname, searchParams } = new URL(url)
  searchParams.set('cursor', cursor)
  const next = `${ctx.settings.publicUrl}${pathname}?${searchParams.toString()}`
  // Longer than any address we accept; the cursor in the reply would make the same address.
  return next.length > MAX_URL ? null : next
}
