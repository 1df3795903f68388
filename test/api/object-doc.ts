import type { Operation } from '../../src/operations/operation.ts'

/** The objects that replies consist of, for `docs/api.md`. Drawn from the OpenAPI document, so that the two cannot differ. */

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly required?: readonly string[]
  readonly description?: string
}

export interface DescribedApi {
  readonly paths: Readonly<Record<string, { readonly get: DescribedOperation }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface DescribedOperation {
  readonly responses: {
    readonly 200: { readonly content: { readonly 'application/json': { readonly schema: Schema } } }
  }
}

/** Documented once, with the envelope. */
const COMMON_META: ReadonlySet<string> = new Set([
  'request_id',
  'took_ms',
  'content_origin',
  'next_cursor',
])

const NONE: ReadonlySet<string> = new Set()

export function answerDoc({ path }: Operation, api: DescribedApi): string {
  const { schema } = api.paths[path]!.get.responses[200].content['application/json']
  const { data, meta } = schema.properties ?? {}
  const fields = fieldsOf(meta ?? {}, COMMON_META)
  const more = fields.length === 0 ? '' : ` \`meta\` has:\n\n${lines(fields)}`
  return `Answer: \`data\` is ${typeOf(data ?? {})}.${more}`
}

export function objectsDoc({ components }: DescribedApi): string {
  const objects = Object.entries(components.schemas).map(
    ([name, schema]) => `### ${name}\n\n${lines(fieldsOf(schema))}`,
  )
  return [OBJECTS, ...objects].join('\n\n')
}

const OBJECTS = `## Objects

Every field of every answer, with its type. A field marked \`?\` is left out when it has no value; times are RFC 3339 in UTC.
Answers may gain fields.`

interface Field {
  readonly type: string
  /** What it means, where its name does not say so. */
  readonly why: string | undefined
}

function fieldsOf({ properties = {}, required = [] }: Schema, hidden = NONE): readonly Field[] {
  return Object.entries(properties)
    .filter(([name]) => !hidden.has(name))
    .map(([name, schema]) => {
      const mark = required.includes(name) ? '' : '?'
      return { type: `\`${name}${mark}\` ${typeOf(schema)}`, why: schema.description }
    })
}

/** One line per field: an object may have thirty. */
function lines(fields: readonly Field[]): string {
  return fields.map(({ type, why }) => `- ${type}${why === undefined ? '' : `: ${why}`}`).join('\n')
}

function inline(fields: readonly Field[]): string {
  const each = fields.map(({ type, why }) => (why === undefined ? type : `${type} (${told(why)})`))
  return `{ ${each.join(', ')} }`
}

function told(description: string): string {
  return description.replace(/\.$/, '')
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return linkTo(schema.$ref)
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.const !== undefined) return `\`${String(schema.const)}\``
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(' or ')
  const [type = 'object', ...others] = [schema.type ?? 'object'].flat()
  const nullable = others.includes('null') ? ' or null' : ''
  if (type === 'array') return `${listOf(schema.items ?? {})}${nullable}`
  if (type !== 'object') return `${schema.format === 'date-time' ? 'time' : type}${nullable}`
  if (schema.properties) return inline(fieldsOf(schema))
  const { additionalProperties: values } = schema
  return typeof values === 'object' ? `a map to ${typeOf(values)}` : 'object'
}

function listOf(items: Schema): string {
  const type = typeOf(items)
  return type.includes(' or ') ? `a list of ${type}` : `${type}[]`
}

function linkTo(reference: string): string {
  const name = reference.slice(reference.lastIndexOf('/') + 1)
  return `[${name}](#${name.toLowerCase()})`
}
