import { createApp, type App } from '../../app.ts'
import { isUnavailable } from '../../model/errors.ts'
import type { SinkKind, Watch } from '../../model/watch.ts'
import { searchPosts } from '../../operations/search-posts.ts'
import { VERSION } from '../../version.ts'
import type { Message, MessageItem } from '../../watch/message.ts'
import { createSenders } from '../../watch/senders.ts'
import type { SendResult } from '../../watch/sender.ts'
import { localCall } from '../ask.ts'
import type { CommandCall, Exit } from '../command.ts'
import { explain } from '../explain.ts'
import { plural } from '../format.ts'
import { showPost } from '../show-posts.ts'
import { noSuchWatch } from './watch.ts'

const SHOWN = 3

/** Sends one message of the kind `test` to every sink, beside the queue, and shows what each answers. */
export async function testWatch(call: CommandCall): Promise<Exit> {
  const { print, json, signal } = call
  const [name = ''] = call.operands
  await using app = await createApp(call.config, call.secrets, { log: 'warn', signal: call.signal })
  const watch = await app.store.watches.get(name)
  if (!watch) throw noSuchWatch(call, name)
  const today = await find(app, watch, '24h', signal)
  const [newest] =
    today.posts.length > 0 || today.why !== null
      ? today.posts
      : (await find(app, watch, '30d', signal)).posts
  const results = await sendAll(app, watch, testMessage(app, watch, newest), signal)
  if (json) {
    const answers = Object.fromEntries(results)
    print.json({ name, answers, found_today: today.total })
  } else {
    for (const [kind, { kind: outcome, detail }] of results)
      print.line(`${kind.padEnd(9)} ${outcome === 'sent' ? 'sent' : 'failed'}: ${detail}`)
    if (watch.sinks.feed) print.line('feed      shows what the watch has told')
    print.note(
      today.total === null
        ? `What it would have found in the last 24 hours cannot be told: ${today.why}`
        : `In the last 24 hours it would have found ${plural(today.total, 'post')}.`,
    )
    for (const post of today.posts) showPost(post as never, print)
  }
  const isWell = results.every(([, { kind }]) => kind === 'sent')
  return isWell ? 'ok' : 'failed'
}

interface Found {
  readonly posts: readonly MessageItem['post'][]
  readonly total: number | null
  /** Why the search was not possible; the sinks can be tested nevertheless. */
  readonly why: string | null
}

async function find(
  { context }: App,
  { query }: Watch,
  since: string,
  signal: AbortSignal,
): Promise<Found> {
  const input = { ...query, since, sort: 'newest', limit: String(SHOWN), detail: 'full' }
  try {
    const { data, meta } = await searchPosts.invoke(context, input, localCall(signal))
    const posts = 'parsed' in data ? [] : (data as MessageItem['post'][])
    return { posts, total: meta.total?.value ?? posts.length, why: null }
  } catch (error) {
    if (!isUnavailable(error)) throw error
    return { posts: [], total: null, why: explain(error) }
  }
}

/** Contains the newest post that the watch finds, so that the receiver sees what to expect. */
function testMessage({ clock, config }: App, watch: Watch, newest?: MessageItem['post']): Message {
  const nothing = { id: 'test', slug: 'test', url: config.publicUrl }
  const items = [{ type: 'test', at: clock.now(), post: newest ?? nothing } as const]
  return { id: `msg_test_${clock.now().toString(36)}`, watch: watch.name, items, isDigest: false }
}

async function sendAll(
  { config, clock }: App,
  watch: Watch,
  message: Message,
  signal: AbortSignal,
): Promise<readonly (readonly [SinkKind, SendResult])[]> {
  await using senders = createSenders(config.senders, { clock, userAgent: `telegrep/${VERSION}` })
  const kinds = (Object.keys(watch.sinks) as SinkKind[]).filter((kind) => kind !== 'feed')
  return Promise.all(
    kinds.map(async (kind) => [kind, await senders[kind].send(watch, message, signal)] as const),
  )
}
