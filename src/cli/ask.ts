import { createApp } from '../app.ts'
import type { Caller } from '../access/caller.ts'
import {
  ApiError,
  createClient,
  type ClientOptions,
  type InputOf,
  type ReplyOf,
  type RequestOptions,
} from '../client/client.ts'
import { whyUnreachable } from '../client/request.ts'
import { MissingPartError } from '../operations/address-of.ts'
import { TYPED_CATALOGUE, type OperationName } from '../operations/catalogue.ts'
import { freeCall, type Call } from '../operations/operation.ts'
import { render, type TextFormat } from '../operations/render/render.ts'
import { OperatorError } from '../operator-error.ts'
import { VERSION } from '../version.ts'
import { UsageError, type CommandCall } from './command.ts'
import { textFlag } from './flag-values.ts'

/** The user of this machine: no quotas. */
export const LOCAL_CALLER: Caller = {
  id: 'local',
  tier: { name: 'local', policies: {} },
  key: null,
}

export function localCall(signal: AbortSignal): Call {
  return freeCall({ caller: LOCAL_CALLER, requestId: 'local', signal })
}

/** Answers operations, wherever the data is. */
export interface Asker extends AsyncDisposable {
  ask<N extends OperationName>(name: N, input: InputOf<N>): Promise<ReplyOf<N>>
  /** The same in another format, as text. */
  text(
    name: OperationName,
    input: Readonly<Record<string, unknown>>,
    format: TextFormat,
  ): Promise<string>
}

/** Uses the local data, or the server that `--url` names. */
export function openAsker(call: CommandCall): Promise<Asker> {
  return call.url === null ? openLocal(call) : Promise.resolve(openRemote(call, call.url))
}

async function openLocal({ config, secrets, signal }: CommandCall): Promise<Asker> {
  const app = await createApp(config, secrets, { log: 'error', signal })
  const { clock } = app.context
  return {
    async ask(name, input) {
      const startedSince = clock.elapsed()
      const reply = await TYPED_CATALOGUE[name].invoke(app.context, input, localCall(signal))
      const meta = {
        ...reply.meta,
        request_id: 'local',
        took_ms: Math.round(clock.elapsed() - startedSince),
      }
      return { ...reply, meta } as never
    },
    async text(name, input, format) {
      const operation = TYPED_CATALOGUE[name]
      const reply = await operation.invoke(app.context, input, localCall(signal))
      const selfUrl = `${config.publicUrl}/v1${operation.path}`
      return render(format, { operation, reply, selfUrl, next: null })
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

/** The server at an address, with the key to use. */
export function serverAt(url: string, call: CommandCall): ClientOptions {
  const key = textFlag(call, 'key') ?? call.secrets.key ?? undefined
  return { url, key, userAgent: `telegrep-cli/${VERSION}` }
}

/** A server that works answers within 30 seconds, live reads included. */
const TIMEOUT_MS = 60_000

function openRemote(call: CommandCall, url: string): Asker {
  const { signal } = call
  const client = createClient(serverAt(url, call))
  const told = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (signal.aborted || error instanceof ApiError) throw error
      if (error instanceof MissingPartError) throw new UsageError(error.message)
      if (error instanceof DOMException && error.name === 'TimeoutError')
        throw new OperatorError(`${url} does not answer within ${TIMEOUT_MS / 1000} s`)
      throw new OperatorError(whyUnreachable(url, error), { cause: error })
    }
  }
  const limits = () => ({ signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) })
  return {
    ask(name, input) {
      // A union of the methods cannot be called: each infers from an input of its own.
      const method: (input: never, options: RequestOptions) => Promise<unknown> = client[name]
      return told(method(input as never, limits())) as never
    },
    text: (name, input, format) => told(client.text(name, { ...input, format }, limits())),
    async [Symbol.asyncDispose]() {},
  }
}
