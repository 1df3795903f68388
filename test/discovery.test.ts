import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { TYPED_CATALOGUE } from '../src/operations/catalogue.ts'
import { startService, type Service } from './start-service.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const SKILLS = ['follow-a-story', 'map-who-spread-it', 'verify-a-claim']
const readJson = (name: string) =>
  JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))

describe('discovery', () => {
  let service: Service
  before(async () => {
    service = await startService({
      crawl: false,
      env: { TELEGREP_CONTACT: 'desk@telegrep.example' },
    })
  })
  after(() => service[Symbol.asyncDispose]())

  async function get(path: string, type: string): Promise<string> {
    const origin = 'http://localhost:6274'
    const address = path.startsWith('http') ? path : `${service.url}${path}`
    const reply = await fetch(address, { headers: { origin } })
    assert.equal(reply.status, 200, path)
    assert.ok(reply.headers.get('content-type')!.startsWith(type), path)
    assert.equal(reply.headers.get('access-control-allow-origin'), origin, path)
    return reply.text()
  }

  test('from the host name alone a client finds the AI catalogue, the server card, and connects over MCP', async () => {
    const catalog = JSON.parse(
      await get('/.well-known/ai-catalog.json', 'application/ai-catalog+json'),
    )
    assert.equal(catalog.specVersion, '1.0')
    for (const { identifier, displayName, type, url } of catalog.entries) {
      assert.match(identifier, /^urn:air:[a-z0-9.-]+:(mcp|skill):[a-z-]+$/)
      assert.ok(displayName)
      await get(url, type)
    }
    const [entry] = catalog.entries
    const card = JSON.parse(await get(entry.url, 'application/mcp-server-card+json'))
    assert.equal(
      card.$schema,
      'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    )
    assert.match(card.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    assert.ok(card.description.length <= 100)
    const [remote] = card.remotes
    assert.equal(remote.type, 'streamable-http')
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: 'auto' } },
    )
    await client.connect(new StreamableHTTPClientTransport(new URL(remote.url)))
    const server = client.getServerVersion()
    await client.close()
    assert.equal(server?.version, card.version)
    assert.equal(server?.title, card.title)
    assert.ok(remote.supportedProtocolVersions.includes('2026-07-28'))
  })

  for (const door of ['HTTP', 'initialize over HTTP', 'stdio'] as const) {
    test(`skills are listed and match their digests, by ${door}`, async () => {
      const mode = door === 'initialize over HTTP' ? 'legacy' : 'auto'
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
      const env = {
        TELEGREP_DATA: service.folder,
        TELEGREP_LOG: 'error',
        PATH: process.env['PATH'] ?? '',
      }
      await client.connect(
        door === 'stdio'
          ? new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp'], env })
          : new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)),
      )
      try {
        const skills = new SkillsClient(client)
        assert.equal(skills.supported, true)
        const { skills: listed } = await skills.list()
        assert.deepEqual(
          listed.map(({ frontmatter }) => frontmatter.name),
          SKILLS,
        )
        for (const skill of listed) {
          const { verified, text = '' } = await skills.read(skill)
          assert.equal(verified, true)
          // The tools that a skill names exist.
          for (const [name] of text.matchAll(/(?<=`)(?:get|list|search)_\w+(?=`)/g))
            assert.ok(name in TYPED_CATALOGUE, name)
        }
      } finally {
        await client.close()
      }
    })
  }

  test('the same skills are in the agent skills index of the host', async () => {
    const index = JSON.parse(await get('/.well-known/agent-skills/index.json', 'application/json'))
    assert.equal(index.$schema, 'https://schemas.agentskills.io/discovery/0.2.0/schema.json')
    assert.deepEqual(index.skills.map(({ name }: { name: string }) => name).toSorted(), SKILLS)
    for (const { type, url, digest, name, description } of index.skills) {
      assert.equal(type, 'skill-md')
      const text = await get(url, 'text/markdown')
      assert.equal(digest, `sha256:${createHash('sha256').update(text).digest('hex')}`)
      assert.ok(text.startsWith(`---\nname: ${name}\ndescription: ${description}\n---\n`))
      assert.ok(description.length <= 1024 && text.length < 5_000 * 4)
    }
  })

  test('every example call in a skill is accepted by the tool that it names', async () => {
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)))
    try {
      for (const skill of SKILLS) {
        const text = await get(`/.well-known/agent-skills/${skill}/SKILL.md`, 'text/markdown')
        // A call is whole, or a part that is added to a call: `"sort": "views"`.
        const calls = [...text.matchAll(/`(\{"[^`]*\}|"\w+": "\w+")`/g)]
        assert.ok(calls.length > 1, skill)
        for (const { 1: call = '', index } of calls) {
          const tools = text.slice(0, index).match(/(?<=`)(?:get|list|search)_\w+(?=`)/g)
          const whole = call.startsWith('{') ? call : `{"q": "ferry", ${call}}`
          const input = JSON.parse(whole.replaceAll(/\s+/g, ' ')) as Record<string, unknown>
          const name = tools!.at(-1)!
          const { isError, content } = await client.callTool({ name, arguments: input })
          assert.ok(!isError, `${skill}: ${name} ${whole}: ${JSON.stringify(content)}`)
        }
      }
    } finally {
      await client.close()
    }
  })

  test('/v1 lists the operations with examples that can be requested', async () => {
    const { data } = JSON.parse(await get('/v1', 'application/json'))
    assert.deepEqual(
      data.map(({ name }: { name: string }) => name),
      [...Object.keys(TYPED_CATALOGUE), 'stream_posts'],
    )
    for (const { example } of data) {
      const { status } = await fetch(example)
      assert.ok([200, 404, 502].includes(status), `${example}: ${status}`)
    }
  })

  test('the service-desc and describedby links of replies resolve', async () => {
    for (const path of ['/v1/languages', '/v1/nothing_here']) {
      const link = (await fetch(`${service.url}${path}`)).headers.get('link')!
      const links = [...link.matchAll(/<([^>]+)>; rel="([\w-]+)"/g)]
      assert.deepEqual(
        links.map(([, , rel]) => rel),
        ['service-desc', 'describedby'],
      )
      for (const [, address] of links) assert.equal((await fetch(address!)).status, 200)
    }
  })

  test('security.txt has a contact and an expiry date within a year', async () => {
    const reply = await fetch(`${service.url}/.well-known/security.txt`)
    const text = await reply.text()
    assert.match(text, /^Contact: mailto:desk@telegrep\.example$/m)
    const expires = Date.parse(/^Expires: (.*)$/m.exec(text)![1]!)
    assert.ok(expires > Date.now() && expires < Date.now() + 366 * 86_400_000)
  })

  test('the documentation is also served as Markdown', async () => {
    for (const path of ['/docs.md', '/errors.md', '/help.md', '/mcp.md']) {
      const text = await get(path, 'text/markdown')
      assert.ok(text.startsWith('# '), path)
    }
  })

  test('the home page links to an OpenSearch description whose template works', async () => {
    const home = await (await fetch(service.url)).text()
    const href = /<link\s+rel="search"[^>]+href="([^"]+)"/.exec(home)![1]!
    const text = await get(href, 'application/opensearchdescription+xml')
    const template = /<Url type="text\/html" template="([^"]+)"/.exec(text)![1]!
    const { status } = await fetch(template.replace('{searchTerms}', 'snow'))
    assert.equal(status, 200)
  })
})

test('server.json agrees with package.json', () => {
  const server = readJson('server.json')
  const { name, version, mcpName, bin } = readJson('package.json')
  assert.equal(
    server.$schema,
    'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  )
  assert.equal(server.name, mcpName)
  assert.match(server.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
  assert.equal(server.version, version)
  assert.ok(server.title.length <= 100 && server.description.length <= 100)
  const [npm] = server.packages
  assert.equal(npm.registryType, 'npm')
  assert.equal(npm.identifier, name)
  assert.equal(npm.version, version)
  assert.deepEqual(npm.transport, { type: 'stdio' })
  assert.ok(bin[name])
  const [remote] = server.remotes
  assert.equal(remote.type, 'streamable-http')
  for (const [, variable] of remote.url.matchAll(/\{(\w+)\}/g))
    assert.ok(remote.variables[variable])
})
