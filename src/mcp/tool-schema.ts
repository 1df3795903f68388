import { inputJsonSchema, type Operation } from '../operations/operation.ts'

type Schema = Readonly<Record<string, unknown>>

interface InputSchema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** How many items lists return here by default: as much as a model reads at once. */
export const DEFAULT_LIMIT = 10

/** Limits that no caller comes near, and keywords of the schema itself: a model learns nothing from them. */
const SILENT = ['$schema', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const
const LONG = 90
/** A limit from here on is only what a number can hold. */
const FAR = 1_000_000

/** Parameters that a model seldom needs. The operation still accepts them, and the HTTP reference documents them. */
const UNTOLD: Readonly<Record<string, readonly string[]>> = {
  list_channels: ['tz', 'max_subscribers'],
  list_channel_posts: ['tz', 'max_chars', 'include_service'],
  get_spread: ['links'],
  list_changes: [
    'lang',
    'tz',
    'until',
    'exclude_channel',
    'exclude_lang',
    'has',
    'forwards',
    'deleted',
    'min_views',
    'min_subscribers',
  ],
}

/**
 * An operation's input in as few words as a model needs: every client shows the whole list of tools to its model before the
 * first question. The operation itself parses its input by its full schema and names each mistake.
 */
export function toolSchema(operation: Operation): Record<string, unknown> {
  const { properties = {}, required } = inputJsonSchema(operation) as InputSchema
  const names = Object.keys(properties).filter((name) => !UNTOLD[operation.name]?.includes(name))
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map((name) => [name, compactParameter(name, properties[name]!, names)]),
    ),
    ...(required === undefined ? {} : { required }),
    additionalProperties: false,
  }
}

function compactParameter(name: string, schema: Schema, names: readonly string[]): Schema {
  const { items, minimum, maximum, description, ...rest } = schema
  const compact: Record<string, unknown> = { ...rest }
  for (const key of SILENT) delete compact[key]
  if (typeof maximum === 'number' && maximum < FAR) Object.assign(compact, { minimum, maximum })
  if (name === 'limit') compact['default'] = DEFAULT_LIMIT
  if (items !== undefined) compact['items'] = compactItems(items as Schema)
  // An `exclude_` parameter is described by its positive twin.
  const isTwin = name.startsWith('exclude_') && names.includes(name.slice('exclude_'.length))
  return isTwin ? compact : { ...compact, description: inShort(String(description)) }
}

/** Only the first sentence of a long description; the rest is for readers of the reference. */
function inShort(description: string): string {
  return description.length > LONG ? description.replace(/(?<=\.) [A-Z`].*$/s, '') : description
}

function compactItems({ type, enum: values }: Schema): Schema {
  return values === undefined ? { type } : { type, enum: values }
}
