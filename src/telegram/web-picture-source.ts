import type { LookupFunction } from 'node:net'
import type { Agent, Dispatcher } from 'undici'
import { isPlatformMedia } from '../model/picture.ts'
import { readRetryAfter } from '../model/retry-after.ts'
import { headerOf, TIMEOUTS, type Timeouts } from './http-client.ts'
import type { PictureOutcome, PictureSource } from './picture-source.ts'
import { MAGIC_BYTES, hasAcceptableSize, kindOf, sniffPicture } from './sniff-picture.ts'

/**
 * GETs pictures from the platform's hosts, bounded in time and in size. Redirects are not followed, nothing is decompressed,
 * host names are resolved to public IP addresses only, and the first bytes decide whether the rest is read. It retries nothing.
 */

interface PictureSourceOptions {
  readonly userAgent: string
  readonly maxBytes: number
  readonly now: () => number
  /** A simulated platform that is asked, with the same paths, instead of the platform's hosts. */
  readonly origin: string | null
  readonly timeouts?: Partial<Timeouts>
  /** Resolves to public IP addresses only. */
  readonly lookup: LookupFunction
}

const MAX_HEADER_BYTES = 16 * 1024

/** Bytes received, however the request ended. */
interface Count {
  read: number
}
type Told = WithoutCount<PictureOutcome>
type WithoutCount<T> = T extends unknown ? Omit<T, 'read'> : never

export function createWebPictureSource(options: PictureSourceOptions): PictureSource {
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const { maxBytes, origin, lookup } = options
  const headers = {
    'user-agent': options.userAgent,
    accept: 'image/jpeg, image/png, image/webp',
    'accept-encoding': 'identity',
  }
  let agent: Promise<Agent> | undefined
  const open = () =>
    (agent ??= import('undici').then(
      (undici) =>
        new undici.Agent({
          connections: 2,
          pipelining: 1,
          connect: {
            timeout: timeouts.connectMs,
            // An origin that the operator configures may have any IP address.
            ...(origin === null ? { lookup } : {}),
          },
          headersTimeout: timeouts.headersMs,
          bodyTimeout: timeouts.bodyMs,
          maxHeaderSize: MAX_HEADER_BYTES,
        }),
    ))

  async function ask(url: string, signal: AbortSignal, count: Count): Promise<Told> {
    const { pathname, search, origin: own } = new URL(url)
    const reply = await (
      await open()
    ).request({
      origin: origin ?? own,
      path: `${pathname}${search}`,
      method: 'GET',
      headers,
      signal,
    })
    if (reply.statusCode !== 200) {
      reply.body.on('error', () => {}).destroy()
      return declined(reply, options.now())
    }
    return readPicture(reply, maxBytes, count)
  }

  return {
    async picture(url, signal) {
      signal?.throwIfAborted()
      const count: Count = { read: 0 }
      if (!isPlatformMedia(url)) return { kind: 'refused', why: 'not the platform’s', ...count }
      const total = AbortSignal.timeout(timeouts.totalMs)
      const either = signal ? AbortSignal.any([signal, total]) : total
      try {
        return { ...(await ask(url, either, count)), ...count }
      } catch (error) {
        if (signal?.aborted) throw signal.reason
        const { code, message } = error as { code?: unknown; message?: unknown }
        const why = total.aborted ? `no answer in ${timeouts.totalMs} ms` : String(code ?? message)
        return { kind: 'failed', why, ...count }
      }
    },
    async [Symbol.asyncDispose]() {
      await (await agent)?.destroy()
    },
  }
}

function declined({ statusCode, headers }: Dispatcher.ResponseData, now: number): Told {
  const retryAfterMs = readRetryAfter(headerOf(headers['retry-after']), now) ?? null
  if (statusCode === 429 || (statusCode === 503 && retryAfterMs !== null)) {
    return { kind: 'throttled', retryAfterMs }
  }
  const isGone = [401, 403, 404, 410].includes(statusCode)
  return isGone ? { kind: 'gone' } : { kind: 'failed', why: `status ${statusCode}` }
}

async function readPicture(
  { headers, body }: Dispatcher.ResponseData,
  maxBytes: number,
  count: Count,
): Promise<Told> {
  // A body that is destroyed early emits an error, which is of no interest.
  body.on('error', () => {})
  const chunks: Buffer[] = []
  const refused = (why: string): Told => {
    body.destroy()
    return { kind: 'refused', why }
  }
  const type = headerOf(headers['content-type'])
  if (!/^image\/(?:jpeg|png|webp)\b/i.test(type)) return refused(`content-type ${type}`)
  const coding = headerOf(headers['content-encoding']).toLowerCase()
  if (coding !== '' && coding !== 'identity') return refused(`content-encoding ${coding}`)
  if (Number(headerOf(headers['content-length'])) > maxBytes) return refused('too large')
  let isKnown = false
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    count.read += chunk.length
    if (count.read > maxBytes) return refused('too large')
    if (isKnown || count.read < MAGIC_BYTES) continue
    if (kindOf(Buffer.concat(chunks)) === undefined) return refused('no picture')
    isKnown = true
  }
  const bytes = Buffer.concat(chunks)
  const sniffed = sniffPicture(bytes)
  if (!sniffed) return refused('no picture')
  if (!hasAcceptableSize(sniffed)) return refused(`${sniffed.width}×${sniffed.height}`)
  return { kind: 'picture', bytes, ...sniffed }
}
