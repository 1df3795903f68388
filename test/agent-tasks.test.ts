import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolResult,
} from '@modelcontextprotocol/client'
import { AGENT_TASKS } from './agent-tasks.ts'
import { startService, type Service } from './start-service.ts'

interface Tool {
  readonly name: string
  readonly inputSchema: {
    readonly properties?: Readonly<Record<string, { enum?: unknown[]; type?: string }>>
  }
}

describe('tasks that an agent solves with the MCP tools', () => {
  let service: Service
  let client: Client
  let tools: readonly Tool[]
  let filled: (input: object) => Record<string, unknown>

  before(async () => {
    const tiers = fileURLToPath(new URL('fixtures/tiers/open.json', import.meta.url))
    service = await startService({ world: { channels: 3 }, env: { TELEGREP_TIERS: tiers } })
    await service.settled()
    client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)))
    tools = (await client.listTools()).tools as unknown as Tool[]
    const [channel = '', other = ''] = service.names
    const { structuredContent } = (await client.callTool({
      name: 'list_channel_posts',
      arguments: { username: channel, limit: 1 },
    })) as { structuredContent: { data: { id: string }[] } }
    const slug = structuredContent.data[0]!.id.split('/')[1]!
    filled = (input) =>
      JSON.parse(
        JSON.stringify(input)
          .replaceAll('CHANNEL', channel)
          .replaceAll('OTHER', other)
          .replaceAll('SLUG', slug),
      )
  })
  after(async () => {
    await client.close()
    await service[Symbol.asyncDispose]()
  })

  test('are at least 30, and every tool is used by one', () => {
    assert.ok(AGENT_TASKS.length >= 30)
    const asked = new Set(AGENT_TASKS.map(({ tool }) => tool))
    assert.deepEqual(
      tools.filter(({ name }) => !asked.has(name)).map(({ name }) => name),
      [],
    )
  })

  for (const { task, tool: name, input } of AGENT_TASKS) {
    test(task, async () => {
      const tool = tools.find((other) => other.name === name)
      assert.ok(tool, name)
      // The call only uses what a model is shown.
      for (const [parameter, value] of Object.entries(input)) {
        const shown = tool.inputSchema.properties?.[parameter]
        assert.ok(shown, parameter)
        if (shown.enum) assert.ok(shown.enum.includes(value), `${parameter}: ${String(value)}`)
      }
      const result = (await client.callTool({
        name,
        arguments: filled(input),
      })) as CallToolResult
      const [text] = result.content
      assert.notEqual(result.isError, true, text?.type === 'text' ? text.text : '')
    })
  }
})
