/**
 * Sends every method, header and parameter of the OpenAPI document in valid and invalid forms to a real server, and checks
 * every reply against that document: no 500, nothing outside the schema, no reply too late. Enough requests must be valid
 * that every operation answers with 200.
 *
 *     node test/prove/api-fuzz.prove.ts [requests] [seed]
 */
import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { holdToContract } from '../api/contract.ts'
import { startService } from '../api/harness.ts'
import { fillWorld } from '../api/world.ts'

const total = Number(process.argv[2] ?? 50_000)
const seed = Number(process.argv[3] ?? 1)
/** As many as are admitted at once, since a 503 would count as a reply that took too long. */
const CONCURRENCY = 16
/** A little more than the service's own deadline. */
const PATIENCE_MS = 12_000

let state = seed >>> 0 || 1
function random(): number {
  state ^= state << 13
  state ^= state >>> 17
  state ^= state << 5
  return (state >>> 0) / 0x1_0000_0000
}
const below = (n: number) => Math.floor(random() * n)
const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
const chance = (p: number) => random() < p

const NASTY = [
  '',
  ' ',
  '\0',
  '%',
  '%zz',
  '%F0%9F',
  '../../etc/passwd',
  "' OR 1=1 --",
  '"; drop table posts; --',
  '<script>alert(1)</script>',
  '${7*7}',
  '\u202Eabc',
  '\uD800',
  '😀'.repeat(50),
  'a'.repeat(600),
  '(((((((((((a',
  '"unclosed',
  'a OR',
  '-a',
  'NOT NOT NOT a',
  '*',
  '***',
  'ab*',
  '#',
  '@',
  '$',
  'from:',
  'has:nothing',
  'after:never',
  'min_views:-1',
  '-1',
  '0',
  '1e9',
  '99999999999999999999',
  'NaN',
  'true',
  'null',
  '[]',
  '{}',
  '2026-02-31',
  '2026-05-31T25:00:00Z',
  '0m',
  '999999w',
  'https://t.me/s/durov',
  'https://evil.example/durov',
  '@durov',
  'durov,,,telegram',
  ','.repeat(100),
  '__proto__',
  'constructor',
  'W/"x"',
] as const
const GOOD = [
  'chess',
  'champion',
  'ChessNews',
  'queen game',
  'novosti_shahmat',
  '24h',
  '5',
  'en',
  'ru',
  '10',
  '11',
  '342',
  'true',
  'opening',
  'example.com',
] as const

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: {
    readonly type?: string
    readonly enum?: readonly string[]
    readonly items?: { readonly enum?: readonly string[] }
    readonly minimum?: number
    readonly maximum?: number
  }
}
interface Described {
  readonly paths: Record<string, { readonly get: { readonly parameters: readonly Parameter[] } }>
}

const METHODS = [
  'GET',
  'GET',
  'GET',
  'GET',
  'GET',
  'GET',
  'GET',
  'GET',
  'HEAD',
  'OPTIONS',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'TRACE',
  'PROPFIND',
  'QUERY',
] as const

await using service = await startService({ index: 'embedded' })
await fillWorld(service)
const { key } = await service.keys.create({ tier: 'unlimited', name: 'fuzz' })
const document = (await service.get('/v1/openapi.json')).json as Described
const cursors = [
  (await service.get('/v1/search?q=game&limit=1')).json.meta.next_cursor as string,
  (await service.get('/v1/channels?limit=1')).json.meta.next_cursor as string,
  (await service.get('/v1/channels/ChessNews/posts?limit=1')).json.meta.next_cursor as string,
]

function valueOf({ name, schema }: Parameter): string {
  if (chance(0.25)) return pick(NASTY)
  if (name === 'cursor') return chance(0.7) ? pick(cursors) : pick(NASTY)
  if (name === 'username')
    return pick(['ChessNews', 'novosti_shahmat', '@chessnews', 'quiet_channel', 'unknown_one'])
  if (name === 'slug' || name === 'before') return String(below(20))
  const values = schema.enum ?? schema.items?.enum
  if (values)
    return schema.type === 'array' && chance(0.3) ? `${pick(values)},${pick(values)}` : pick(values)
  if (schema.type === 'integer')
    return String(
      (schema.minimum ?? 0) +
        below(Math.min(200, (schema.maximum ?? 100) - (schema.minimum ?? 0) + 2)),
    )
  if (schema.type === 'boolean') return pick(['true', 'false'])
  return pick(GOOD)
}

/** A stream has no end to wait for. */
const PATHS = Object.entries(document.paths).filter(([path]) => path !== '/stream')

function addressOf(): { readonly template: string; readonly path: string } {
  if (chance(0.03)) return { template: '', path: `/v1/${encode(pick(NASTY))}` }
  const [template, { get }] = pick(PATHS)
  const query: string[] = []
  let path = template
  for (const parameter of get.parameters) {
    if (parameter.in === 'path') {
      path = path.replace(`{${parameter.name}}`, () => encode(valueOf(parameter) || 'x'))
    } else if (chance(0.16)) {
      query.push(`${parameter.name}=${encode(valueOf(parameter))}`)
      if (chance(0.04)) query.push(`${parameter.name}=${encode(valueOf(parameter))}`)
    }
  }
  if (chance(0.05)) query.push(`${encode(pick(NASTY))}=${encode(pick(NASTY))}`)
  if (chance(0.01)) query.push(`q=${'long+'.repeat(below(2500))}`)
  return { template, path: `/v1${path}${query.length > 0 ? `?${query.join('&')}` : ''}` }
}

function encode(value: string): string {
  // Some values are sent unencoded, as a careless client would.
  if (/^[\x21-\x7e]*$/.test(value) && chance(0.1)) return value.replaceAll(/[\s#?/&]/g, '')
  return encodeURIComponent(value.toWellFormed())
}

function headersOf(): Record<string, string> {
  const headers: Record<string, string> = { 'X-API-Key': key }
  if (chance(0.05)) headers['X-API-Key'] = pick(['', 'nonsense', `${key}x`, key.slice(0, -1)])
  if (chance(0.05))
    headers['Authorization'] = pick(['Bearer', 'Bearer x y', 'Basic abc', `Bearer ${key}`, '\x80'])
  if (chance(0.3))
    headers['Accept'] = pick([
      '*/*',
      'text/html',
      'text/*',
      'application/json',
      'text/csv',
      'application/rss+xml;q=0.5',
      ';;;',
      'a/b;q=x',
      ',,,',
      'application/problem+json',
      'text/markdown;q=0.0',
    ])
  if (chance(0.3))
    headers['Accept-Encoding'] = pick([
      'gzip',
      'br',
      'zstd',
      'identity',
      '*',
      'gzip;q=0',
      'nonsense',
      ';q=1',
      'br;q=abc',
    ])
  if (chance(0.1)) headers['If-None-Match'] = pick(['*', 'W/"x"', '"', 'x'.repeat(5000), ','])
  if (chance(0.1)) headers['X-Request-Id'] = pick(['ok', 'not ok', 'x'.repeat(65), 'a"b', '../x'])
  if (chance(0.05)) headers['X-Forwarded-For'] = pick(['1.2.3.4', 'x', '::1', ','])
  if (chance(0.05)) headers['Range'] = 'bytes=0-10'
  if (chance(0.05)) headers['Expect'] = 'nonsense'
  if (chance(0.005)) headers['X-Large'] = 'x'.repeat(20_000)
  if (chance(0.02)) headers['Host'] = pick(['evil.example', 'a b', '', '[::1', 'x:99999'])
  return headers
}

const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY })
const { hostname, port } = new URL(service.url)

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

function send(method: string, path: string, headers: Record<string, string>): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const options = { agent, hostname, port, method, path, headers, signal }
    const asking = request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      )
      response.on('error', reject)
    })
    asking.on('error', reject)
    asking.end()
  })
}

function decode({ headers, body }: Reply): string {
  if (body.length === 0) return ''
  switch (headers['content-encoding']) {
    case 'gzip':
      return gunzipSync(body).toString()
    case 'br':
      return brotliDecompressSync(body).toString()
    case 'zstd':
      return zstdDecompressSync(body).toString()
    default:
      return body.toString()
  }
}

const statuses = new Map<number, number>()
const answered = new Set<string>()
const failures: string[] = []
let sent = 0
let unsendable = 0

async function worker(): Promise<void> {
  while (sent < total && failures.length < 20) {
    sent++
    const method = pick(METHODS)
    const { template, path } = addressOf()
    const headers = headersOf()
    const shown = `${method} ${path} ${JSON.stringify({ ...headers, 'X-API-Key': '…' })}`.slice(
      0,
      500,
    )
    let reply: Reply
    try {
      reply = await send(method, path, headers)
    } catch (error) {
      // Node's own client refuses some of these requests; the server never saw them.
      if ((error as NodeJS.ErrnoException).code?.startsWith('ERR_')) unsendable++
      else failures.push(`${shown}: ${String(error)}`)
      continue
    }
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
    if (reply.status === 200) answered.add(template)
    if (reply.status === 500 || reply.status === 503) failures.push(`${shown}: ${reply.status}`)
    try {
      holdToContract(document, {
        method,
        path,
        status: reply.status,
        headers: new Headers(reply.headers as Record<string, string>),
        text: decode(reply),
      })
    } catch (error) {
      failures.push(`${shown}: ${(error as Error).message.slice(0, 500)}`)
    }
  }
}

const startedAt = performance.now()
await Promise.all(Array.from({ length: CONCURRENCY }, worker))
agent.destroy()
const seconds = (performance.now() - startedAt) / 1000
// There is no platform here for live reads.
for (const [template] of PATHS) {
  if (!template.endsWith('/live') && !answered.has(template))
    failures.push(`${template} never answered with 200`)
}
const table = [...statuses].toSorted(([a], [b]) => a - b).map(([status, n]) => `${status}: ${n}`)
console.log(
  `api fuzz, seed ${seed}: ${sent} requests in ${seconds.toFixed(1)} s (${unsendable} not sendable)`,
)
console.log(`statuses: ${table.join(', ')}`)
for (const failure of failures) console.error(`FAILED ${failure}`)
process.exitCode = failures.length === 0 ? 0 : 1
