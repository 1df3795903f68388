import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { AppError, asAppError, errorOf } from '../model/errors.ts'
import { beginningOf, found } from '../model/found.ts'
import { isRecord, parseJson } from '../model/parse-json.ts'
import type { Context } from '../operations/context.ts'
import type { Env, QueryContent } from './exchange.ts'
import { MAX_PARAMETERS } from './raw-input.ts'
import { wholeBody } from './whole-body.ts'

/** Where QUERY (RFC 10008) is served: the parameters of a GET as a JSON object, for lists too long for an address. */
export const QUERY_PATH = '/v1/search'
export const QUERY_TYPE = 'application/json'

const MAX_BODY_BYTES = 64 * 1024

export function isQueryPath(path: string): boolean {
  return path === QUERY_PATH || path === `${QUERY_PATH}/`
}

/** Reads the content before the request takes a place among those in progress: while it is still arriving it causes no work. */
export function takeQuery(ctx: Context): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (c.req.method === 'QUERY' && isQueryPath(c.req.path)) {
      c.var.exchange.content = await readContent(ctx, c).catch(asAppError)
    }
    await next()
  }
}

async function readContent(
  ctx: Context,
  c: HonoContext<Env>,
): Promise<Readonly<Record<string, unknown>>> {
  const type = c.req.raw.headers.get('content-type')
  if (type === null) throw new AppError('invalid_request', `expected Content-Type: ${QUERY_TYPE}`)
  if (type.split(';', 1)[0]!.trim().toLowerCase() !== QUERY_TYPE) {
    throw new AppError(
      'unsupported_media_type',
      `expected Content-Type: ${QUERY_TYPE}, found ${found(type)}`,
    )
  }
  const coding = c.req.raw.headers.get('content-encoding')
  if (coding !== null && coding.trim().toLowerCase() !== 'identity') {
    const detail = `expected content without a Content-Encoding, found ${found(coding)}`
    throw new AppError('unsupported_media_type', detail)
  }
  return parse(await wholeBody(ctx, c, readText(c.req.raw)))
}

async function readText({ body }: Request): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) {
      throw new AppError('content_too_large', `expected at most ${MAX_BODY_BYTES} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text)
  if (isRecord(value)) {
    if (Object.keys(value).length > MAX_PARAMETERS)
      throw new AppError('invalid_request', `expected at most ${MAX_PARAMETERS} parameters`)
    const repeated = repeatedName(text)
    if (repeated === undefined) return value
    const detail = 'given more than once; several values are a list'
    throw errorOf({ parameter: beginningOf(repeated), code: 'invalid_parameter', detail })
  }
  const what = value === undefined ? 'what is no JSON' : found(value)
  throw new AppError('invalid_request', `expected a JSON object of parameters, found ${what}`)
}

/**
 * A name that occurs twice in the object; JSON.parse would take the last. No value is an object, so all names are top-level.
 */
function repeatedName(json: string): string | undefined {
  const names = new Set<string>()
  for (const [, string = '', colon] of json.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?/g)) {
    if (colon === undefined) continue
    const name = JSON.parse(string) as string
    if (names.has(name)) return name
    names.add(name)
  }
  return undefined
}

/** The address at which GET gives the same reply; RFC 10008 calls it the equivalent resource. Only for valid content. */
export function equivalentUrl(url: string, content: QueryContent | undefined): string {
  if (content === undefined || content instanceof AppError) return url
  const made = new URL(url)
  for (const [name, value] of Object.entries(content)) {
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
      made.searchParams.append(name, String(each))
    }
  }
  return made.href
}
