import { Hono } from 'hono'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { SUPPORTED_PROTOCOL_VERSIONS } from '../mcp/protocol-versions.ts'
import { SKILLS } from '../mcp/skills.ts'
import { DAY_MS } from '../model/time.ts'
import { CATALOGUE } from '../operations/catalogue.ts'
import { STREAMS, type StreamOperation } from '../operations/stream-posts.ts'
import type { Context, Settings } from '../operations/context.ts'
import { xml } from '../operations/render/rss.ts'
import { addressOf } from '../operations/address-of.ts'
import { prepare } from './compress.ts'
import type { Env } from './exchange.ts'
import { addOrigin, bodyResponse } from './respond.ts'

const CACHE = 'private, max-age=3600'
const MARKDOWN = 'text/markdown; charset=utf-8'
const SKILLS_PATH = '/.well-known/agent-skills'

/** Documents that let programs find the service and learn how to use it. They cost no quota and need no key. */
export function discoveryRoutes({ settings, clock, evidence }: Context): Hono<Env> {
  const app = new Hono<Env>({ strict: false })
  const serve = (path: string, type: string, make: () => string) => {
    const body = prepare(make)
    app.get(path, (c) => bodyResponse(c, addOrigin(headersOf(type), c.var.exchange), body))
  }
  const serveJson = (path: string, type: string, make: (settings: Settings) => object) =>
    serve(path, type, () => JSON.stringify(make(settings), null, 2))

  serveJson('/v1', 'application/json', listOperations)
  serveJson('/mcp/server-card', 'application/mcp-server-card+json', serverCard)
  serveJson('/.well-known/ai-catalog.json', 'application/ai-catalog+json', aiCatalog)
  serveJson(`${SKILLS_PATH}/index.json`, 'application/json', skillIndex)
  for (const { name, text } of SKILLS)
    serve(`${SKILLS_PATH}/${name}/SKILL.md`, MARKDOWN, () => text)
  serve('/opensearch.xml', 'application/opensearchdescription+xml', () =>
    searchDescription(settings),
  )
  serve('/docs.md', MARKDOWN, () => documentOf('api.md'))
  serve('/errors.md', MARKDOWN, () => documentOf('errors.md'))
  serve('/help.md', MARKDOWN, () => documentOf('query-language.md'))
  serve('/mcp.md', MARKDOWN, () => documentOf('mcp.md'))
  app.get('/.well-known/telegrep-key.json', async (c) => {
    const keys = JSON.stringify(await evidence.keys(), null, 2)
    const headers = addOrigin(headersOf('application/jwk-set+json'), c.var.exchange)
    return bodyResponse(c, headers, keys)
  })
  const { contact } = settings
  if (contact !== null) {
    app.get('/.well-known/security.txt', (c) =>
      c.text(securityTxt(settings.publicUrl, contact, clock.now()), 200, {
        'Cache-Control': CACHE,
      }),
    )
  }
  return app
}

function headersOf(type: string): Record<string, string> {
  return {
    'Content-Type':
      type.includes('charset') || type.includes('json') ? type : `${type}; charset=utf-8`,
    'Cache-Control': CACHE,
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept-Encoding',
  }
}

/** Without the padding that aligns the columns of tables, which would be nearly half of what a model has to read. */
function documentOf(name: string): string {
  const text = readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
  return text.replaceAll(/^\|.*\|$/gm, (row) =>
    row.replaceAll(/ +\|/g, ' |').replaceAll(/-{4,}/g, '---'),
  )
}

function listOperations({ publicUrl, version }: Settings): object {
  return {
    data: [...CATALOGUE, ...STREAMS.map(asListed)].map(
      ({ name, path, summary, formats, examples }) => ({
        name,
        path: `/v1${path}`,
        summary,
        formats,
        example: `${publicUrl}/v1${addressOf(path, examples[0]?.input ?? {})}`,
      }),
    ),
    meta: { version, openapi: `${publicUrl}/v1/openapi.json`, docs: `${publicUrl}/docs` },
    warnings: [],
  }
}

const asListed = (stream: StreamOperation) => ({ ...stream, formats: ['sse'] })

/** SEP-2127: what the server is and where to reach it, readable before connecting. */
function serverCard({ publicUrl, version, needsKey }: Settings): object {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: cardName(publicUrl),
    version,
    title: 'Telegrep',
    description:
      'Search posts of public Telegram channels: full text, archives, live reads, evidence',
    websiteUrl: publicUrl,
    remotes: [
      {
        type: 'streamable-http',
        url: `${publicUrl}/mcp`,
        supportedProtocolVersions: SUPPORTED_PROTOCOL_VERSIONS,
        headers: [
          {
            name: 'Authorization',
            description: `Bearer and a key${needsKey ? '' : '; none is needed to begin'}`,
            isRequired: needsKey,
            isSecret: true,
          },
        ],
      },
    ],
  }
}

/** The host's labels from right to left: `com.example.search/telegrep`. */
function cardName(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  const labels = hostname.replaceAll(/[^a-z0-9.-]/g, '').split('.')
  const isAddress = /^[\d.]+$/.test(hostname)
  return `${(isAddress ? labels : labels.toReversed()).join('.') || 'local'}/telegrep`
}

/** The list for a client that knows nothing but the host. */
function aiCatalog({ publicUrl, version }: Settings): object {
  const { hostname } = new URL(publicUrl)
  const card = 'application/mcp-server-card+json'
  return {
    specVersion: '1.0',
    host: { displayName: 'Telegrep', documentationUrl: `${publicUrl}/docs` },
    entries: [
      {
        identifier: `urn:air:${hostname}:mcp:telegrep`,
        displayName: 'Telegrep',
        // Earlier drafts of the catalogue call `type` this.
        mediaType: card,
        type: card,
        version,
        url: `${publicUrl}/mcp/server-card`,
      },
      ...SKILLS.map(({ name, description }) => ({
        identifier: `urn:air:${hostname}:skill:${name}`,
        displayName: name,
        mediaType: 'text/markdown',
        type: 'text/markdown',
        description,
        version,
        url: `${publicUrl}${SKILLS_PATH}/${name}/SKILL.md`,
      })),
    ],
  }
}

/** Agent Skills Discovery 0.2.0. */
function skillIndex(): object {
  return {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: SKILLS.map(({ name, description, text }) => ({
      name,
      type: 'skill-md',
      description,
      url: `${SKILLS_PATH}/${name}/SKILL.md`,
      digest: `sha256:${createHash('sha256').update(text).digest('hex')}`,
    })),
  }
}

/** OpenSearch 1.1: lets a browser's address bar search here. */
function searchDescription({ publicUrl }: Settings): string {
  const file = new URL('./pages/assets/search-description.xml', import.meta.url)
  return readFileSync(file, 'utf8').replaceAll('{{base}}', xml(publicUrl))
}

const HALF_A_YEAR_MS = 180 * DAY_MS

/** RFC 9116. */
function securityTxt(publicUrl: string, contact: string, now: number): string {
  const address = /^(?:https?|mailto|tel):/.test(contact) ? contact : addressOfContact(contact)
  const day = new Date(now + HALF_A_YEAR_MS).toISOString().slice(0, 10)
  return `Contact: ${address}
Expires: ${day}T00:00:00Z
Preferred-Languages: en
Canonical: ${publicUrl}/.well-known/security.txt
`
}

function addressOfContact(contact: string): string {
  return contact.includes('@') ? `mailto:${contact}` : `https://${contact}`
}
