import { createApp } from '../app.ts'
import type { Caller } from '../access/caller.ts'
import { ApiError, createClient } from '../client/client.ts'
import type { InputOf, ReplyOf } from '../client/client.ts'
import { AppError } from '../model/errors.ts'
import { TYPED_CATALOGUE } from '../operations/catalogue.ts'
import type { OperationName } from '../operations/catalogue.ts'
import type { Call } from '../operations/operation.ts'
import { render } from '../operations/render/render.ts'
import type { CommandCall } from './command.ts'
import { EXIT_CODES } from './command.ts'
import type { ExitCode } from './command.ts'
import { VERSION } from '../version.ts'

export type TextFormat = 'md' | 'ndjson' | 'csv' | 'rss' | 'jsonfeed'

/** The one who sits at this machine: no quotas. */
export const LOCAL_CALLER: Caller = {
  id: 'local',
  tier: { name: 'local', policies: {} },
  key: null,
}

export function localCall(signal: AbortSignal): Call {
  return {
    caller: LOCAL_CALLER,
    requestId: 'local',
    signal,
    spend: async () => {},
    giveBack: () => {},
  }
}

/** Asks an operation: of the local data, or of the server that `--url` names. */
export async function ask<N extends OperationName>(
  call: CommandCall,
  name: N,
  input: InputOf<N>,
): Promise<ReplyOf<N>> {
  if (call.url !== null) {
    const client = clientOf(call, call.url)
    return (await client[name](input as never, { signal: call.signal })) as ReplyOf<N>
  }
  await using app = await createApp(call.config, call.secrets, { quiet: true })
  const started = app.context.clock.now()
  const reply = await TYPED_CATALOGUE[name].invoke(app.context, input, localCall(call.signal))
  const meta = { ...reply.meta, request_id: 'local', took_ms: app.context.clock.now() - started }
  return { ...reply, meta } as unknown as ReplyOf<N>
}

/** The same in another format, as text. */
export async function askText(
  call: CommandCall,
  name: OperationName,
  input: Readonly<Record<string, unknown>>,
  format: TextFormat,
): Promise<string> {
  if (call.url !== null) {
    return clientOf(call, call.url).text(name, { ...input, format }, { signal: call.signal })
  }
  await using app = await createApp(call.config, call.secrets, { quiet: true })
  const operation = TYPED_CATALOGUE[name]
  const reply = await operation.invoke(app.context, input, localCall(call.signal))
  const selfUrl = `${call.config.publicUrl}/v1${operation.path}`
  return render(format, { operation, reply, settings: app.context.settings, selfUrl, next: null })
}

function clientOf(call: CommandCall, url: string) {
  const key = call.flags['key']
  return createClient({
    url,
    ...(typeof key === 'string' ? { key } : {}),
    userAgent: `telegrep-cli/${VERSION}`,
  })
}

/** What does not exist has an exit code of its own, so that scripts can tell. */
export function exitCodeOf(error: unknown): ExitCode {
  const status = error instanceof AppError || error instanceof ApiError ? error.status : 0
  return status === 404 || status === 410 ? EXIT_CODES.not_found.code : EXIT_CODES.failed.code
}
