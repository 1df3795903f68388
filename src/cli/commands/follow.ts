import { createApp } from '../../app.ts'
import { createEventParser, type StreamEvent } from '../../client/event-stream.ts'
import { followSearch } from '../../client/follow.ts'
import { streamPosts } from '../../operations/stream-posts.ts'
import { hasFilter } from '../../operations/search-input.ts'
import type { Sink } from '../../operations/streams/streams.ts'
import { EVERYTHING } from '../../watch/watch-query.ts'
import { LOCAL_CALLER, serverAt } from '../ask.ts'
import type { CommandCall } from '../command.ts'
import { wordsOf } from '../operands.ts'
import { inputOf } from '../operation-flags.ts'
import { showPost } from '../show-posts.ts'

/** Shows posts as they become searchable, until it is stopped or there were as many as asked for. */
export async function follow(call: CommandCall): Promise<void> {
  const { flags, json, print } = call
  const asked: Record<string, unknown> = { ...inputOf(streamPosts, flags), ...wordsOf(call) }
  const isEverything = asked['q'] === undefined && !hasFilter(asked)
  const input = isEverything ? { ...asked, ...EVERYTHING } : asked
  const events = call.url === null ? followLocal(call, input) : followServer(call, input, call.url)
  print.note(
    `waiting for ${isEverything ? 'all posts, a query narrows it' : 'posts'}; Ctrl-C ends it`,
  )
  for await (const event of events) {
    if (json) print.json({ event: event.event, id: event.id ?? null, data: event.data })
    else show(event, call)
  }
}

type ShownPost = Parameters<typeof showPost>[0]

function show({ event, data }: StreamEvent, { print }: CommandCall): void {
  const told = data as { id?: string; url?: string; matches?: boolean; detail?: string }
  if (event === 'deleted') print.note(`deleted: ${told.url}`)
  else if (event === 'lag') print.note(`note: ${told.detail ?? 'the index is behind'}`)
  else if (event === 'end') return
  else if (told.matches === false) print.note(`edited, no longer found: ${told.url}`)
  else {
    if (event !== 'post') print.note(`${event === 'edit' ? 'edited' : event}:`)
    if ('channel' in told) showPost(data as ShownPost, print)
    else print.line(told.id)
  }
}

function followServer(call: CommandCall, input: Record<string, unknown>, url: string) {
  const { signal, print } = call
  return followSearch(input, {
    ...serverAt(url, call),
    signal,
    onBreak: (why, waitMs) =>
      print.note(`note: ${why}; trying again in ${Math.ceil(waitMs / 1000)} s`),
  })
}

/** The log is read where it is: whoever indexes writes it, in another process. */
async function* followLocal(
  { config, secrets, signal }: CommandCall,
  input: Record<string, unknown>,
): AsyncGenerator<StreamEvent> {
  await using app = await createApp(config, secrets, { log: 'warn' })
  const start = await streamPosts
    .prepare(input)
    .open(app.context, { caller: LOCAL_CALLER, lastEventId: undefined })
  const parser = createEventParser()
  const waiting: StreamEvent[] = []
  let isEnded = false
  let wake = () => {}
  const sink: Sink = {
    signal,
    write(text) {
      waiting.push(...parser.feed(text))
      wake()
      return true
    },
    isFull: false,
    drained: async () => {},
    end() {
      isEnded = true
      wake()
    },
  }
  signal.addEventListener('abort', () => wake(), { once: true })
  start(sink)
  while (!signal.aborted) {
    const next = waiting.shift()
    if (next?.event === 'begin') continue
    if (next) yield next
    else if (isEnded) return
    else await new Promise<void>((resolve) => (wake = resolve))
  }
}
