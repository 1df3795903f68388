import {
  STDIO_DEFAULT_MAX_BUFFER_SIZE as MAX_LINE,
  type Transport,
} from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { PassThrough, type Readable } from 'node:stream'
import type { Caller } from '../access/caller.ts'
import { AppError } from '../model/errors.ts'
import { parseJson } from '../model/parse-json.ts'
import type { Context } from '../operations/context.ts'
import type { McpEvents } from './run-call.ts'
import { createServer, createShared } from './server.ts'
import { dropNullArguments, type Message } from './wire.ts'

const LAST_WORDS_MS = 50

const INVALID_REQUEST = { code: -32600, message: 'the line is no message of JSON-RPC' }
const PARSE_ERROR = { code: -32700, message: 'the line is not JSON' }

/**
 * MCP over standard input and output, for the user who runs it: no quotas. Resolves when the client goes away. The end of
 * the input is withheld from the protocol until every running call is answered, so that a script can simply pipe in its
 * requests.
 */
export async function serveMcpStdio(
  ctx: Context,
  caller: Caller,
  events: McpEvents,
  signal: AbortSignal,
): Promise<void> {
  const shared = await createShared(ctx, events)
  // Stopped while it started: a signal that is aborted already reports nothing more.
  if (signal.aborted) return
  const running = new Set<Promise<unknown>>()
  const track = (call: Promise<unknown>) => {
    const settled = call.catch(() => undefined).finally(() => running.delete(settled))
    running.add(settled)
  }
  const input = new PassThrough()
  const ended = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => ended.resolve(), { once: true })
  process.stdin.once('end', () => {
    // A script may omit the last line break.
    input.write('\n')
    ended.resolve()
  })
  process.stdin.pipe(input, { end: false })
  const transport = withNullArguments(
    new StdioServerTransport(input, process.stdout),
    // The transport closes before the end of the input only because of a line that is longer than it accepts.
    () =>
      ended.reject(new AppError('invalid_request', `expected lines of at most ${MAX_LINE} bytes`)),
  )
  const handle = serveStdio(() => createServer(shared, { caller, track }), {
    transport,
    onerror: (error) => error.name === 'ZodError' && refuse(INVALID_REQUEST),
  })
  refuseOtherThanJson(input)
  try {
    await ended.promise
    // The last request may not have been read from the pipe until now.
    await ctx.clock.sleep(LAST_WORDS_MS)
    while (running.size > 0 && !signal.aborted) await Promise.all(running)
    await ctx.clock.sleep(LAST_WORDS_MS)
  } finally {
    await handle.close()
    // If the client has not closed its end, as after a signal, an open input would keep the process alive.
    process.stdin.destroy()
  }
}

/** The same transport, for clients that send null when a call has no arguments; tells when it closes. */
function withNullArguments(transport: Transport, closed: () => void): Transport {
  const heard: Transport = {
    async start() {
      transport.onclose = () => {
        closed()
        heard.onclose?.()
      }
      transport.onerror = (error) => heard.onerror?.(error)
      transport.onmessage = (message, extra) => {
        dropNullArguments(message as Message)
        heard.onmessage?.(message, extra)
      }
      await transport.start()
    },
    send: (message, options) => transport.send(message, options),
    close: () => transport.close(),
  }
  return heard
}

/** The protocol's library silently ignores what it cannot parse, and the client would wait for a reply for ever. */
function refuse(error: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`)
}

function refuseOtherThanJson(input: Readable): void {
  let begun = ''
  input.on('data', (chunk: Buffer) => {
    // A character split between two chunks is decoded wrongly, but that does not change whether the line is JSON.
    const [first = '', ...rest] = chunk.toString().split('\n')
    const lines = [begun + first, ...rest]
    begun = lines.pop()!
    for (const line of lines) {
      if (line.trim() !== '' && parseJson(line) === undefined) refuse(PARSE_ERROR)
    }
  })
}
