import { hash } from 'node:crypto'
import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/server'
import type { Caller } from '../access/caller.ts'
import { createCache, type Cache } from '../model/cache.ts'
import { AppError, asAppError } from '../model/errors.ts'
import { found } from '../model/found.ts'
import type { Context } from '../operations/context.ts'
import { charged } from '../operations/perform.ts'
import { streamPosts } from '../operations/stream-posts.ts'
import type { Sink } from '../operations/streams/streams.ts'
import type { ToolCall } from './answer.ts'
import { newsText } from './news-text.ts'
import { protocolError } from './refusal.ts'
import type { RunCall } from './run-call.ts'
import { NEWS_TAKES } from './tool-words.ts'

export const NEWS = 'new_posts'
/** `telegrep://new/q=flood&lang=en`: the parameters of `/v1/stream`. */
const PREFIX = 'telegrep://new/'
/** Skills may be subscribed to, but change only with a release. */
const SKILL = 'skill://'
/** As much as a model reads at once: about 2,000 tokens. */
const POSTS = 20
const REMEMBERED = 10_000
/** The same limit as for addresses over HTTP: each notification repeats the URI. */
const MAX_URI = 8192
/** Posts that arrive within this time are one notification. */
export const NOTICE_MS = 500
const MAX_SUBSCRIBED = 10

/** How far each reader has read a resource. Lost when the process ends; the latest events are then shown again. */
export type ReadPlaces = Cache<string, string>

export function createReadPlaces(): ReadPlaces {
  return createCache({ maxEntries: REMEMBERED })
}

interface Reading {
  readonly places: ReadPlaces
  readonly run: RunCall
}

/** A search as a resource: reading it returns what is new since the same reader's last read, each story once. */
export function attachNews(server: McpServer, { places, run }: Reading): void {
  server.registerResource(
    NEWS,
    new ResourceTemplate(`${PREFIX}{+search}`, { list: undefined }),
    {
      title: 'What is new of a search',
      description: `New posts of a search since you last read it, each story once: telegrep://new/q=flood&lang=en. Takes ${NEWS_TAKES}; subscribe to be told when to read.`,
      mimeType: 'text/markdown',
    },
    async (uri, _variables, { mcpReq }) => {
      const text = await run({ name: NEWS, kind: 'other', gone: mcpReq.signal }, (call) =>
        readNew(uri.href, places, call),
      ).catch((error: unknown) => {
        throw protocolError(asAppError(error))
      })
      return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text }] }
    },
  )
}

async function readNew(
  uri: string,
  places: ReadPlaces,
  { ctx, caller, signal, paid }: ToolCall,
): Promise<string> {
  const request = { access: ctx.access, caller, signal, policies: streamPosts.policies, paid }
  const prepare = () => {
    const input = inputOf(uri)
    // A repeated `since_id` is refused, so this is no list.
    const asked = input['since_id'] as string | undefined
    return { asked, ...streamPosts.prepare({ collapse: 'duplicates', ...input }) }
  }
  // Hashed, because a URI may be as long as a page and many are remembered.
  const key = hash('sha256', `${caller.id} ${uri}`)
  const { text, readTo } = await charged(request, prepare, async (prepared) => {
    const sinceId = prepared.asked ?? places.get(key)
    const news = await prepared.news(ctx, { sinceId, limit: POSTS, signal })
    return { text: newsText(news), readTo: news.sinceId }
  })
  places.set(key, readTo)
  return text
}

/** As over HTTP, a name given more than once has a list. */
function inputOf(uri: string): Record<string, string | string[]> {
  if (uri.length > MAX_URI)
    throw new AppError(
      'uri_too_long',
      `expected at most ${MAX_URI} characters, found ${uri.length}`,
    )
  const given = new URLSearchParams(uri.slice(PREFIX.length))
  return Object.fromEntries(
    [...new Set(given.keys())].map((name) => {
      const values = given.getAll(name)
      return [name, values.length === 1 ? values[0]! : values]
    }),
  )
}

/** The client to notify. */
interface Listener {
  readonly signal: AbortSignal
  readonly notify: (uri: string) => void
  /** Tells whether the client has read earlier notifications. */
  readonly reader?: Reader
  /** Ends the connection. */
  readonly hangUp?: () => void
}

/** Whether the reader takes what is written. */
export type Reader = Pick<Sink, 'isFull' | 'drained'>

/**
 * Follows the searches that a client subscribes to until the signal is aborted; `notify` gets a resource's URI when it has
 * news.
 */
export async function watchNews(
  ctx: Context,
  caller: Caller,
  options: Listener & { readonly uris: readonly unknown[] },
): Promise<void> {
  const asked = options.uris.filter((uri) => typeof uri === 'string')
  const strange = asked.find((uri) => !uri.startsWith(PREFIX) && !uri.startsWith(SKILL))
  if (strange !== undefined) {
    const told = `there is no resource ${found(strange)}; what is new of a search is ${PREFIX}q=flood`
    throw new AppError('invalid_parameter', told)
  }
  const uris = asked.filter((uri) => uri.startsWith(PREFIX))
  // A client that subscribes to none of our searches still occupies a connection.
  if (uris.length === 0) ctx.streams.hold(caller, options.signal)
  if (uris.length > MAX_SUBSCRIBED) {
    const told = `expected at most ${MAX_SUBSCRIBED} searches to listen for, found ${uris.length}`
    throw new AppError('invalid_parameter', told)
  }
  const listener = { ...options, reader: shared(options.reader ?? TAKES_ALL) }
  for (const uri of uris) {
    const { since_id: _since, limit: _limit, ...input } = inputOf(uri)
    const prepared = streamPosts.prepare({ collapse: 'duplicates', ...input, detail: 'ids' })
    const start = await prepared.open(ctx, { caller, lastEventId: undefined })
    start(noticing(uri, listener))
  }
}

/** All searches of a connection wait for the same reader, with a single listener. */
function shared(reader: Reader): Reader {
  let draining: Promise<void> | undefined
  return {
    get isFull() {
      return reader.isFull
    },
    drained: () => (draining ??= reader.drained().finally(() => (draining = undefined))),
  }
}

const TAKES_ALL: Reader = { isFull: false, drained: async () => {} }

function noticing(
  uri: string,
  { signal, notify, hangUp, reader }: Listener & { readonly reader: Reader },
): Sink {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    signal,
    write(text) {
      const isNews = /^event: (?:post|edit|deleted|copy)$/m.test(text)
      if (isNews)
        timer ??= setTimeout(() => {
          timer = undefined
          if (!signal.aborted) notify(uri)
        }, NOTICE_MS)
      return !reader.isFull
    },
    get isFull() {
      return reader.isFull
    },
    drained: () => reader.drained(),
    // No more notifications would arrive, so the client has to notice. A stopping server closes the connection by itself.
    end(reason) {
      if (reason !== 'shutdown') hangUp?.()
    },
  }
}
