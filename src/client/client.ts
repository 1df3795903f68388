// The types of the operations lead to AsyncDisposable, which no target but the newest brings along.
/// <reference lib="esnext.disposable" preserve="true" />
import { addressOf } from '../operations/address-of.ts'
import type { OperationName } from '../operations/catalogue.ts'
import type { InputOf, Known, ReplyOf } from './reply-of.ts'
import { request, type ClientOptions } from './request.ts'

export { ApiError } from './api-error.ts'
export { followSearch, type FollowOptions } from './follow.ts'
export type { FollowInput } from '../operations/stream-posts.ts'
export type { InputOf, ReplyOf } from './reply-of.ts'
export type { ClientOptions } from './request.ts'

/**
 * A client typed by the catalogue. It imports only types from the server, so it runs wherever there is `fetch`.
 *
 *     const telegrep = createClient({ url: 'http://localhost:8080' })
 *     const { data } = await telegrep.search_posts({ q: 'climate summit' })
 */
export type Client = {
  readonly [N in OperationName]: <const I extends Known<N, I> = never>(
    ...asked: {} extends InputOf<N>
      ? [input?: I, options?: RequestOptions]
      : [input: I, options?: RequestOptions]
    // Never: there is no argument, which asks for the same as an empty one.
  ) => Promise<ReplyOf<N, [I] extends [never] ? {} : I>>
} & {
  /** Every page from here on; stops at the end or when the loop does. */
  pages<N extends PagedName, const I extends Known<N, I>>(
    name: N,
    input: I,
    options?: RequestOptions,
  ): AsyncGenerator<ReplyOf<N, I>, void, undefined>
  /** A reply in another format, as text; JSON by default. */
  text(
    name: OperationName,
    input: Readonly<Record<string, unknown>>,
    options?: RequestOptions,
  ): Promise<string>
}

export type PagedName = 'search_posts' | 'list_channels' | 'list_channel_posts' | 'list_changes'

export interface RequestOptions {
  readonly signal?: AbortSignal
}

/** Kept equal to the catalogue by a test; written out here so that the client needs nothing from the server. */
export const PATHS = {
  search_posts: '/search',
  list_channels: '/channels',
  get_channel: '/channels/{username}',
  list_channel_posts: '/channels/{username}/posts',
  get_live_channel: '/channels/{username}/live',
  get_post: '/channels/{username}/posts/{slug}',
  get_spread: '/channels/{username}/posts/{slug}/spread',
  get_evidence: '/channels/{username}/posts/{slug}/evidence',
  list_changes: '/changes',
  suggest: '/suggest',
  list_languages: '/languages',
  get_meta: '/meta',
  get_status: '/status',
} as const satisfies Record<OperationName, string>

export function createClient(options: ClientOptions): Client {
  function ask(
    name: OperationName,
    input: Readonly<Record<string, unknown>>,
    accept: 'application/json' | '*/*',
    callOptions: RequestOptions = {},
  ): Promise<Response> {
    const address = addressOf(PATHS[name], input)
    return request(options, address, { headers: { Accept: accept }, ...callOptions })
  }

  async function call<N extends OperationName, I>(
    name: N,
    input: I,
    callOptions?: RequestOptions,
  ): Promise<ReplyOf<N, I>> {
    const asked = input as Record<string, unknown>
    const response = await ask(name, asked, 'application/json', callOptions)
    return (await response.json()) as ReplyOf<N, I>
  }

  const methods = Object.fromEntries(
    (Object.keys(PATHS) as OperationName[]).map((name) => [
      name,
      (input: InputOf<typeof name> = {} as never, callOptions?: RequestOptions) =>
        call(name, input, callOptions),
    ]),
  ) as unknown as Client

  return {
    ...methods,
    async *pages<N extends PagedName, const I extends Known<N, I>>(
      name: N,
      input: I,
      callOptions?: RequestOptions,
    ) {
      let cursor: string | null | undefined
      do {
        const asked = cursor ? { ...(input as object), cursor } : input
        const reply = await call(name, asked as I, callOptions)
        yield reply
        cursor = (reply.meta as unknown as { next_cursor: string | null }).next_cursor
      } while (cursor !== null)
    },
    async text(name, input, callOptions) {
      const accept = input['format'] === undefined ? 'application/json' : '*/*'
      const response = await ask(name, input, accept, callOptions)
      // `response.text()` would drop the mark that Excel needs.
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer())
    },
  }
}
