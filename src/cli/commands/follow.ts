import { createApp } from '../../app.ts'
import { createEventParser, type StreamEvent } from '../../client/event-stream.ts'
import { followSearch, type FollowOptions } from '../../client/follow.ts'
import { streamPosts } from '../../operations/stream-posts.ts'
import type { Warning } from '../../operations/warnings.ts'
import { hasFilter } from '../../operations/search-input.ts'
import type { Sink } from '../../operations/streams/streams.ts'
import { EVERYTHING } from '../../watch/watch-query.ts'
import { LOCAL_CALLER, serverAt } from '../ask.ts'
import type { CommandCall } from '../command.ts'
import { explainMessage } from '../explain.ts'
import { wordsOf } from '../operands.ts'
import { inputOf } from '../operation-flags.ts'
import { showPost } from '../show-posts.ts'

/** Prints posts as they become searchable, until stopped or until the limit is reached. */
export async function follow(call: CommandCall): Promise<void> {
  const { flags, json, print } = call
  const asked: Record<string, unknown> = { ...inputOf(streamPosts, flags), ...wordsOf(call) }
  const isEverything = asked['q'] === undefined && !hasFilter(asked)
  const input = isEverything ? { ...asked, ...EVERYTHING } : asked
  let place: string | undefined
  let isTold = false
  /** Printed only once it is known that the request was accepted, or that this will take a while. */
  const onWait = () => {
    if (isTold) return
    isTold = true
    print.note(
      `waiting for ${isEverything ? 'all posts, a query narrows it' : 'posts'}; Ctrl-C ends it`,
    )
  }
  const onPlace = (id: string) => {
    onWait()
    place = id
  }
  const onWarnings = createWarn(call)
  const events =
    call.url === null
      ? followLocal(call, input, { onPlace, onWarnings })
      : followServer(call, input, { url: call.url, onPlace, onWait, onWarnings })
  for await (const event of events) {
    if (json) print.json({ event: event.event, id: event.id ?? null, data: event.data })
    else show(event, call)
  }
  if (place !== undefined) print.note(`--since-id ${place} goes on from here`)
}

type OnWarnings = NonNullable<FollowOptions['onWarnings']>

/** Prints each warning once, however often the stream begins anew. */
function createWarn(call: CommandCall): OnWarnings {
  const told = new Set<string>()
  return (warnings) => {
    for (const warning of warnings) {
      if (told.has(warning.detail)) continue
      told.add(warning.detail)
      call.print.note(`note: ${explainMessage(warning, call)}`)
    }
  }
}

type ShownPost = Parameters<typeof showPost>[0]

function show({ event, data }: StreamEvent, { print }: CommandCall): void {
  const told = data as {
    id?: string
    url?: string
    matches?: boolean
    detail?: string
    index_lag_s?: number
  }
  if (event === 'deleted') print.note(`deleted: ${told.url}`)
  else if (event === 'lag')
    print.note(`note: ${told.detail ?? `the index is ${told.index_lag_s} s behind`}`)
  else if (event === 'end') return
  else if (told.matches === false) print.note(`edited, no longer found: ${told.url}`)
  else {
    if (event !== 'post') print.note(`${event === 'edit' ? 'edited' : event}:`)
    if ('channel' in told) showPost(data as ShownPost, print)
    else print.line(told.id)
  }
}

function followServer(
  call: CommandCall,
  input: Record<string, unknown>,
  {
    url,
    onWait,
    ...on
  }: {
    readonly url: string
    onPlace(id: string): void
    onWait(): void
    readonly onWarnings: OnWarnings
  },
) {
  const { signal, print } = call
  return followSearch(input, {
    ...serverAt(url, call),
    signal,
    ...on,
    onBreak(why, waitMs) {
      onWait()
      print.note(`note: ${why}; trying again in ${Math.ceil(waitMs / 1000)} s`)
    },
  })
}

/** Reads the event log of the local store; another process, which indexes, writes it. */
async function* followLocal(
  { config, secrets, signal }: CommandCall,
  input: Record<string, unknown>,
  { onPlace, onWarnings }: { onPlace(id: string): void; readonly onWarnings: OnWarnings },
): AsyncGenerator<StreamEvent> {
  // Only errors are logged: a failing store is reported as an event of the stream.
  await using app = await createApp(config, secrets, { log: 'error', signal })
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
    if (next?.event === 'begin') onWarnings((next.data as { warnings?: Warning[] }).warnings ?? [])
    else if (next) yield next
    // When nothing is waiting, the place also moves past events that did not match this search.
    const id = waiting.length > 0 ? next?.id : parser.lastEventId
    if (id !== undefined) onPlace(id)
    if (next) continue
    if (isEnded) return
    await new Promise<void>((resolve) => (wake = resolve))
  }
}
