import { inputJsonSchema } from '../operations/operation.ts'
import type { Operation } from '../operations/operation.ts'
import type { Flag } from './command.ts'

interface Property {
  readonly type?: string
  readonly description?: string
  readonly anyOf?: readonly Property[]
}

/** `--url` names the server here; the query operator `url:` does what the parameter would. */
const NOT_FLAGS = ['q', 'username', 'slug', 'url', 'exclude_url']

/** A flag for each parameter of an operation: `min_views` is --min-views. */
export function operationFlags(operation: Operation): Record<string, Flag> {
  const { properties } = inputJsonSchema(operation) as { properties: Record<string, Property> }
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => !NOT_FLAGS.includes(name))
      .map(([name, property]) => [
        name.replaceAll('_', '-'),
        {
          type: isFlag(property) ? 'boolean' : 'string',
          meaning: property.description ?? '',
        } as const,
      ]),
  )
}

function isFlag(property: Property): boolean {
  return property.type === 'boolean' || (property.anyOf?.some((p) => p.type === 'boolean') ?? false)
}

/** The input that flags make. */
export function inputOf(
  operation: Operation,
  flags: Readonly<Record<string, string | boolean | undefined>>,
): Record<string, string | boolean> {
  return Object.fromEntries(
    Object.keys(operation.input.shape)
      .filter((name) => !NOT_FLAGS.includes(name))
      .map((name) => [name, flags[name.replaceAll('_', '-')]] as const)
      .filter((pair): pair is [string, string | boolean] => pair[1] !== undefined),
  )
}
