import { createHmac, randomBytes } from 'node:crypto'
import type { Agent, Dispatcher } from 'undici'
import type { Clock } from '../model/clock.ts'
import { whyFailed } from '../model/network-reasons.ts'
import { readRetryAfter } from '../model/retry-after.ts'
import { chatTextOf, payloadOf } from './message.ts'
import {
  isPrivateLiteral,
  PrivateAddressError,
  publicLookup,
  type Resolve,
} from './private-address.ts'
import type { Sender, SendResult } from './sender.ts'

/**
 * Posts JSON as in Standard Webhooks: id, timestamp and signature in headers. Any 2xx status means received, 410 ends the
 * subscription, anything else is a failure. Redirects are not followed, and only the beginning of the response is read.
 */

interface WebhookOptions {
  readonly userAgent: string
  readonly clock: Clock
  readonly timeoutMs?: number
  /** Replaces the system's resolver in tests. */
  readonly resolve?: Resolve
}

const TIMEOUT_MS = 15_000
const MAX_ANSWER = 2_000
const SECRET = 'whsec_'

/** 24 random bytes, as the specification requires. */
export function makeWebhookSecret(): string {
  return `${SECRET}${randomBytes(24).toString('base64')}`
}

function sign(secret: string, id: string, timestampS: number, body: string): string {
  const key = Buffer.from(secret.slice(SECRET.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestampS}.${body}`).digest('base64')}`
}

export function createWebhooks(options: WebhookOptions): Sender & AsyncDisposable {
  const { clock, timeoutMs = TIMEOUT_MS } = options
  const agents: Partial<Record<'any' | 'public', Agent>> = {}
  const agentFor = async (allowPrivate: boolean): Promise<Dispatcher> => {
    // Loaded for the first delivery only: most services have none.
    const undici = await import('undici')
    const connect = { timeout: timeoutMs }
    // No limit of connections per host: there are no more than concurrent deliveries, and hanging ones would block the others.
    // While HTTP/2 is possible, all wait until one connection tells whether it is spoken.
    const limits = { pipelining: 1, allowH2: false, keepAliveTimeout: 5_000, maxHeaderSize: 16_384 }
    if (allowPrivate) return (agents.any ??= new undici.Agent({ ...limits, connect }))
    const lookup = publicLookup(options.resolve)
    return (agents.public ??= new undici.Agent({ ...limits, connect: { ...connect, lookup } }))
  }

  return {
    async send({ sinks: { webhook } }, message, signal) {
      if (!webhook) return { kind: 'gone', detail: 'the watch has no webhook any more' }
      const url = new URL(webhook.url)
      if (!webhook.allowPrivate && isPrivateLiteral(url.hostname)) return PRIVATE
      const body = JSON.stringify(
        webhook.body === 'text' ? { text: chatTextOf(message) } : payloadOf(message),
      )
      const timestampS = Math.floor(clock.now() / 1000)
      const dispatcher = await agentFor(webhook.allowPrivate)
      const limit = AbortSignal.timeout(timeoutMs)
      try {
        const reply = await dispatcher.request({
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'user-agent': options.userAgent,
            'webhook-id': message.id,
            'webhook-timestamp': String(timestampS),
            'webhook-signature': sign(webhook.secret, message.id, timestampS, body),
            ...authorization(url),
          },
          body,
          signal: AbortSignal.any([signal, limit]),
        })
        return await judge(reply, clock.now())
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (limit.aborted) return { kind: 'failed', detail: `no answer in ${timeoutMs / 1000} s` }
        return failure(error)
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([agents.any?.destroy(), agents.public?.destroy()])
    },
  }
}

const PRIVATE: SendResult = {
  kind: 'failed',
  detail: 'the address is private, and the watch was added without --allow-private',
}

/** A user and password in the URL are sent as HTTP Basic authentication, as browsers do. */
function authorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

async function judge(reply: Dispatcher.ResponseData, now: number): Promise<SendResult> {
  const { statusCode: status } = reply
  const said = await beginningOf(reply.body)
  const detail = `status ${status}${said === '' ? '' : `: ${said}`}`
  if (status >= 200 && status < 300) return { kind: 'sent', detail }
  if (status === 410) return { kind: 'gone', detail: 'answered 410: it wants nothing more' }
  if (status >= 300 && status < 400)
    return { kind: 'failed', detail: `status ${status}: redirects are not followed` }
  const after = reply.headers['retry-after']
  const retryAfterMs = readRetryAfter(String(after ?? ''), now)
  return { kind: 'failed', detail, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}

/** The beginning of the response in one line. A response that never ends, or that breaks off, is cut there. */
async function beginningOf(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  try {
    for await (const piece of body) {
      pieces.push(piece)
      length += piece.length
      if (length >= MAX_ANSWER) break
    }
  } catch {
    // The status has already been received.
  } finally {
    body.destroy()
  }
  const text = Buffer.concat(pieces).toString('utf8').slice(0, 200)
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
}

function failure(error: unknown): SendResult {
  const { cause, code, message } = error as { cause?: unknown; code?: string; message: string }
  if (error instanceof PrivateAddressError || cause instanceof PrivateAddressError) return PRIVATE
  return { kind: 'failed', detail: code === undefined ? message : whyFailed(code) }
}
