import { pause, systemClock } from '../model/clock.ts'
import { addressOf } from '../operations/address-of.ts'
import type { FollowInput } from '../operations/stream-posts.ts'
import type { Warning } from '../operations/warnings.ts'
import { ApiError } from './api-error.ts'
import { createEventParser, type StreamEvent } from './event-stream.ts'
import { request, type ClientOptions, whyUnreachable } from './request.ts'

export interface FollowOptions extends ClientOptions {
  readonly signal?: AbortSignal
  /** Continue after this event. */
  readonly sinceId?: string | undefined
  /** Called with each id up to which everything has been read, even if no event was yielded. */
  readonly onPlace?: (id: string) => void
  /** Called with what to know before waiting, such as that a channel is not indexed; again after each break. */
  readonly onWarnings?: (warnings: readonly Warning[]) => void
  /** Called after each break, with the wait before the next attempt. */
  readonly onBreak?: (why: string, waitMs: number) => void
}

const LEAST_WAIT_MS = 1_000
const MOST_WAIT_MS = 60_000
/** A comment comes every 15 seconds; after this long without anything, the connection is considered lost. */
const SILENCE_MS = 45_000

/**
 * Follows a search until the loop ends, or until the service ends the stream because of its `limit`. A broken connection is
 * reopened where it broke. Throws an ApiError when the service refuses, unless it asks to wait or has failed.
 */
export async function* followSearch(
  input: FollowInput,
  options: FollowOptions,
): AsyncGenerator<StreamEvent, void, undefined> {
  const { signal, url } = options
  const limit = Number(input.limit)
  let told = 0
  let sinceId = options.sinceId
  let failures = 0
  for (;;) {
    let why = 'the stream ended'
    let waitMs = LEAST_WAIT_MS
    try {
      // The limit is for all connections together, so each asks for what the earlier ones left.
      const asked = limit > 0 ? { ...input, limit: limit - told } : input
      for await (const { retryMs, ...event } of connect(asked, sinceId, options)) {
        failures = 0
        waitMs = retryMs ?? waitMs
        sinceId = event.id ?? sinceId
        if (event.event !== NOTHING && event.event !== 'begin') yield event
        if (event.id !== undefined) options.onPlace?.(event.id)
        if (event.event === 'post') told++
        const { reason, warnings } = (event.data ?? {}) as Told
        if (event.event === 'begin' && warnings) options.onWarnings?.(warnings)
        if (event.event === 'end') why = `the stream ended: ${reason}`
        if (event.event === 'end' && reason === 'limit') return
      }
    } catch (error) {
      if (signal?.aborted) return
      const isAnswer = error instanceof ApiError
      if (isAnswer && error.retryAfterS === undefined && error.status < 500) throw error
      why = isAnswer ? error.message : whyUnreachable(url, error)
      waitMs = isAnswer ? (error.retryAfterS ?? 0) * 1_000 : waitMs
      failures++
    }
    if (signal?.aborted || told === limit) return
    const first = Math.max(LEAST_WAIT_MS, waitMs)
    const wait = Math.min(MOST_WAIT_MS, first * 2 ** Math.max(0, failures - 1))
    options.onBreak?.(why, wait)
    await pause(systemClock, wait, signal)
    if (signal?.aborted) return
  }
}

interface Told {
  readonly reason?: string
  readonly warnings?: readonly Warning[]
}

/** No event, but the reader's place has moved. */
const NOTHING = ''

async function* connect(
  input: Readonly<Record<string, unknown>>,
  sinceId: string | undefined,
  options: FollowOptions,
): AsyncGenerator<StreamEvent & { readonly retryMs: number | undefined }> {
  const silence = new AbortController()
  const signals = [silence.signal, ...(options.signal ? [options.signal] : [])]
  let timer: ReturnType<typeof setTimeout> | undefined
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(new Error('nothing was heard')), SILENCE_MS)
  }
  try {
    heard()
    const response = await request(options, addressOf('/stream', input), {
      headers: {
        Accept: 'text/event-stream',
        ...(sinceId === undefined ? {} : { 'Last-Event-ID': sinceId }),
      },
      signal: AbortSignal.any(signals),
    })
    const type = response.headers.get('content-type') ?? ''
    // A captive portal or another server: read as a stream, its page would look like one that ends at once.
    if (!type.startsWith('text/event-stream')) {
      await response.body?.cancel()
      throw new SyntaxError('expected events')
    }
    const parser = createEventParser()
    const decoder = new TextDecoder()
    for await (const piece of piecesOf(response.body)) {
      heard()
      for (const each of parser.feed(decoder.decode(piece, { stream: true }))) {
        yield { ...each, retryMs: parser.retryMs }
      }
      const id = parser.lastEventId
      yield { event: NOTHING, data: undefined, id, retryMs: parser.retryMs }
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Like `for await` over the stream itself, which not every browser supports. */
async function* piecesOf(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body?.getReader()
  try {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
      yield next.value
  } finally {
    // A broken stream rejects here again, with an error that was already thrown above.
    await reader?.cancel().catch(() => {})
  }
}
