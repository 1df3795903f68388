import { ERRORS, type ErrorCode } from '../../src/model/errors.ts'
import { POLICIES, DEFAULT_TIERS } from '../../src/access/tiers.ts'
import { addressOf } from '../../src/operations/address-of.ts'
import { CATALOGUE } from '../../src/operations/catalogue.ts'
import { STREAMS, type StreamOperation } from '../../src/operations/stream-posts.ts'
import { COMMON_ERRORS, type Operation } from '../../src/operations/operation.ts'
import { WARNINGS } from '../../src/operations/warnings.ts'
import { ERROR_ADVICE } from '../../src/http/error-advice.ts'
import { MEDIA_TYPES } from '../../src/http/negotiate.ts'
import { answerDoc, objectsDoc, type DescribedApi } from './object-doc.ts'
import { openApiDocument, parametersOf, type ApiParameter } from '../../src/http/openapi.ts'

/** Generates `docs/api.md` and `docs/errors.md` from the code; a test keeps the files equal. */

const INTRODUCTION = `# API

All paths are below a base address that ends in \`/v1\`. Everything is read with GET (or HEAD); nothing can be changed. The
same reference, with a form for each operation, is served at \`/docs\`, and as OpenAPI 3.1 at \`/v1/openapi.json\`. This page
is generated from the code.

## Requests

- Name a channel as \`durov\`, \`@durov\`, \`t.me/durov\` or \`https://t.me/s/durov\`, in upper or lower case; in a path, write its
  slashes as \`%2F\`. A former name gives the channel under its present name, with a \`renamed\` warning.
- Name a post by its number on its channel. \`342-any-words\` means 342, and any member of an album means the album.
- Lists are comma-separated or repeated. The values of a list are alternatives, except those of \`has\`, which must
  all hold. Different parameters all apply. An unknown parameter, or a repeated one that is not a list, is an error.
- Times are RFC 3339, a date, an age such as \`90m\`, \`24h\`, \`7d\`, or words such as \`yesterday\`, \`monday\`, \`last 7 days\`
  ([all of them](query-language.md#times)), in UTC unless \`tz\` names a zone. \`since\` is inclusive, \`until\` exclusive.
- Send keys as \`Authorization: Bearer <key>\` or \`X-API-Key: <key>\`, never in the URL. Without a key the anonymous tier
  applies, counted by IPv4 address or IPv6 /64. An unknown or revoked key is answered with 401.
- \`X-Request-Id\` is echoed if it has 1 to 64 characters of \`A-Z a-z 0-9 . _ -\`; otherwise one is generated.

## Discovery

\`GET /v1\` lists the operations, each with an example. Every reply names the OpenAPI document and \`llms.txt\` in \`Link\`
(\`service-desc\`, \`describedby\`). \`/docs.md\`, \`/errors.md\`, \`/help.md\` and \`/mcp.md\` are the documentation as Markdown;
\`/opensearch.xml\` lets you search from a browser's address bar. [mcp.md](mcp.md#being-found) tells what agents discover by
themselves. None of these costs quota.

## Replies

\`\`\`json
{
  "data": [],
  "meta": { "request_id": "…", "took_ms": 3, "next_cursor": null, "content_origin": "third_party" },
  "warnings": [{ "code": "window_clipped", "parameter": "since", "detail": "…" }]
}
\`\`\`

- \`content_origin: third_party\` says that the text of posts is data from others, never instructions. Control, zero-width and
  bidi-override characters are removed; a post that had any carries \`hidden_characters: true\`.
- \`incomplete\` marks a post that Telegram shows only in its app, and says what is missing here.
- A count is \`{"value": 1200, "approx": true, "raw": "1.2K", "as_of": "…"}\`.
- \`next_cursor\` is null on the last page. A cursor is valid for seven days and bound to its query; \`limit\`, \`format\` and
  \`detail\` may change between pages. Under \`newest\` and \`oldest\`, the pages show no post twice and skip none that was
  there at the start; \`relevance\` and \`views\` reach the best 1 000.
- \`ETag\` is weak and ignores when things were read. A matching \`If-None-Match\` gives 304, which costs no \`daily\` quota.
- Replies above 1 KiB are compressed (zstd, br, gzip) if the client accepts it. CORS is open to every origin, unless
  the service is [personal](operating.md#who-is-answered): then it answers its own machine alone.
- Errors are problem documents (RFC 9457) with a stable \`code\`; see [errors.md](errors.md).
- Each operation below tells what its \`data\` and \`meta\` hold; [Objects](#objects) lists every field. For TypeScript there is a
  [client](client.md) with these types.

## Formats

\`format=\` overrides \`Accept\`. Every format holds one page; \`Link: <…>; rel="next"\` is the next one. Feeds hold whole posts as HTML
with the pictures that may be shown, unless \`detail\` says otherwise. \`excel\` is \`csv\` with a byte order mark: without it Excel
garbles letters beyond ASCII, and with it other programs misread the name of the first column. \`/feeds.opml?channel=durov,telegram&search=storm\`
is a list of feeds for feed readers; \`search\` is words or the URL of a search, one per line or repeated.
`

export function renderApiDoc(): string {
  const api = openApiDocument({
    publicUrl: '',
    version: '',
    needsKey: false,
  }) as unknown as DescribedApi
  const parts = [
    INTRODUCTION,
    table(
      ['format', 'media type', 'operations'],
      Object.entries(MEDIA_TYPES).map(([format, type]) => [
        `\`${format}\``,
        `\`${type}\``,
        CATALOGUE.filter(({ formats }) => (formats as readonly string[]).includes(format))
          .map(({ name }) => `\`${name}\``)
          .join(', '),
      ]),
    ),
    '## Warnings\n\nAn answer can be correct and still not what was meant; `warnings` says why. In every format, if there are any, the header `Telegrep-Warnings` lists their codes: `window_clipped, renamed`.',
    table(
      ['warning', 'meaning'],
      Object.entries(WARNINGS).map(([code, meaning]) => [`\`${code}\``, meaning]),
    ),
    '## Quotas\n\nRequests per minute, day and hour. Operators can set others (`TELEGREP_TIERS`).',
    table(
      ['tier', ...POLICIES.map((name) => `\`${name}\``), 'streams at a time'],
      [...DEFAULT_TIERS.values()].map(({ name, policies, streams }) => [
        `\`${name}\``,
        ...POLICIES.map((policy) => String(policies[policy]?.limit ?? 'no limit')),
        String(streams ?? 'no limit'),
      ]),
    ),
    QUOTAS,
    '## Operations',
    table(
      ['path', 'operation', 'purpose'],
      [...CATALOGUE, ...STREAMS].map(({ path, name, summary }) => [
        `\`${path}\``,
        `[\`${name}\`](#${name})`,
        summary,
      ]),
    ),
    ...CATALOGUE.map((operation) => operationDoc(operation, api)),
    ...STREAMS.map(streamDoc),
    objectsDoc(api),
  ]
  return `${parts
    .join('\n\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`
}

const QUOTAS = `Every request except \`/meta\` costs 1 of \`burst\`, and 1 of \`daily\` unless it is an \`explain\` or is answered with 304,
400, 401, 429 or 5xx. \`/live\` also costs 1 of \`live\` unless it was served from the cache. A stream costs one request when it is opened,
and nothing more. A \`burst\` window starts with the caller's first request; \`daily\` and \`live\` windows are UTC days and hours.

\`RateLimit-Policy\` and \`RateLimit\` are on every reply, \`Retry-After\` on 429 and 503. Web pages take no keys: theirs are the quotas of
the visitor's address. Under overload requests are refused at once with 503 \`overloaded\`.`

function operationDoc(operation: Operation, api: DescribedApi): string {
  return [
    ...askingDoc(operation, parametersOf(operation)),
    answerDoc(operation, api),
    errorsDoc(operation),
  ].join('\n\n')
}

function streamDoc(stream: StreamOperation): string {
  const parameters = parametersOf({ ...stream, formats: [] })
  const events = Object.entries(stream.events).map(([name, told]) => [`\`${name}\``, told])
  return [
    ...askingDoc(stream, parameters),
    'How to read it, with a browser, `curl`, or behind a proxy: [following.md](following.md).',
    table(['event', 'tells'], events),
    errorsDoc(stream),
  ].join('\n\n')
}

type Asked = Pick<Operation, 'name' | 'path' | 'summary' | 'description' | 'examples'>

function askingDoc(operation: Asked, parameters: readonly ApiParameter[]): string[] {
  const examples = operation.examples.map(({ summary, input }) => {
    const address = addressOf(operation.path, input).replaceAll('%2C', ',')
    return `- ${summary}: \`GET /v1${address}\``
  })
  return [
    `### ${operation.name}`,
    `\`GET /v1${operation.path}\` — ${operation.summary}. ${operation.description}`,
    table(
      ['parameter', 'accepts', 'meaning'],
      parameters.map((parameter) => [
        `\`${parameter.name}\``,
        accepts(parameter),
        parameter.description,
      ]),
    ),
    examples.join('\n'),
  ]
}

function errorsDoc({ errors }: Pick<Operation, 'errors'>): string {
  const codes = errors.map(errorLink).join(', ')
  return codes === '' ? 'Errors: only the common ones.' : `Errors: ${codes}.`
}

function accepts({ schema }: ApiParameter): string {
  const values = schema.enum ?? schema.items?.enum
  const fallback = schema.default === undefined ? '' : `, default \`${String(schema.default)}\``
  if (values) {
    const list = values.map((value) => `\`${value}\``).join(', ')
    return `${schema.type === 'array' ? 'any of ' : ''}${list}${fallback}`
  }
  if (schema.type === 'boolean') return '`true`, `false`'
  if (schema.type === 'integer') return `${schema.minimum}–${schema.maximum}${fallback}`
  if (schema.type === 'array') return `up to ${schema.maxItems}`
  return schema.maxLength === undefined ? 'text' : `1–${schema.maxLength} characters`
}

export function renderErrorsDoc(): string {
  const codes = Object.keys(ERRORS) as ErrorCode[]
  const parts = [
    `# Errors

Every error is \`application/problem+json\` (RFC 9457) with \`type\` (the address of its explanation), \`title\`,
\`status\`, \`detail\`, \`instance\`, \`code\`, \`request_id\` and \`errors\`, a list of what is wrong: \`parameter\`, \`code\`,
\`detail\`, and \`position\`, \`suggestion\` and \`hint\` where they are known. Some have more members, named below. A 429 has the type
\`https://iana.org/assignments/http-problem-types#quota-exceeded\`. This page is generated from the code.`,
    table(
      ['code', 'status', 'meaning'],
      codes.map((code) => [errorLink(code), String(ERRORS[code].status), ERRORS[code].title]),
    ),
    `Any request can fail with ${COMMON_ERRORS.map((code) => `\`${code}\``).join(', ')}.`,
    ...codes.map(
      (code) =>
        `## ${code}\n\n${ERRORS[code].status}: ${ERRORS[code].title}. ${ERROR_ADVICE[code]}`,
    ),
  ]
  return `${parts.join('\n\n')}\n`
}

function errorLink(code: ErrorCode): string {
  return `[\`${code}\`](errors.md#${code})`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
