import { brotliDecompress, gunzip, constants } from 'node:zlib'
import { promisify } from 'node:util'
import type { Pool } from 'undici'
import { readRetryAfter } from '../model/retry-after.ts'
import { decodeUtf8 } from './charset.ts'
import { isWhole } from './classify.ts'

/**
 * GETs paths of one origin over one keep-alive pool, bounded in time and in size, both before and after decompression.
 * Redirects are returned as answers and never followed. It retries nothing.
 */

export interface Timeouts {
  readonly connectMs: number
  readonly headersMs: number
  /** Between two pieces of the body. */
  readonly bodyMs: number
  readonly totalMs: number
}

export const TIMEOUTS: Timeouts = {
  connectMs: 5_000,
  headersMs: 8_000,
  bodyMs: 8_000,
  totalMs: 15_000,
}

const MAX_WIRE_BYTES = 2 * 1024 * 1024
/** The largest pages seen have 300 KB; twenty posts of 4 096 emoji, each some hundred bytes of markup, have 9 MB. */
const MAX_TEXT_BYTES = 10 * 1024 * 1024
const MAX_HEADER_BYTES = 16 * 1024

export type Answer =
  | { readonly kind: 'text'; readonly status: number; readonly text: string }
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  | { readonly kind: 'refused'; readonly status: number; readonly retryAfterMs: number | null }
  | {
      readonly kind: 'failed'
      readonly what:
        'timeout' | 'network' | 'too_large' | 'wrong_type' | 'wrong_charset' | 'truncated'
      readonly detail: string
    }

interface HttpClient extends AsyncDisposable {
  /**
   * Loads what requests need. Awaited before a permit is taken: otherwise requests that hold permits would wait here and then
   * all be sent at once.
   */
  ready(): Promise<unknown>
  /** Rejects only with the signal's reason. `path` starts with a slash. */
  get(path: string, signal?: AbortSignal): Promise<Answer>
}

export interface HttpClientOptions {
  /** `https://t.me`, or the address of the simulated platform. */
  readonly origin: string
  /** Names who is asking, with a contact. */
  readonly userAgent: string
  readonly timeouts?: Partial<Timeouts>
  readonly now: () => number
  /** Called with the server's own time, for every answer that has it and does not come from a cache. */
  readonly onDate?: (at: number) => void
}

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  let pool: Promise<Pool> | undefined
  /** Loaded with the first request, so that a process that never fetches starts without undici. */
  const open = () =>
    (pool ??= import('undici').then(
      (undici) =>
        // No limit on connections: permitted requests that wait for a free one would all be sent at once when it comes.
        new undici.Pool(new URL(options.origin).origin, {
          pipelining: 1,
          // While HTTP/2 is possible, all requests wait until one connection tells whether it is spoken, past their timeouts.
          allowH2: false,
          connect: { timeout: timeouts.connectMs },
          headersTimeout: timeouts.headersMs,
          bodyTimeout: timeouts.bodyMs,
          maxResponseSize: MAX_WIRE_BYTES,
          maxHeaderSize: MAX_HEADER_BYTES,
        }),
    ))
  const headers = {
    'user-agent': options.userAgent,
    accept: 'text/html',
    'accept-encoding': 'gzip, br',
    // The parser reads fixed phrases of the page as data, so they must be in the language it knows.
    'accept-language': 'en',
  }
  return {
    ready: open,
    async get(path, signal) {
      signal?.throwIfAborted()
      const total = AbortSignal.timeout(timeouts.totalMs)
      const either = signal ? AbortSignal.any([signal, total]) : total
      try {
        const client = await open()
        const reply = await client.request({ path, method: 'GET', headers, signal: either })
        const date = Date.parse(headerOf(reply.headers['date']))
        const isCached = reply.headers['age'] !== undefined
        if (!Number.isNaN(date) && !isCached) options.onDate?.(date)
        if (reply.statusCode !== 200) {
          // The body of a refusal is not read; up to 128 KiB of it are drained to keep the connection.
          await reply.body.dump()
          return refusal(reply.statusCode, reply.headers, options.now())
        }
        const type = headerOf(reply.headers['content-type'])
        if (!/^text\/html\b/i.test(type)) {
          await reply.body.dump()
          return { kind: 'failed', what: 'wrong_type', detail: `content-type ${type || 'missing'}` }
        }
        const wire = Buffer.from(await reply.body.arrayBuffer())
        const bytes = await unpack(wire, headerOf(reply.headers['content-encoding']))
        const text = decodeUtf8(bytes, type)
        if (text === undefined) {
          // Bytes that are not a page at all are treated like a page that broke off: another attempt may succeed.
          const what = isWhole(bytes.toString('latin1')) ? 'wrong_charset' : 'truncated'
          return { kind: 'failed', what, detail: `content-type ${type}` }
        }
        return { kind: 'text', status: reply.statusCode, text }
      } catch (error) {
        if (signal?.aborted) throw signal.reason
        if (total.aborted) {
          return { kind: 'failed', what: 'timeout', detail: `no answer in ${timeouts.totalMs} ms` }
        }
        return failureOf(error)
      }
    },
    async [Symbol.asyncDispose]() {
      await (await pool)?.destroy()
    },
  }
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

function refusal(status: number, headers: Headers, now: number): Answer {
  if (status >= 300 && status < 400) {
    return { kind: 'redirect', status, location: headerOf(headers['location']) }
  }
  const retryAfterMs = readRetryAfter(headerOf(headers['retry-after']), now) ?? null
  return { kind: 'refused', status, retryAfterMs }
}

export function headerOf(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

const LIMITED = { maxOutputLength: MAX_TEXT_BYTES }
const gunzipLimited = promisify((wire: Buffer, done: (e: Error | null, out: Buffer) => void) =>
  gunzip(wire, { ...LIMITED, finishFlush: constants.Z_FINISH }, done),
)
const brotliLimited = promisify((wire: Buffer, done: (e: Error | null, out: Buffer) => void) =>
  brotliDecompress(wire, LIMITED, done),
)

async function unpack(wire: Buffer, encoding: string): Promise<Buffer> {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return wire
    case 'gzip':
    case 'x-gzip':
      return gunzipLimited(wire)
    case 'br':
      return brotliLimited(wire)
    default:
      throw Object.assign(new Error(`content-encoding ${encoding}`), { code: 'WRONG_ENCODING' })
  }
}

/** What each error of undici and zlib means here; all others are failures of the network. */
const FAILURES: Readonly<Record<string, (Answer & { kind: 'failed' })['what']>> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'too_large',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
  HPE_HEADER_OVERFLOW: 'too_large',
  ERR_BUFFER_TOO_LARGE: 'too_large',
  WRONG_ENCODING: 'wrong_type',
  Z_BUF_ERROR: 'truncated',
  ERR_BROTLI_DECODER_ERROR_UNREACHABLE: 'truncated',
  Z_DATA_ERROR: 'wrong_type',
}

function failureOf(error: unknown): Answer {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const name = typeof code === 'string' ? code : ''
  const what = FAILURES[name] ?? (name.startsWith('ERR_BROTLI') ? 'wrong_type' : 'network')
  return { kind: 'failed', what, detail: name || String(message) }
}
