import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolResult,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { TYPED_CATALOGUE } from '../src/operations/catalogue.ts'
import { REPLY_TOKENS, estimateTokens } from '../src/mcp/tokens.ts'
import { startService, type Service } from './start-service.ts'

const OPEN = fileURLToPath(new URL('fixtures/tiers/open.json', import.meta.url))
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

interface Envelope {
  readonly data: unknown
  readonly meta: { readonly next_cursor?: string | null }
  readonly warnings: readonly { readonly code: string }[]
}

/** What a client shows its model before the first question, at four characters a token. */
const LIST_TOKENS = 4_000

const DOORS = ['the current revision over HTTP', 'initialize over HTTP', 'stdio'] as const

describe('MCP', () => {
  let service: Service

  before(async () => {
    service = await startService({ env: { TELEGREP_TIERS: OPEN } })
    await service.settled()
  })
  after(() => service[Symbol.asyncDispose]())

  async function connect(door: (typeof DOORS)[number]): Promise<Client> {
    const mode = door === 'initialize over HTTP' ? 'legacy' : 'auto'
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    if (door === 'stdio') {
      const env = {
        TELEGREP_DATA: service.folder,
        TELEGREP_SOURCE_URL: service.simulator.url,
        TELEGREP_LOG: 'error',
        PATH: process.env['PATH'] ?? '',
      }
      await client.connect(
        new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp'], env }),
      )
    } else await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)))
    return client
  }

  for (const door of DOORS) {
    test(`all tools are listed, and replies stay within the token budget, by ${door}`, async () => {
      const client = await connect(door)
      try {
        const list = await client.listTools()
        const { tools } = list
        const tokens = JSON.stringify(list).length / 4
        assert.ok(tokens <= LIST_TOKENS, `the list of tools takes ${tokens} tokens`)
        assert.deepEqual(
          tools.map(({ name }) => name).toSorted(),
          ['fetch', 'search', ...Object.keys(TYPED_CATALOGUE)].toSorted(),
        )
        for (const tool of tools) {
          assert.equal(tool.annotations?.readOnlyHint, true, tool.name)
          assert.ok((tool.description ?? '').length > 40 && tool.title, tool.name)
        }
        const call = async (name: string, input: Record<string, unknown>) => {
          const result = (await client.callTool({ name, arguments: input })) as CallToolResult
          assert.ok(sizeOf(result) <= REPLY_TOKENS, `${name}: ${sizeOf(result)} tokens`)
          // Whatever the estimate is worth, no tokenizer needs more tokens than this.
          assert.ok(JSON.stringify(result).length <= REPLY_TOKENS * 6, name)
          return result
        }
        const username = service.names[0]!
        const posts = envelope(
          await call('list_channel_posts', { username, limit: 100, detail: 'full' }),
        )
        const [first] = posts.data as { id: string }[]
        assert.ok(first)
        const slug = slugOf(first)
        const called = ['list_channel_posts', 'search', 'fetch']
        for (const [name, input] of [
          ['search_posts', { q: 'market', facets: 'day,channel' }],
          ['list_channels', { limit: 100 }],
          ['get_channel', { username }],
          ['get_live_channel', { username, limit: 50 }],
          ['get_post', { username, slug }],
          ['get_spread', { username, slug }],
          ['get_evidence', { username, slug }],
          ['list_changes', { limit: 50 }],
          ['list_languages', {}],
          ['get_meta', {}],
          ['get_status', {}],
          ['suggest', { q: 'mar' }],
        ] as const) {
          const result = await call(name, input)
          assert.notEqual(result.isError, true, `${name}: ${textOf(result)}`)
          const { data, meta, warnings } = envelope(result)
          assert.ok(data !== undefined && meta !== undefined && Array.isArray(warnings), name)
          called.push(name)
        }
        const { results } = JSON.parse(textOf(await call('search', { query: 'market' }))) as {
          results: { id: string }[]
        }
        assert.ok(results.length > 0)
        const { id } = results[0]!
        const fetched = JSON.parse(textOf(await call('fetch', { id }))) as { id: string }
        assert.equal(fetched.id, id)
        assert.deepEqual(called.toSorted(), tools.map(({ name }) => name).toSorted())
      } finally {
        await client.close()
      }
    })
  }

  for (const door of DOORS) {
    test(`tools and skills never change, and a client that listens for changes is answered at once, by ${door}`, async () => {
      const client = await connect(door)
      try {
        const { tools, resources } = client.getServerCapabilities() ?? {}
        assert.deepEqual([tools?.listChanged, resources?.listChanged], [false, false])
        assert.equal(resources?.subscribe ?? false, false)
        if (client.getProtocolEra() === 'legacy') {
          await assert.rejects(client.subscribeResource({ uri: 'skill://verify-a-claim/SKILL.md' }))
          return
        }
        const asked = { toolsListChanged: true, resourceSubscriptions: ['telegrep://new/q=flood'] }
        const listening = await client.listen(asked)
        assert.deepEqual(listening.honoredFilter, {})
        if (door !== 'stdio') await listening.closed
      } finally {
        await client.close()
      }
    })
  }

  test('the structured content of a reply is at most six tenths longer than its text', async () => {
    const client = await connect('the current revision over HTTP')
    try {
      const username = service.names[0]!
      const call = async (name: string, input: Record<string, unknown>) =>
        (await client.callTool({ name, arguments: input })) as CallToolResult
      const posts = envelope(await call('list_channel_posts', { username, limit: 20 })).data as {
        id: string
        snippet?: string
      }[]
      // In a post with hardly any text, numbers dominate; which post is newest depends on the time of day.
      const first = posts.find(({ snippet = '' }) => snippet.length >= 100)
      for (const [name, input] of [
        ['search_posts', { q: 'market' }],
        ['search_posts', { q: 'market', facets: 'day,channel', collapse: 'duplicates' }],
        ['search_posts', { q: 'market', detail: 'full' }],
        ['list_channels', {}],
        ['get_channel', { username }],
        ['list_channel_posts', { username }],
        ['list_channel_posts', { username, detail: 'full' }],
        // Enough of them that some have a text, at any time of day.
        ['get_live_channel', { username, limit: 20 }],
        ['get_post', { username, slug: slugOf(first!) }],
        ['get_spread', { username, slug: slugOf(first!) }],
        ['list_changes', {}],
        ['list_languages', {}],
        ['get_meta', {}],
        ['get_status', {}],
      ] as const) {
        const result = await call(name, input)
        const structure = JSON.stringify(envelope(result))
        const ratio = structure.length / textOf(result).length
        assert.ok(ratio <= 1.6, `${name} ${JSON.stringify(input)}: ${ratio}`)
        assert.doesNotMatch(structure, /"(?:raw|as_of|avatar_url|html|highlights)":/)
        assert.doesNotMatch(structure, /"channel":false/)
      }
    } finally {
      await client.close()
    }
  })

  test('a list without a limit has as many items as the default in its schema', async () => {
    const client = await connect('the current revision over HTTP')
    try {
      const { tools } = await client.listTools()
      const username = service.names[0]!
      for (const [name, input] of [
        ['search_posts', { lang: 'en' }],
        ['list_channels', {}],
        ['list_channel_posts', { username }],
        ['get_live_channel', { username }],
      ] as const) {
        const { limit } = tools.find((tool) => tool.name === name)!.inputSchema.properties!
        const told = limit as { default: number; description: string }
        const { data } = envelope(
          (await client.callTool({ name, arguments: input })) as CallToolResult,
        )
        const items = Array.isArray(data) ? data : (data as { posts: unknown[] }).posts
        assert.equal(items.length, told.default, name)
        assert.doesNotMatch(told.description, /without/i, name)
      }
    } finally {
      await client.close()
    }
  })

  test('a null or empty argument counts as left out', async () => {
    const client = await connect('the current revision over HTTP')
    try {
      const call = async (name: string, input: Record<string, unknown>) =>
        textOf((await client.callTool({ name, arguments: input })) as CallToolResult)
      const nulls = { channel: null, since: null, limit: null, cursor: null }
      const empty = { channel: [], since: '', min_views: '', cursor: '', has: [''], lang: '["en"]' }
      for (const left of [{ lang: 'en', ...nulls }, empty]) {
        const asked = await client.callTool({ name: 'search_posts', arguments: left })
        assert.equal((envelope(asked as CallToolResult).data as unknown[]).length, 10)
      }
      assert.match(await call('search', { query: 'market', limit: null }), /^{"results":/)
      assert.match(await call('get_channel', { username: null }), /^missing_parameter: .*username/)
      assert.match(await call('get_channel', { username: '' }), /^missing_parameter: .*username/)
      const none = await fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_meta","arguments":null}}',
      })
      assert.match(await none.text(), /"structuredContent"/)
    } finally {
      await client.close()
    }
  })

  test('search and fetch have the format that connectors expect', async () => {
    const client = await connect('the current revision over HTTP')
    try {
      const found = (await client.callTool({
        name: 'search',
        arguments: { query: 'who won the game?' },
      })) as CallToolResult
      const { results } = JSON.parse(textOf(found)) as {
        results: { id: string; title: string; url: string }[]
      }
      assert.ok(results.length > 0)
      assert.deepEqual(Object.keys(results[0]!), ['id', 'title', 'url'])
      const fetched = (await client.callTool({
        name: 'fetch',
        arguments: { id: results[0]!.id },
      })) as CallToolResult
      const post = JSON.parse(textOf(fetched)) as Record<string, unknown>
      assert.deepEqual(Object.keys(post), ['id', 'title', 'text', 'url', 'metadata'])
      assert.match(JSON.stringify(post['metadata']), /third_party/)
    } finally {
      await client.close()
    }
  })

  test('fetch returns a poll without text with its question', async () => {
    const client = await connect('the current revision over HTTP')
    try {
      const { data } = envelope(
        (await client.callTool({
          name: 'search_posts',
          arguments: { has: 'poll', detail: 'full' },
        })) as CallToolResult,
      )
      const polls = data as { id: string; text?: string; poll: { question: string } }[]
      const { id, poll } = polls.find(({ text }) => text === undefined)!
      const fetched = (await client.callTool({
        name: 'fetch',
        arguments: { id },
      })) as CallToolResult
      const post = JSON.parse(textOf(fetched)) as { title: string; text: string }
      assert.ok(post.text.startsWith(poll.question))
      assert.ok(post.title.includes(poll.question.slice(0, 40)))
    } finally {
      await client.close()
    }
  })

  test('fetch returns a forward with its source', async () => {
    const client = await connect('the current revision over HTTP')
    try {
      const { data } = envelope(
        (await client.callTool({
          name: 'search_posts',
          arguments: { forwards: 'only', limit: 1 },
        })) as CallToolResult,
      )
      const [forward] = data as {
        id: string
        forwarded_from: { name: string; post_url?: string }
      }[]
      const { name, post_url: url } = forward!.forwarded_from
      const fetched = (await client.callTool({
        name: 'fetch',
        arguments: { id: forward!.id },
      })) as CallToolResult
      const { metadata } = JSON.parse(textOf(fetched)) as { metadata: Record<string, string> }
      assert.equal(metadata['forwarded_from'], url ?? name)
    } finally {
      await client.close()
    }
  })

  test('a list cut to the token budget continues with its cursor in order and without repeats', async () => {
    const client = await connect('the current revision over HTTP')
    try {
      const seen: string[] = []
      let cursor: string | null | undefined
      for (let i = 0; i < 4 && cursor !== null; i += 1) {
        const input = {
          username: service.names[0]!,
          detail: 'full',
          limit: 60,
          ...(cursor ? { cursor } : {}),
        }
        const { data, meta, warnings } = envelope(
          (await client.callTool({
            name: 'list_channel_posts',
            arguments: input,
          })) as CallToolResult,
        )
        if (i === 0) assert.ok(warnings.some(({ code }) => code === 'reply_shortened'))
        seen.push(...(data as { id: string }[]).map(slugOf))
        cursor = meta.next_cursor
      }
      const numbers = seen.map(Number)
      assert.deepEqual(
        numbers,
        [...new Set(numbers)].toSorted((a, b) => b - a),
        'in order and never twice',
      )
    } finally {
      await client.close()
    }
  })

  test('errors have the codes of HTTP and tell a model how to correct the call', async () => {
    const client = await connect('the current revision over HTTP')
    try {
      const failing = async (name: string, input: Record<string, unknown>) => {
        const result = (await client.callTool({ name, arguments: input })) as CallToolResult
        assert.equal(result.isError, true, name)
        return textOf(result)
      }
      assert.match(
        await failing('search_posts', { q: '"open', strict: true }),
        /^invalid_query: `q`: expected a closing .*; try: "open" \(position 0\)$/,
      )
      assert.equal(
        await failing('search_posts', { qq: 'x' }),
        'unknown_parameter: unknown parameter `qq`; did you mean `q`?',
      )
      assert.equal(
        await failing('search_posts', { q: 'x', limit: 500 }),
        'invalid_parameter: `limit`: expected an integer from 1 to 100, found "500"',
      )
      assert.match(
        await failing('search_posts', { q: 'x', sort: 'date', lang: 'xx' }),
        /^invalid_parameter: 2 things are wrong\n`sort`: .*; try: newest\n`lang`: "xx" is not [^\n]*$/,
      )
      assert.equal(
        await failing('search_posts', { q: 'x', format: 'md' }),
        'unknown_parameter: unknown parameter `format`: over MCP every reply is text and structured content, leave it out',
      )
      assert.match(
        await failing('get_channel', { username: 'nosuchchannel' }),
        /^channel_not_indexed.*; get_live_channel reads it now$/,
      )
      assert.match(await failing('fetch', { id: 'nonsense' }), /^invalid_parameter: expected an id/)
      for (const query of ['has:x', 'x'.repeat(9000), '!!!'])
        assert.match(await failing('search', { query }), /^invalid_\w+: `query`: [^\n]*$/)
      assert.match(await failing('search', { q: 'x' }), /mean `query`\?$/)
      assert.equal(
        await failing('search_posts', { q: 'x', fromDate: '7d', nonsense: 1 }),
        [
          'unknown_parameter: 2 things are wrong',
          'unknown parameter `fromDate`; did you mean `since`?',
          'unknown parameter `nonsense`; its schema lists those that search_posts takes',
        ].join('\n'),
      )
      const page = { name: 'search_posts', arguments: { lang: 'en', limit: 1 } }
      const { meta } = envelope((await client.callTool(page)) as CallToolResult)
      assert.match(
        await failing('search_posts', { cursor: meta.next_cursor }),
        /^cursor_mismatch: .*; repeat what was asked for the page before/,
      )
      for (const slug of ['durov/342', 'https://t.me/durov/342'])
        assert.match(await failing('get_post', { username: 'durov', slug }), /; try: 342$/)
      for (const [name, parameter] of [
        ['search', 'query'],
        ['fetch', 'id'],
      ] as const) {
        for (const input of [{}, { [parameter]: ' ' }])
          assert.match(
            await failing(name, input),
            new RegExp(`^missing_parameter: .*\`${parameter}\``),
          )
        assert.match(await failing(name, { [parameter]: 5 }), /^invalid_parameter/)
        const unknown = { [parameter]: 'durov/1', limit: 3 }
        assert.match(await failing(name, unknown), /^unknown_parameter: .*`limit`/)
      }
    } finally {
      await client.close()
    }
  })

  test('a missing required argument is named, for every tool', async () => {
    const client = await connect('the current revision over HTTP')
    try {
      const given: Record<string, string> = { username: 'durov', slug: '342', q: 'x' }
      const failing = async (name: string, input: Record<string, unknown>) =>
        textOf((await client.callTool({ name, arguments: input })) as CallToolResult)
      const { tools } = await client.listTools()
      assert.ok(tools.filter(({ inputSchema }) => inputSchema.required?.length).length > 5)
      for (const { name, inputSchema } of tools) {
        for (const left of inputSchema.required ?? []) {
          const { [left]: _left, ...others } = given
          const input = Object.entries(others).filter(([key]) =>
            inputSchema.required!.includes(key),
          )
          assert.match(
            await failing(name, Object.fromEntries(input)),
            new RegExp(`^missing_parameter: the parameter \`${left}\` is required`),
            name,
          )
        }
      }
      assert.deepEqual((await failing('get_post', {})).split('\n'), [
        'missing_parameter: 2 things are wrong',
        'the parameter `username` is required, such as durov',
        'the parameter `slug` is required, such as 342',
      ])
    } finally {
      await client.close()
    }
  })

  test('CORS allows pages on localhost to send requests', async () => {
    const origin = 'http://localhost:6274'
    const may = await fetch(`${service.url}/mcp`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,mcp-protocol-version',
      },
    })
    assert.equal(may.status, 204)
    assert.equal(may.headers.get('access-control-allow-origin'), origin)
    assert.equal(may.headers.get('access-control-allow-methods'), 'POST')
    assert.match(
      may.headers.get('access-control-allow-headers') ?? '',
      /Content-Type.*Authorization.*Mcp-Protocol-Version/,
    )
    const reply = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        origin,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    })
    assert.equal(reply.status, 200)
    assert.equal(reply.headers.get('access-control-allow-origin'), origin)
    assert.match(reply.headers.get('access-control-expose-headers') ?? '', /Retry-After/)
    await reply.text()
  })

  test('a request with Connection: close gets the same header in its reply', async () => {
    const params = { name: 'search_posts', arguments: { q: 'snow' } }
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Connection: 'close',
    }
    const asked = request(`${service.url}/mcp`, { method: 'POST', headers, agent: false })
    asked.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }))
    const [reply] = (await once(asked, 'response')) as [IncomingMessage]
    assert.equal(reply.headers['content-type'], 'text/event-stream')
    assert.equal(reply.headers.connection, 'close')
    reply.resume()
  })

  test('a GET is refused with the method to use, and the refusal is not stored', async () => {
    const { status, headers } = await fetch(`${service.url}/mcp`)
    assert.deepEqual([status, headers.get('allow')], [405, 'POST'])
    assert.equal(headers.get('cache-control'), 'no-store')
  })

  test('a browser that opens the address is led to how to set it up', async () => {
    const ask = { headers: { accept: 'text/html,*/*;q=0.8' }, redirect: 'manual' } as const
    const { status, headers } = await fetch(`${service.url}/mcp`, ask)
    assert.deepEqual([status, headers.get('location')], [302, '/mcp.md'])
  })

  test('an invalid key and a body that is too large are rejected', async () => {
    const ask = (
      headers: Record<string, string>,
      body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    ) =>
      fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body,
      })
    assert.equal((await ask({ authorization: 'Bearer tgr_wrong' })).status, 401)
    const large = await ask({}, `{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(300_000)}"}`)
    assert.equal(large.status, 413)
    assert.equal(large.headers.get('connection'), 'close', 'the rest of its body is not read')
    assert.equal((await ask({})).status, 200)
  })

  test('an invalid JSON-RPC request gets 400, whatever its method', async () => {
    const ask = async (message: string) => {
      const reply = await fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: message,
      })
      await reply.text()
      return reply.status
    }
    for (const method of ['ping', 'tools/list']) {
      const rest = `"method":"${method}"`
      assert.equal(await ask(`{"jsonrpc":"2.0","id":1,${rest},"params":{}}`), 200)
      for (const wrong of [
        '"id":1',
        '"jsonrpc":"1.0","id":1',
        '"jsonrpc":"2.0","id":1.5',
        '"jsonrpc":"2.0","id":1e400',
        '"jsonrpc":"2.0","id":9007199254740993',
        '"jsonrpc":"2.0","id":1,"params":"x"',
        '"jsonrpc":"2.0","id":1,"params":null',
        '"jsonrpc":"2.0","id":1,"params":[]',
      ])
        assert.equal(await ask(`{${wrong},${rest}}`), 400, `${method} ${wrong}`)
    }
  })

  test('a body with a Content-Encoding is rejected with the reason', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    const ask = (coding: string, sent: string | Uint8Array<ArrayBuffer>) =>
      fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'content-encoding': coding,
        },
        body: sent,
      })
    for (const sent of [body, new Uint8Array(gzipSync(body))]) {
      const refused = await ask('gzip', sent)
      assert.equal(refused.status, 415)
      assert.match(await refused.text(), /without a Content-Encoding, found \\"gzip\\"/)
    }
    assert.equal((await ask('identity', body)).status, 200)
  })
})

describe('MCP quotas', () => {
  test('a caller beyond its quota is told so, and when to retry', async () => {
    await using service = await startService({ crawl: false })
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: 'auto' } },
    )
    // Through a proxy, since local callers have far higher quotas.
    const requestInit = { headers: { 'x-forwarded-for': '203.0.113.9' } }
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }),
    )
    let refused: CallToolResult | undefined
    for (let i = 0; i < 31 && !refused?.isError; i += 1) {
      refused = (await client.callTool({ name: 'list_languages', arguments: {} })) as CallToolResult
    }
    await client.close()
    assert.equal(refused?.isError, true)
    const [, seconds] = /^quota_exceeded: .*\nTry again in (\d+) s/s.exec(textOf(refused))!
    const { problem } = refused.structuredContent as { problem: Record<string, unknown> }
    assert.equal(problem['retry_after_s'], Number(seconds))
  })
})

/** `342` of `durov/342`. */
function slugOf({ id }: { readonly id: string }): string {
  return id.split('/')[1]!
}

function textOf(result: CallToolResult): string {
  const [first] = result.content
  return first?.type === 'text' ? first.text : ''
}

function envelope(result: CallToolResult): Envelope {
  assert.notEqual(result.isError, true, textOf(result))
  return result.structuredContent as unknown as Envelope
}

function sizeOf(result: CallToolResult): number {
  return (
    estimateTokens(textOf(result)) + estimateTokens(JSON.stringify(result.structuredContent ?? ''))
  )
}
