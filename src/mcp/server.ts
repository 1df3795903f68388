import { McpServer, createMcpHandler } from '@modelcontextprotocol/server'
import type {
  CallToolResult,
  McpHttpHandler,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { Caller } from '../access/caller.ts'
import { AppError } from '../model/errors.ts'
import { CATALOGUE } from '../operations/catalogue.ts'
import type { Context } from '../operations/context.ts'
import { inputJsonSchema } from '../operations/operation.ts'
import type { Operation } from '../operations/operation.ts'
import { answer, failure } from './answer.ts'
import type { ToolCall } from './answer.ts'
import { fetchShape, fetchTool, searchShape, searchTool } from './connector-tools.ts'
import { INSTRUCTIONS, exampleOf, titleOf } from './descriptions.ts'

const READ_ONLY = { readOnlyHint: true, idempotentHint: true, destructiveHint: false } as const
/** The list of tools changes with a release only. */
const TOOLS_TTL_MS = 3_600_000
const MAX_BODY_BYTES = 256 * 1024

export interface McpEvents {
  /** A bug: the model was told nothing of it. */
  toolFailed(error: unknown, tool: string): void
}

/** One server object per request or connection, drawn from the catalogue; nothing is kept between requests. */
function createServer(ctx: Context, caller: Caller, events: McpEvents): McpServer {
  const server = new McpServer(
    { name: 'telegrep', title: 'Telegrep', version: ctx.settings.version },
    {
      instructions: INSTRUCTIONS,
      cacheHints: { 'tools/list': { ttlMs: TOOLS_TTL_MS, cacheScope: 'public' } },
    },
  )

  async function guarded(
    tool: string,
    run: (call: ToolCall) => Promise<CallToolResult>,
    signal: AbortSignal,
  ) {
    try {
      return await run({ ctx, caller, requestId: randomUUID(), signal })
    } catch (error) {
      if (error instanceof AppError) return failure(error)
      events.toolFailed(error, tool)
      return failure(new AppError('internal', 'something went wrong on our side'))
    }
  }

  server.registerTool(
    'search',
    {
      title: 'Search posts (ids and titles)',
      description:
        'Find posts of public Telegram channels of the last 30 days. Returns ids for `fetch`. Use search_posts for filters, snippets and counts.',
      inputSchema: searchShape.input,
      outputSchema: searchShape.output,
      annotations: { ...READ_ONLY, openWorldHint: false },
    },
    ({ query }, { mcpReq }) => guarded('search', (call) => searchTool(query, call), mcpReq.signal),
  )
  server.registerTool(
    'fetch',
    {
      title: 'Fetch one post',
      description:
        'The full text of a post that `search` found. Use get_post for media, versions and evidence.',
      inputSchema: fetchShape.input,
      outputSchema: fetchShape.output,
      annotations: { ...READ_ONLY, openWorldHint: false },
    },
    ({ id }, { mcpReq }) => guarded('fetch', (call) => fetchTool(id, call), mcpReq.signal),
  )
  for (const operation of CATALOGUE) {
    server.registerTool(
      operation.name,
      {
        title: titleOf(operation),
        description: `${operation.summary}. ${operation.description}${exampleOf(operation)}`,
        inputSchema: inputSchemaOf(operation),
        outputSchema: outputSchemaOf(operation),
        annotations: { ...READ_ONLY, openWorldHint: operation.policies.includes('live') },
      },
      (input, { mcpReq }) =>
        guarded(operation.name, (call) => answer(operation, input, call), mcpReq.signal),
    )
  }
  return server
}

/** Over HTTP: both the stateless revision and clients that send `initialize`. The caller comes with each request. */
export function createMcpHttp(
  ctx: Context,
  events: McpEvents,
): { fetch(request: Request, caller: Caller): Promise<Response>; close(): Promise<void> } {
  const callers = new WeakMap<object, Caller>()
  const handler: McpHttpHandler = createMcpHandler(
    ({ authInfo }) => createServer(ctx, callers.get(authInfo ?? {}) as Caller, events),
    { maxRequestBodySize: MAX_BODY_BYTES, maxSubscriptions: 64 },
  )
  return {
    fetch(request, caller) {
      const authInfo = { token: '', clientId: caller.id, scopes: [] }
      callers.set(authInfo, caller)
      return handler.fetch(request, { authInfo })
    },
    close: () => handler.close(),
  }
}

/** Over standard input and output, for the one who runs it: no quotas. Resolves when the client goes away. */
export async function serveMcpStdio(
  ctx: Context,
  caller: Caller,
  events: McpEvents,
  signal: AbortSignal,
): Promise<void> {
  const ended = Promise.withResolvers<void>()
  const handle = serveStdio(() => createServer(ctx, caller, events))
  process.stdin.once('close', () => ended.resolve())
  process.stdin.once('end', () => ended.resolve())
  signal.addEventListener('abort', () => ended.resolve(), { once: true })
  await ended.promise
  await handle.close()
}

/** The operation reads its input itself and names every problem; the schema is for the model. */
function inputSchemaOf(operation: Operation): StandardSchemaWithJSON<Record<string, unknown>> {
  return described(inputJsonSchema(operation))
}

function outputSchemaOf(operation: Operation): StandardSchemaWithJSON {
  const schema = z.object({
    data: operation.output,
    meta: operation.meta,
    warnings: z.array(z.looseObject({ code: z.string(), detail: z.string() })),
  })
  return described(z.toJSONSchema(schema, { io: 'output' }) as Record<string, unknown>)
}

function described(
  schema: Record<string, unknown>,
): StandardSchemaWithJSON<Record<string, unknown>> {
  return {
    '~standard': {
      version: 1,
      vendor: 'telegrep',
      validate: (value: unknown) => ({ value: value as Record<string, unknown> }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  }
}
