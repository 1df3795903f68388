import {
  McpServer,
  type CallToolResult,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server'
import { SkillsExtension, memorySkillFiles } from '@modelcontextprotocol/server/ext/skills'
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { asAppError } from '../model/errors.ts'
import { HOUR_MS } from '../model/time.ts'
import { CATALOGUE } from '../operations/catalogue.ts'
import type { Context } from '../operations/context.ts'
import { answer, failure, type ToolCall } from './answer.ts'
import { fetchInput, fetchTool, searchInput, searchTool } from './connector-tools.ts'
import { INSTRUCTIONS, exampleOf, titleOf } from './descriptions.ts'
import { givenArguments } from './given-arguments.ts'
import { createRunCall, type CallSource, type McpEvents } from './run-call.ts'
import { SKILLS } from './skills.ts'
import { toolSchema } from './tool-schema.ts'

const READ_ONLY = { readOnlyHint: true } as const
/** Tools and skills change only with a release. */
const TTL_MS = HOUR_MS
/** Nothing to listen for, so that a client that listens all the same is answered at once and holds no connection. */
const NEVER_CHANGED = { listChanged: false } as const

/** Like the operations, these two tools parse their input themselves. */
const SEARCH_INPUT = described(z.toJSONSchema(searchInput))
const FETCH_INPUT = described(z.toJSONSchema(fetchInput))

/** What all servers of a process share. */
export interface Shared {
  readonly ctx: Context
  readonly events: McpEvents
  readonly tools: ReturnType<typeof describeTools>
  readonly skills: SkillsExtension
}

export async function createShared(ctx: Context, events: McpEvents): Promise<Shared> {
  const [tools, skills] = [describeTools(), await loadSkills()]
  return { ctx, events, tools, skills }
}

/** Drawn from the catalogue once: making the schemas takes 9 ms, which must not happen for every request. */
function describeTools() {
  return CATALOGUE.map((operation) => {
    const isLive = operation.policies.includes('live')
    return {
      operation,
      kind: isLive ? ('live' as const) : ('other' as const),
      config: {
        title: titleOf(operation),
        description: `${operation.summary}. ${operation.description}${exampleOf(operation)}`,
        // The operation parses its input itself and names every problem; the schema is only for the model.
        inputSchema: described(toolSchema(operation)),
        annotations: { ...READ_ONLY, openWorldHint: isLive },
      },
    }
  })
}

function loadSkills(): Promise<SkillsExtension> {
  const files = SKILLS.map(({ name, text }) => [`${name}/SKILL.md`, text])
  return SkillsExtension.load(memorySkillFiles(Object.fromEntries(files)), {
    strict: true,
    cacheHint: { ttlMs: TTL_MS, cacheScope: 'public' },
  })
}

export function describeServer({ settings }: Context) {
  return { name: 'telegrep', title: 'Telegrep', version: settings.version }
}

/** One server object per request or connection; nothing is kept between requests. */
export function createServer(shared: Shared, asked: CallSource): McpServer {
  const { ctx, tools, skills } = shared
  const run = createRunCall(shared, asked)
  const server = new McpServer(describeServer(ctx), {
    instructions: INSTRUCTIONS,
    capabilities: { tools: NEVER_CHANGED, resources: NEVER_CHANGED },
    cacheHints: { 'tools/list': { ttlMs: TTL_MS, cacheScope: 'public' } },
  })

  skills.attach(server)

  async function guarded(
    name: string,
    kind: 'live' | 'other',
    work: (call: ToolCall) => Promise<CallToolResult>,
    gone: AbortSignal,
  ): Promise<CallToolResult> {
    const requestId = asked.requestId ?? randomUUID()
    try {
      return await run({ name, kind, requestId, gone }, work)
    } catch (error) {
      return failure(asAppError(error), requestId)
    }
  }

  server.registerTool(
    'search',
    {
      title: 'Search posts (ids and titles)',
      description:
        'Find posts of public Telegram channels of the last 30 days. Returns ids for `fetch`. Use search_posts for filters, snippets and counts.',
      inputSchema: SEARCH_INPUT,
      annotations: { ...READ_ONLY, openWorldHint: false },
    },
    (input, { mcpReq }) =>
      guarded('search', 'other', (call) => searchTool(input, call), mcpReq.signal),
  )
  server.registerTool(
    'fetch',
    {
      title: 'Fetch one post',
      description:
        'The full text of a post that `search` found. Use get_post for media, versions and evidence.',
      inputSchema: FETCH_INPUT,
      annotations: { ...READ_ONLY, openWorldHint: false },
    },
    (input, { mcpReq }) =>
      guarded('fetch', 'other', (call) => fetchTool(input, call), mcpReq.signal),
  )
  for (const { operation, kind, config } of tools) {
    server.registerTool(operation.name, config, (input, { mcpReq }) =>
      guarded(operation.name, kind, (call) => answer(operation, input, call), mcpReq.signal),
    )
  }
  return server
}

function described(
  schema: Record<string, unknown>,
): StandardSchemaWithJSON<Record<string, unknown>> {
  return {
    '~standard': {
      version: 1,
      vendor: 'telegrep',
      validate: (value: unknown) => ({
        value: givenArguments(value as Record<string, unknown>, schema),
      }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  }
}
