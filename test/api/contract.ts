import assert from 'node:assert/strict'
import { ERRORS } from '../../src/model/errors.ts'
import { violations } from './json-schema.ts'

/** Replies of any path may have these statuses, so the document does not repeat them for each. */
const ANYWHERE = new Set([404, 405, 414, 431])

interface Document {
  readonly paths: Record<
    string,
    { readonly get: { readonly responses: Record<string, Described> } }
  >
}
interface Described {
  readonly content?: Record<string, { readonly schema: unknown }>
}

export interface Seen {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Checks one reply of the API against the OpenAPI document: status, media type, body, and the headers that every reply has. */
export function holdToContract(document: unknown, seen: Seen): void {
  const { pathname } = new URL(seen.path, 'http://service')
  // Only paths that the document describes; the list of operations and the document itself are not among them.
  if (!/^\/v1\/./.test(pathname) || pathname === '/v1/openapi.json') return
  const where = `${seen.method} ${seen.path.slice(0, 200)} → ${seen.status}`
  for (const name of [
    'x-request-id',
    'ratelimit-policy',
    'ratelimit',
    'access-control-allow-origin',
    'vary',
  ]) {
    assert.ok(seen.headers.get(name), `${where}: no ${name}`)
  }
  if (seen.status === 429 || seen.status === 503)
    assert.ok(Number(seen.headers.get('retry-after')) >= 1, where)
  if (seen.status === 204 || seen.status === 304 || seen.method === 'HEAD') {
    assert.equal(seen.text, '', where)
    return
  }
  const operation = operationAt(document as Document, pathname)
  const described = operation?.responses[String(seen.status)]
  const type = seen.headers.get('content-type')!.split(';')[0]!
  if (!described) {
    const isKnown = operation ? ANYWHERE.has(seen.status) : seen.status >= 400
    assert.ok(isKnown, `${where}: the document knows no such status`)
    assert.equal(type, 'application/problem+json', where)
  }
  if (type === 'application/problem+json') {
    const problem = JSON.parse(seen.text) as {
      code: keyof typeof ERRORS
      status: number
      request_id: string
    }
    assert.deepEqual(
      violations(document, { $ref: '#/components/schemas/Problem' }, problem),
      [],
      where,
    )
    assert.equal(problem.status, seen.status, where)
    assert.equal(ERRORS[problem.code].status, seen.status, where)
    assert.equal(problem.request_id, seen.headers.get('x-request-id'), where)
    assert.equal(seen.headers.get('cache-control'), 'no-store', where)
    return
  }
  const content = described?.content?.[type]
  assert.ok(content, `${where}: the document has no ${type} here`)
  if (type === 'application/json') {
    assert.deepEqual(violations(document, content.schema, JSON.parse(seen.text)), [], where)
  }
}

function operationAt(document: Document, pathname: string) {
  const segments = pathname.replace(/^\/v1/, '').replace(/\/$/, '').split('/')
  for (const [template, { get }] of Object.entries(document.paths)) {
    const parts = template.split('/')
    const fits =
      parts.length === segments.length &&
      parts.every((part, i) => part.startsWith('{') || part === segments[i])
    if (fits) return get
  }
  return undefined
}
