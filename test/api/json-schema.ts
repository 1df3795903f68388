/** The part of JSON Schema 2020-12 that our OpenAPI document uses; an unknown keyword is a failure, not a pass. */
type Schema = Readonly<Record<string, unknown>> | boolean

const ANNOTATIONS = new Set([
  'description',
  'examples',
  'default',
  'title',
  'format',
  'id',
  '$schema',
  'propertyNames',
])

/** Every way in which a value violates a schema, as `path: reason`. */
export function violations(
  document: unknown,
  schema: unknown,
  value: unknown,
  path = '$',
): string[] {
  if (schema === true) return []
  if (schema === false) return [`${path}: nothing is allowed here`]
  const found: string[] = []
  for (const [keyword, rule] of Object.entries(schema as Record<string, unknown>)) {
    if (ANNOTATIONS.has(keyword)) continue
    const check = KEYWORDS[keyword]
    if (!check) found.push(`${path}: unknown keyword ${keyword}`)
    else found.push(...check({ document, schema: schema as Schema, rule, value, path }))
  }
  return found
}

interface Check {
  readonly document: unknown
  readonly schema: Schema
  readonly rule: unknown
  readonly value: unknown
  readonly path: string
}

const says = (isFine: boolean, path: string, reason: string) =>
  isFine ? [] : [`${path}: ${reason}`]
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const KEYWORDS: Readonly<Record<string, (check: Check) => string[]>> = {
  $ref({ document, rule, value, path }) {
    const steps = String(rule).replace(/^#\//, '').split('/')
    const target = steps.reduce<unknown>(
      (at, step) => (at as Record<string, unknown>)?.[step],
      document,
    )
    return target === undefined
      ? [`${path}: ${rule} leads nowhere`]
      : violations(document, target, value, path)
  },
  type({ rule, value, path }) {
    const types = Array.isArray(rule) ? (rule as string[]) : [rule as string]
    return says(
      types.some((type) => isOfType(type, value)),
      path,
      `expected ${types.join(' or ')}, found ${JSON.stringify(value)?.slice(0, 60)}`,
    )
  },
  enum: ({ rule, value, path }) =>
    says((rule as unknown[]).includes(value), path, `${JSON.stringify(value)} is not in the enum`),
  const: ({ rule, value, path }) => says(rule === value, path, `expected ${JSON.stringify(rule)}`),
  required({ rule, value, path }) {
    if (!isObject(value)) return []
    return (rule as string[])
      .filter((name) => !Object.hasOwn(value, name))
      .map((name) => `${path}: ${name} is missing`)
  },
  properties({ document, rule, value, path }) {
    if (!isObject(value)) return []
    return Object.entries(rule as Record<string, unknown>).flatMap(([name, inner]) =>
      Object.hasOwn(value, name) ? violations(document, inner, value[name], `${path}.${name}`) : [],
    )
  },
  additionalProperties({ document, schema, rule, value, path }) {
    if (!isObject(value)) return []
    const known = Object.keys(((schema as Record<string, unknown>)['properties'] as object) ?? {})
    return Object.keys(value)
      .filter((name) => !known.includes(name))
      .flatMap((name) =>
        rule === false
          ? [`${path}: ${name} is not described`]
          : violations(document, rule, value[name], `${path}.${name}`),
      )
  },
  items({ document, rule, value, path }) {
    if (!Array.isArray(value)) return []
    return value.flatMap((item, i) => violations(document, rule, item, `${path}[${i}]`))
  },
  anyOf({ document, rule, value, path }) {
    const tried = (rule as unknown[]).map((inner) => violations(document, inner, value, path))
    const best = tried.toSorted((a, b) => a.length - b.length)[0]!
    return best.length === 0
      ? []
      : [`${path}: fits none of ${tried.length}; nearest: ${best.slice(0, 3).join('; ')}`]
  },
  minimum: ({ rule, value, path }) =>
    says(typeof value !== 'number' || value >= Number(rule), path, `below ${rule}`),
  maximum: ({ rule, value, path }) =>
    says(typeof value !== 'number' || value <= Number(rule), path, `above ${rule}`),
  minItems: ({ rule, value, path }) =>
    says(!Array.isArray(value) || value.length >= Number(rule), path, `fewer than ${rule}`),
  maxItems: ({ rule, value, path }) =>
    says(!Array.isArray(value) || value.length <= Number(rule), path, `more than ${rule}`),
  minLength: ({ rule, value, path }) =>
    says(typeof value !== 'string' || value.length >= Number(rule), path, `shorter than ${rule}`),
  maxLength: ({ rule, value, path }) =>
    says(typeof value !== 'string' || value.length <= Number(rule), path, `longer than ${rule}`),
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    default:
      return typeof value === type
  }
}
