type Schema = Readonly<Record<string, unknown>>

/**
 * The arguments that a model meant to give. Many send every parameter, with null, an empty text or an empty list for those they
 * leave out; some send a list as the JSON of it.
 */
export function givenArguments(
  input: Readonly<Record<string, unknown>>,
  schema: Schema,
): Record<string, unknown> {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>
  return Object.fromEntries(
    Object.entries(input)
      .map(([name, value]) => [
        name,
        properties[name]?.['type'] === 'array' ? listIn(value) : value,
      ])
      .filter(([, value]) => !isBlank(value)),
  ) as Record<string, unknown>
}

function listIn(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*\[[^]*\]\s*$/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function isBlank(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isEmpty) : isEmpty(value)
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '')
}
